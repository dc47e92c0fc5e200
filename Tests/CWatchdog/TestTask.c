// XCTest runs an async test in a task of its own, and waits for an expectation that the task fulfills. Neither can be asked for:
// this file sees the task when XCTest creates it. The layouts are those of Swift's runtime (swift/ABI/Task.h); WatchdogTests
// fails where they differ, and nothing is read that is not mapped.
#define _GNU_SOURCE
#include "CWatchdog.h"

#ifdef __linux__
#include <dlfcn.h>
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

typedef struct {
    void *task;
    void *context;
} CreatedTask;

typedef CreatedTask (*CreateTask)(size_t, void *, const void *, void *, void *) __attribute__((swiftcall));

static _Atomic(CreateTask) createTask;
static _Atomic(void *) testTask, testFunction;

/// The code of XCTest, from the first address to the last.
static uintptr_t library[2];

static int findLibrary(struct dl_phdr_info *info, size_t size, void *unused) {
    (void)size, (void)unused;
    if (!strstr(info->dlpi_name, "libXCTest.so")) return 0;
    for (int index = 0; index < info->dlpi_phnum; index++) {
        if (info->dlpi_phdr[index].p_type != PT_LOAD || !(info->dlpi_phdr[index].p_flags & PF_X)) continue;
        library[0] = info->dlpi_addr + info->dlpi_phdr[index].p_vaddr;
        library[1] = library[0] + info->dlpi_phdr[index].p_memsz;
    }
    return 1;
}

__attribute__((constructor)) static void start(void) { dl_iterate_phdr(findLibrary, NULL); }

/// Takes the place of the runtime's function: what an executable defines comes before what its libraries define.
__attribute__((swiftcall, visibility("default"))) CreatedTask swift_task_create(
    size_t flags, void *options, const void *type, void *function, void *context) {
    CreateTask create = createTask;
    if (!create) createTask = create = (CreateTask)(uintptr_t)dlsym(RTLD_NEXT, "swift_task_create");
    CreatedTask created = create(flags, options, type, function, context);
    uintptr_t caller = (uintptr_t)__builtin_return_address(0);
    if (caller >= library[0] && caller < library[1]) {
        testTask = created.task;
        testFunction = context;
    }
    return created;
}

/// Reads words, unless they are not mapped.
static bool readWords(const void *from, const void **words, size_t count) {
    struct iovec local = {words, count * sizeof *words}, remote = {(void *)(uintptr_t)from, count * sizeof *words};
    return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == (ssize_t)(count * sizeof *words);
}

/// Where a task goes on, and the context of the innermost function.
enum { RESUME_FUNCTION = 7, RESUME_CONTEXT = 8, TASK_WORDS = 9 };

size_t testTaskAddresses(uintptr_t *addresses, size_t limit) {
    const void *task[TASK_WORDS], *frame[2];
    Dl_info own, info;
    if (!dladdr((void *)(uintptr_t)&testTaskAddresses, &own) || !readWords(testTask, task, TASK_WORDS)) return 0;
    const void *function = task[RESUME_FUNCTION], *context = task[RESUME_CONTEXT];
    size_t count = 0;
    // A task that runs meanwhile may show anything, so that there is a limit.
    for (int depth = 0; depth < 200 && count < limit; depth++) {
        if (dladdr((void *)(uintptr_t)function, &info) && info.dli_fbase == own.dli_fbase)
            addresses[count++] = (uintptr_t)function - (uintptr_t)own.dli_fbase;
        // A context begins with the context of its caller, and with where the caller goes on.
        if (!readWords(context, frame, 2)) break;
        context = frame[0];
        function = frame[1];
    }
    return count;
}

/// Captured values come after the header of an object. They may be those of a function that the function calls.
static const void *captured(const void *function, const void *type, bool isOuter) {
    const void *words[7], *head;
    if (!readWords(function, words, 7)) return NULL;
    for (int index = 2; index < 7; index++)
        if (readWords(words[index], &head, 1) && head == type) return words[index];
    for (int index = 2; isOuter && index < 7; index++) {
        const void *found = captured(words[index], type, false);
        if (found) return found;
    }
    return NULL;
}

const void *testExpectation(const void *type) { return captured(testFunction, type, true); }
#endif
