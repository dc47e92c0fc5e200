// Runs code before `main`, and knows the task of the running test. On Linux only.
#ifndef CWATCHDOG_H
#define CWATCHDOG_H

#include <stddef.h>

#ifdef __linux__
#include <stdint.h>

/// Writes the addresses at which the test's task goes on after what it waits for, innermost function first.
///
/// The addresses are relative to the executable. Functions of libraries are left out.
/// - Returns: the number of addresses.
size_t testTaskAddresses(uintptr_t *_Nonnull addresses, size_t limit);

/// Returns the object that XCTest waits for while it runs an async test.
/// - Parameter type: The metadata of `XCTestExpectation`.
const void *_Nullable testExpectation(const void *_Nonnull type);
#endif
#endif
