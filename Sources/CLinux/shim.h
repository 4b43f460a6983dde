// SPDX-License-Identifier: MIT
#ifndef SCENE_CLINUX_H
#define SCENE_CLINUX_H
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

// open and ioctl are variadic.
static inline int scene_open(const char *path, int flags, unsigned mode) { return open(path, flags, mode); }
static inline int scene_terminal_columns(int fd) {
  struct winsize size;
  return ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}
static inline void scene_ignore(int number) { signal(number, SIG_IGN); }
static inline int scene_status(const char *path, struct stat *info) { return stat(path, info); }
static inline double scene_child_cpu_seconds(void) {
  struct rusage usage;
  if (getrusage(RUSAGE_CHILDREN, &usage) != 0) return 0;
  return usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}
// Large blocks go back to the system when they are freed, however often they were freed before.
static inline void scene_return_large_blocks(void) { mallopt(M_MMAP_THRESHOLD, 256 * 1024); }
static inline int scene_errno(void) { return errno; }
static inline int scene_is_regular(const struct stat *s) { return S_ISREG(s->st_mode); }
static inline int scene_is_directory(const struct stat *s) { return S_ISDIR(s->st_mode); }
#endif
