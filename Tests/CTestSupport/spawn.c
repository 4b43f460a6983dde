// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "testspawn.h"
#include "process.h"
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

static const char *split(const char *words, char **list, int count) {
  for (int i = 0; i < count; i++, words += strlen(words) + 1) list[i] = (char *)words;
  list[count] = NULL;
  return words;
}

int scene_test_spawn(const char *folder, const char *words, int arguments, int variables,
                     const int *streams, pid_t *process) {
  char **list = calloc((size_t)(arguments + variables) + 2, sizeof *list);
  if (!list) return ENOMEM;
  split(split(words, list, arguments), list + arguments + 1, variables);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (int stream = 0; stream < 3; stream++) {
    if (streams[stream] >= 0)
      posix_spawn_file_actions_adddup2(&actions, streams[stream], stream);
    else
      posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0);
  }
  posix_spawn_file_actions_addchdir_np(&actions, folder);
  posix_spawn_file_actions_addclosefrom_np(&actions, 3);
  posix_spawnattr_t attributes;
  scene_spawn_attributes(&attributes, 0);
  int code = posix_spawn(process, list[0], &actions, &attributes, list, list + arguments + 1);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  free(list);
  return code;
}

void scene_test_await(pid_t process) {
  siginfo_t info;
  while (waitid(P_PID, (id_t)process, &info, WEXITED | WNOWAIT) != 0 && errno == EINTR) {}
}

static double seconds(const struct rusage *used) {
  return (double)(used->ru_utime.tv_sec + used->ru_stime.tv_sec) +
         (double)(used->ru_utime.tv_usec + used->ru_stime.tv_usec) / 1e6;
}

scene_test_end scene_test_reap(pid_t process) {
  struct rusage used;
  int status = 0;
  if (wait4(process, &status, WNOHANG, &used) != process) return (scene_test_end){0, 0, 0};
  return (scene_test_end){process, status, seconds(&used)};
}

double scene_test_seconds(int ofChildren) {
  struct rusage used;
  getrusage(ofChildren ? RUSAGE_CHILDREN : RUSAGE_SELF, &used);
  return seconds(&used);
}
