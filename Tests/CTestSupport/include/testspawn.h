// SPDX-License-Identifier: MIT
#ifndef SCENE_TEST_SPAWN_H
#define SCENE_TEST_SPAWN_H
#include <sys/types.h>

/// The end of a child process.
typedef struct {
  pid_t process;   // 0 while it runs
  int status;      // as `wait` gives it
  double seconds;  // CPU time of the process and of all children it waited for
} scene_test_end;

/// Starts a program in a folder. `words` holds the arguments, then the environment, each with a
/// zero byte at its end. Standard streams that are -1 are connected to /dev/null; all other
/// descriptors are closed, and no signal is blocked or ignored. Returns 0, or the number of the
/// error.
int scene_test_spawn(const char *folder, const char *words, int arguments, int variables,
                     const int *streams, pid_t *process);

/// Waits until a process has ended, but does not reap it.
void scene_test_await(pid_t process) __attribute__((swift_attr("safe")));

/// Reaps a process if it has ended.
scene_test_end scene_test_reap(pid_t process) __attribute__((swift_attr("safe")));

/// Returns the CPU seconds of this process, or of all its children that have been reaped.
double scene_test_seconds(int ofChildren) __attribute__((swift_attr("safe")));
#endif
