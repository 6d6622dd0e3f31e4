#include "cmd/cmd.h"
