// SPDX-License-Identifier: MIT
// Runs a command and prints its status, its CPU time in seconds and its peak memory in KiB as the
// last line.
//
// Tests cannot measure the peak memory of a child process themselves, since the kernel includes the
// memory of the process that forked it. This program is small.
#define _GNU_SOURCE
#include <spawn.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int count, char **words) {
  if (count < 2) return 2;
  pid_t process;
  if (posix_spawn(&process, words[1], NULL, NULL, words + 1, environ) != 0) return 2;
  struct rusage used;
  int status;
  if (wait4(process, &status, 0, &used) != process) return 2;
  double seconds = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                   (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
  int code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  printf("\n%d %f %ld\n", code, seconds, used.ru_maxrss);
  return 0;
}
