#include "btf/read.h"
