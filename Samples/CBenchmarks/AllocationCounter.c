// Defines malloc for the whole program: what an executable defines takes the place of what its libraries define.
// Every call is handed on to glibc's own, which has these names for this purpose.
#include "AllocationCounter.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define HAS_OTHER_MALLOC 1
#endif
#endif

#if defined(__GLIBC__) && !defined(HAS_OTHER_MALLOC)
#define COUNTS 1
#endif

static atomic_int is_counting;
static atomic_llong calls, bytes;

#ifdef COUNTS

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static void note(size_t size) {
    if (!atomic_load_explicit(&is_counting, memory_order_relaxed)) return;
    atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&bytes, (long long)size, memory_order_relaxed);
}

void *malloc(size_t size) {
    note(size);
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    note(count * size);
    return __libc_calloc(count, size);
}

void *realloc(void *block, size_t size) {
    note(size);
    return __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size) {
    note(size);
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **block, size_t alignment, size_t size) {
    void *made = memalign(alignment, size);
    if (made == NULL) return ENOMEM;
    *block = made;
    return 0;
}

int allocation_counter_works(void) { return 1; }

#else

int allocation_counter_works(void) { return 0; }

#endif

void allocation_counter_start(void) {
    atomic_store(&calls, 0);
    atomic_store(&bytes, 0);
    atomic_store(&is_counting, 1);
}

allocation_count allocation_counter_stop(void) {
    atomic_store(&is_counting, 0);
    return (allocation_count){.calls = atomic_load(&calls), .bytes = atomic_load(&bytes)};
}
