// SPDX-License-Identifier: MIT
// A preloaded library that reports contended locks of Swift's `Mutex` to the thread sanitizer. Their slow paths are in
// libswiftSynchronization, which is not instrumented, and wait in the kernel, so the sanitizer would miss the order that
// they establish. The fast paths are inlined into instrumented code.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define CONTEXT __attribute__((swift_context))
#define SWIFT __attribute__((swiftcall))

// The sanitizer, in sanitized programs.
extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

SWIFT void lock_slow(uint32_t thread, CONTEXT void *mutex) __asm__(LOCK);
SWIFT void unlock_slow(CONTEXT void *mutex) __asm__(UNLOCK);

SWIFT void lock_slow(uint32_t thread, CONTEXT void *mutex) {
  SWIFT void (*original)(uint32_t, CONTEXT void *) = dlsym(RTLD_NEXT, LOCK);
  original(thread, mutex);
  if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT void unlock_slow(CONTEXT void *mutex) {
  SWIFT void (*original)(CONTEXT void *) = dlsym(RTLD_NEXT, UNLOCK);
  if (__tsan_release) __tsan_release(mutex);
  original(mutex);
}
