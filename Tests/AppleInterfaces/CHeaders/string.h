#pragma once
#include <Darwin.h>

void *memcpy(void *to, const void *from, size_t size);
