#include "util/grow.h"
