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
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// Safe to call: the owner keeps all objects alive that are passed in addition to plain values and
// strings. The function validates indices and frees nothing.
#define SCENE_SAFE __attribute__((swift_attr("safe")))

// Wrappers of open, fcntl and ioctl, which are variadic.
SCENE_SAFE static inline int scene_open(const char *path, int flags, unsigned mode) { return open(path, flags, mode); }
static inline void scene_unblock(int fd) { (void)!fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK); }
static inline _Bool scene_is_blocking(int fd) { return (fcntl(fd, F_GETFL) & O_NONBLOCK) == 0; }
// Sets the modification time of an open file, in nanoseconds since 1970.
static inline void scene_date(int fd, long nanoseconds) {
  struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, {nanoseconds / 1000000000, nanoseconds % 1000000000}};
  (void)!futimens(fd, times);
}
static inline int scene_duplicate(int fd) { return fcntl(fd, F_DUPFD_CLOEXEC, 3); }
static inline int scene_terminal_columns(int fd) {
  struct winsize size;
  return ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}
// Returns the name of an entry, an array that Swift would import as a tuple of 256 numbers.
static inline const char *scene_name(const struct dirent *entry) { return entry->d_name; }
// Functions that require _GNU_SOURCE, which would make the types of this module differ from those
// of Glibc.
static const int scene_o_tmpfile = 020000000 | O_DIRECTORY;
SCENE_SAFE static inline int scene_exchange(const char *a, const char *b) {
  return (int)syscall(SYS_renameat2, AT_FDCWD, a, AT_FDCWD, b, 2u);
}
// Locks an open file until it is closed; returns 0, or -1 if another process holds the lock.
static inline int scene_lock(int fd) { return flock(fd, LOCK_EX | LOCK_NB); }
// Gives an unnamed file the name `path`.
SCENE_SAFE static inline int scene_link(const char *path, int fd) {
  char own[64];
  snprintf(own, sizeof own, "/proc/self/fd/%d", fd);
  return linkat(AT_FDCWD, own, AT_FDCWD, path, AT_SYMLINK_FOLLOW);
}
// Opens closed standard descriptors 0 to 2 to /dev/null, so that no file opened later gets one
// of these numbers. Returns a bit mask of the closed ones.
static inline int scene_open_standard_files(void) {
  int closed = 0;
  for (int fd = 0; fd <= 2; fd++)
    if (fcntl(fd, F_GETFD) == -1 && errno == EBADF) {
      closed |= 1 << fd;
      (void)!open("/dev/null", O_RDWR);
    }
  return closed;
}
// Raises the stack limit of the main thread to 8 MiB if permitted; returns 0 on failure.
static inline int scene_ensure_stack(void) {
  struct rlimit limit;
  const rlim_t wanted = 8 << 20;
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return 1;
  if (limit.rlim_cur >= wanted) return 1;
  limit.rlim_cur = wanted;
  return setrlimit(RLIMIT_STACK, &limit) == 0;
}
static inline int scene_is_ignored(int number) {
  struct sigaction now;
  return sigaction(number, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}
// O_PATH, which is defined only with _GNU_SOURCE.
enum { scene_path_only = 010000000 };
// Sets of signals by value.
static inline sigset_t scene_no_signals(void) {
  sigset_t it;
  sigemptyset(&it);
  return it;
}
static inline sigset_t scene_signals_with(sigset_t set, int number) {
  sigaddset(&set, number);
  return set;
}
static inline void scene_block_signals(sigset_t set) { pthread_sigmask(SIG_BLOCK, &set, NULL); }
// Waits for one of some blocked signals; returns 0 on failure.
static inline int scene_next_signal(sigset_t set) {
  int number;
  return sigwait(&set, &number) == 0 ? number : 0;
}
static inline void scene_ignore(int number) { signal(number, SIG_IGN); }
static inline double scene_child_cpu_seconds(void) {
  struct rusage usage;
  if (getrusage(RUSAGE_CHILDREN, &usage) != 0) return 0;
  return usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}
// Returns free memory between blocks in use to the system.
static inline void scene_return_memory(void) { malloc_trim(0); }
// Returns large blocks to the system when they are freed. Without a fixed threshold, malloc would
// raise it.
static inline void scene_return_large_blocks(void) { mallopt(M_MMAP_THRESHOLD, 256 * 1024); }
// Keeps freed blocks of up to 32 MiB in the heap, for programs that allocate the next one at once.
static inline void scene_keep_large_blocks(void) {
  mallopt(M_MMAP_THRESHOLD, 32 * 1024 * 1024);
  mallopt(M_TRIM_THRESHOLD, 64 * 1024 * 1024);
}
// Reserves 256 MiB of address space for the heap and enables huge pages in it, which avoids most page
// faults of programs with many small objects. Must be called before other threads start. If the
// address space or huge pages are unavailable, the heap grows as usual.
static inline void scene_use_huge_pages(void) {
  const int page = 2 * 1024 * 1024, reserved = 256 * 1024 * 1024;
  mallopt(M_TRIM_THRESHOLD, 2 * reserved);
  // Large arrays that grow in the heap reuse its pages.
  mallopt(M_MMAP_THRESHOLD, 32 * 1024 * 1024);
  char *start = sbrk(0);
  mallopt(M_TOP_PAD, reserved);
  void *volatile block = malloc(page / 2);  // volatile, since the allocation is not used
  free(block);
  mallopt(M_TOP_PAD, 128 * 1024);
  char *end = sbrk(0);
  start += -(uintptr_t)start % page;
  if (start < end) madvise(start, end - start, MADV_HUGEPAGE);
}
// Starts a thread with a stack of 8 MiB; returns 0 on success.
static inline int scene_start_thread(pthread_t *thread, void *(*run)(void *), void *argument) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 8 << 20);
  int status = pthread_create(thread, &attributes, run, argument);
  pthread_attr_destroy(&attributes);
  return status;
}
// A mutex and a condition variable at a fixed address.
typedef struct { pthread_mutex_t mutex; pthread_cond_t condition; } scene_monitor;
static inline scene_monitor *scene_monitor_new(void) {
  scene_monitor *it = malloc(sizeof *it);
  if (it) {
    pthread_mutex_init(&it->mutex, NULL);
    pthread_cond_init(&it->condition, NULL);
  }
  return it;
}
static inline void scene_monitor_free(scene_monitor *it) {
  pthread_cond_destroy(&it->condition);
  pthread_mutex_destroy(&it->mutex);
  free(it);
}
static inline void scene_monitor_lock(scene_monitor *it) { pthread_mutex_lock(&it->mutex); }
static inline void scene_monitor_wait(scene_monitor *it) { pthread_cond_wait(&it->condition, &it->mutex); }
static inline void scene_monitor_wake_unlock(scene_monitor *it) {
  pthread_cond_broadcast(&it->condition);
  pthread_mutex_unlock(&it->mutex);
}
// Returns the time in nanoseconds since 1970, from the clock of file timestamps
// (CLOCK_REALTIME_COARSE).
static inline long scene_nanoseconds(void) {
  struct timespec now = {0};
  clock_gettime(5, &now);
  return now.tv_sec * 1000000000l + now.tv_nsec;
}
static inline int scene_second_of_day(void) {
  time_t now = time(NULL);
  struct tm parts;
  localtime_r(&now, &parts);
  return parts.tm_hour * 3600 + parts.tm_min * 60 + parts.tm_sec;
}
// Starts a program of at most 64 null-terminated words with no signal blocked; returns 0 on
// success.
extern char **environ;
static inline int scene_start(const void *words, int count) {
  char *list[65] = {0};
  char *at = (char *)words;
  for (int i = 0; i < count && i < 64; i++, at += strlen(at) + 1) list[i] = at;
  posix_spawnattr_t attributes;
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  pid_t process;
  int status = posix_spawnp(&process, list[0], NULL, &attributes, list, environ);
  posix_spawnattr_destroy(&attributes);
  return status;
}
static inline int scene_errno(void) { return errno; }
static inline int scene_is_regular(const struct stat *s) { return S_ISREG(s->st_mode); }
static inline int scene_is_directory(const struct stat *s) { return S_ISDIR(s->st_mode); }
// Functions that return the status of files, memory and time by value.
typedef struct { int is_there; struct stat info; } scene_file_status;
SCENE_SAFE static inline scene_file_status scene_status_of(const char *path) {
  scene_file_status it;
  it.is_there = stat(path, &it.info) == 0;
  return it;
}
static inline scene_file_status scene_status_of_open(int fd) {
  scene_file_status it;
  it.is_there = fstat(fd, &it.info) == 0;
  return it;
}
SCENE_SAFE static inline double scene_free_mebibytes(const char *folder) {
  struct statvfs room;
  return statvfs(folder, &room) == 0 ? (double)room.f_bavail * (double)room.f_frsize / 1048576 : 0;
}
static inline double scene_cpu_seconds(void) {
  struct timespec time = {0, 0};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

// Library functions to which SCENE_SAFE also applies.
#define SCENE_ALSO(function) extern __typeof__(function) function SCENE_SAFE
SCENE_ALSO(access);
SCENE_ALSO(mkdir);
SCENE_ALSO(rename);
SCENE_ALSO(rmdir);
SCENE_ALSO(unlink);
#undef SCENE_ALSO
#endif
