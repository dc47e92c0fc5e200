// Takes the place of functions in the program's table of imported functions, and of a hook that the runtime has for jobs.
// Only while it counts, so that the counting is in no other figure. The pointers that the runtime has for instruments
// (_swift_retain and others) are no use: it calls them with words of short strings, of which no object can be told.
#define _GNU_SOURCE
#include "RuntimeCounter.h"

#include <string.h>

#ifdef __GLIBC__

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

static atomic_llong retains, releases, switches, jobs, copied_bytes;

static void add(atomic_llong *count, long long number) {
    atomic_fetch_add_explicit(count, number, memory_order_relaxed);
}

// MARK: Functions

typedef struct {
    const char *name;
    void *counter;
    /// The function.
    void *original;
    /// What the table has where nobody counts: the function, or what looks it up first.
    void *entry;
} function;

enum {
    RETAIN, RETAIN_N, BRIDGE_RETAIN, BRIDGE_RETAIN_N,
    RELEASE, RELEASE_N, BRIDGE_RELEASE, BRIDGE_RELEASE_N,
    MEMCPY, TASK_SWITCH
};

static function functions[];

#define ORIGINAL(index, type) ((type)functions[index].original)

static void *retain(void *object) {
    add(&retains, 1);
    return ORIGINAL(RETAIN, void *(*)(void *))(object);
}

static void *retain_n(void *object, uint32_t number) {
    add(&retains, 1);
    return ORIGINAL(RETAIN_N, void *(*)(void *, uint32_t))(object, number);
}

static void *bridge_retain(void *object) {
    add(&retains, 1);
    return ORIGINAL(BRIDGE_RETAIN, void *(*)(void *))(object);
}

static void *bridge_retain_n(void *object, int number) {
    add(&retains, 1);
    return ORIGINAL(BRIDGE_RETAIN_N, void *(*)(void *, int))(object, number);
}

static void release(void *object) {
    add(&releases, 1);
    ORIGINAL(RELEASE, void (*)(void *))(object);
}

static void release_n(void *object, uint32_t number) {
    add(&releases, 1);
    ORIGINAL(RELEASE_N, void (*)(void *, uint32_t))(object, number);
}

static void bridge_release(void *object) {
    add(&releases, 1);
    ORIGINAL(BRIDGE_RELEASE, void (*)(void *))(object);
}

static void bridge_release_n(void *object, int number) {
    add(&releases, 1);
    ORIGINAL(BRIDGE_RELEASE_N, void (*)(void *, int))(object, number);
}

static void *copy(void *to, const void *from, size_t size) {
    add(&copied_bytes, (long long)size);
    return memmove(to, from, size);
}

// swift_task_switch of stdlib/public/Concurrency/Task.h; what it calls does not return here.
#define ASYNC __attribute__((swiftasynccall))
typedef ASYNC void (*task_switch)(
    __attribute__((swift_async_context)) void *context, void *resume, void *executor, void *implementation);

static ASYNC void switch_task(
    __attribute__((swift_async_context)) void *context, void *resume, void *executor, void *implementation) {
    add(&switches, 1);
    __attribute__((musttail)) return ORIGINAL(TASK_SWITCH, task_switch)(context, resume, executor, implementation);
}

static function functions[] = {
    [RETAIN] = {"swift_retain", retain},
    [RETAIN_N] = {"swift_retain_n", retain_n},
    [BRIDGE_RETAIN] = {"swift_bridgeObjectRetain", bridge_retain},
    [BRIDGE_RETAIN_N] = {"swift_bridgeObjectRetain_n", bridge_retain_n},
    [RELEASE] = {"swift_release", release},
    [RELEASE_N] = {"swift_release_n", release_n},
    [BRIDGE_RELEASE] = {"swift_bridgeObjectRelease", bridge_release},
    [BRIDGE_RELEASE_N] = {"swift_bridgeObjectRelease_n", bridge_release_n},
    [MEMCPY] = {"memcpy", copy},
    [TASK_SWITCH] = {"swift_task_switch", switch_task},
};

/// Returns what counts the calls of a function; NULL for a function whose calls are not counted.
static function *counted(const char *name) {
    for (size_t index = 0; index < sizeof functions / sizeof *functions; index++)
        if (strcmp(functions[index].name, name) == 0) return &functions[index];
    return NULL;
}

static void replace(function *function, void **place, bool is_on) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    if (mprotect((void *)((uintptr_t)place & ~(page - 1)), page, PROT_READ | PROT_WRITE) != 0) return;
    if (function->original == NULL) {
        function->original = dlsym(RTLD_DEFAULT, function->name);
        function->entry = *place;
    }
    *place = is_on ? function->counter : function->entry;
}

// Called for each loaded file, the program first, which is the only one that is changed.
static int replace_all(struct dl_phdr_info *info, size_t size, void *is_on) {
    (void)size;
    const ElfW(Rela) *imports = NULL;
    const ElfW(Sym) *symbols = NULL;
    const char *names = NULL;
    size_t bytes = 0;
    for (int index = 0; index < info->dlpi_phnum; index++) {
        if (info->dlpi_phdr[index].p_type != PT_DYNAMIC) continue;
        const ElfW(Dyn) *tag = (const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[index].p_vaddr);
        for (; tag->d_tag != DT_NULL; tag++) {
            if (tag->d_tag == DT_JMPREL) imports = (const ElfW(Rela) *)tag->d_un.d_ptr;
            if (tag->d_tag == DT_PLTRELSZ) bytes = tag->d_un.d_val;
            if (tag->d_tag == DT_SYMTAB) symbols = (const ElfW(Sym) *)tag->d_un.d_ptr;
            if (tag->d_tag == DT_STRTAB) names = (const char *)tag->d_un.d_ptr;
        }
    }
    for (size_t index = 0; index < bytes / sizeof(ElfW(Rela)); index++) {
        function *function = counted(names + symbols[ELF64_R_SYM(imports[index].r_info)].st_name);
        if (function == NULL) continue;
        replace(function, (void **)(info->dlpi_addr + imports[index].r_offset), is_on != NULL);
    }
    return 1;
}

// MARK: Jobs

// stdlib/public/Concurrency/Concurrency.h
typedef __attribute__((swiftcall)) void (*enqueue)(void *job);
extern __attribute__((swiftcall)) void (*swift_task_enqueueGlobal_hook)(void *job, enqueue original);

static __attribute__((swiftcall)) void count_job(void *job, enqueue original) {
    add(&jobs, 1);
    original(job);
}

// MARK: Counting

static void count(bool is_on) {
    dl_iterate_phdr(replace_all, is_on ? &is_on : NULL);
    swift_task_enqueueGlobal_hook = is_on ? count_job : NULL;
}

void runtime_counter_start(void) {
    retains = releases = switches = jobs = copied_bytes = 0;
    count(true);
}

runtime_count runtime_counter_stop(void) {
    count(false);
    return (runtime_count){
        .retains = retains,
        .releases = releases,
        .switches = switches,
        .jobs = jobs,
        .copied_bytes = copied_bytes,
    };
}

int runtime_counter_works(void) { return 1; }

#else

void runtime_counter_start(void) {}
runtime_count runtime_counter_stop(void) { return (runtime_count){0}; }
int runtime_counter_works(void) { return 0; }

#endif
