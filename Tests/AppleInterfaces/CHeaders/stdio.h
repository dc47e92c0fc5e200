// What C targets use of the C library on Apple platforms.
#pragma once
#include <Darwin.h>

FILE *fopen(const char *path, const char *mode);
int fclose(FILE *file);
int fseek(FILE *file, long offset, int whence);
long ftell(FILE *file);
void rewind(FILE *file);
size_t fread(void *bytes, size_t size, size_t count, FILE *file);
