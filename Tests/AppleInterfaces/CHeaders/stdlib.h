#pragma once
#include <Darwin.h>

void *calloc(size_t count, size_t size);
void *realloc(void *bytes, size_t size);
