#pragma once
#include <Darwin.h>

#define CLOCK_MONOTONIC _CLOCK_MONOTONIC
