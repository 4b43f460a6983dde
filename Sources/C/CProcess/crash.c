// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "process.h"
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
  int number;
  const char *name;
} crashes[] = {
  {SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"}, {SIGTRAP, "SIGTRAP"}, {SIGILL, "SIGILL"},
  {SIGABRT, "SIGABRT"}, {SIGFPE, "SIGFPE"},
};

#define COUNT(list) (sizeof(list) / sizeof *(list))

// Uses only async-signal-safe calls.
static void report(int number) {
  char text[256] = "error: scenec crashed (";
  for (size_t k = 0; k < COUNT(crashes); k++)
    if (crashes[k].number == number) strcat(text, crashes[k].name);
  strcat(text,
    ")\n  help: if memory or threads are short, free some or raise 'ulimit -v' and 'ulimit -u'; "
    "otherwise report a bug\n");
  (void)!write(STDERR_FILENO, text, strlen(text));
  raise(number);
}

extern void __asan_init(void) __attribute__((weak));
extern void __tsan_init(void) __attribute__((weak));

// Sanitizers install their own handlers. The handler of the Swift runtime is replaced unless SWIFT_BACKTRACE is set: to
// suspend the other threads, it sends them SIGUSR1, which scenec handles as a request to end.
static int keeps_handlers(void) {
  return __asan_init != NULL || __tsan_init != NULL || getenv("SWIFT_BACKTRACE") != NULL;
}

void scene_report_crashes(void) {
  // After an overflow of the main stack, the handler needs a separate stack.
  static char room[1 << 14];
  stack_t stack = {.ss_sp = room, .ss_size = sizeof room}, other;
  if (sigaltstack(NULL, &other) == 0 && (other.ss_flags & SS_DISABLE)) sigaltstack(&stack, NULL);
  // The handler runs only once: raised again, the signal terminates the process.
  struct sigaction action = {
    .sa_handler = report, .sa_flags = SA_ONSTACK | SA_RESETHAND | SA_NODEFER};
  for (size_t k = 0; k < COUNT(crashes); k++) {
    struct sigaction now;
    if (sigaction(crashes[k].number, NULL, &now) == 0 && (now.sa_handler == SIG_DFL || !keeps_handlers()))
      sigaction(crashes[k].number, &action, NULL);
  }
}
