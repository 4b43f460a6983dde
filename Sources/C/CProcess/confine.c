// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "process.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <math.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <time.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

void scene_one_heap(void) { mallopt(M_ARENA_MAX, 1); }

pid_t scene_fork(void) { return fork(); }

scene_death scene_bury(void) {
  int status = 0;
  pid_t pid = waitpid(-1, &status, WNOHANG);
  if (pid <= 0) return (scene_death){0, 0, 0};
  return (scene_death){
      pid, WIFSIGNALED(status) ? WTERMSIG(status) : 0, WIFEXITED(status) ? WEXITSTATUS(status) : 0};
}

void scene_end_children(void) {
  signal(SIGTERM, SIG_IGN);
  if (getpgrp() == getpid()) kill(0, SIGTERM);
  pid_t got;
  while ((got = waitpid(-1, NULL, 0)) > 0 || (got < 0 && errno == EINTR)) {}
}

double scene_process_seconds(pid_t pid) {
  clockid_t clock;
  struct timespec used;
  if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &used) != 0) return 0;
  return used.tv_sec + used.tv_nsec / 1e9;
}

long scene_process_memory(pid_t pid) {
  char path[40];
  snprintf(path, sizeof path, "/proc/%d/statm", (int)pid);
  FILE *file = fopen(path, "re");
  long all = 0, resident = 0;
  if (file != NULL) {
    if (fscanf(file, "%ld %ld", &all, &resident) != 2) resident = 0;
    fclose(file);
  }
  return resident * sysconf(_SC_PAGESIZE);
}

scene_end scene_wait(pid_t pid, double seconds) {
  int status = 0;
  struct rusage used = {0};
  sigset_t child, before;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  pthread_sigmask(SIG_BLOCK, &child, &before);
  // The CPU time is polled because the kernel enforces RLIMIT_CPU by samples at timer ticks, which
  // can miss threads that run alternately between them.
  const struct timespec moment = {0, 100000000};
  pid_t got;
  while ((got = wait4(pid, &status, isinf(seconds) ? 0 : WNOHANG, &used)) == 0 || (got < 0 && errno == EINTR)) {
    if (scene_process_seconds(pid) >= seconds) kill(pid, SIGKILL);
    sigtimedwait(&child, NULL, &moment);
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return (scene_end){
    .signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0,
    .status = WIFEXITED(status) ? WEXITSTATUS(status) : 0,
    .cpu = used.ru_utime.tv_sec + used.ru_stime.tv_sec
        + (used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6,
  };
}

int scene_process_file(pid_t pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

void scene_end_process(int file) { syscall(SYS_pidfd_send_signal, file, SIGKILL, NULL, 0); }

static size_t address_space(void) {
  unsigned long pages = 0;
  FILE *file = fopen("/proc/self/statm", "re");
  if (!file) return 0;
  if (fscanf(file, "%lu", &pages) != 1) pages = 0;
  fclose(file);
  return pages * (size_t)sysconf(_SC_PAGESIZE);
}

static void lower(__rlimit_resource_t what, rlim_t soft, rlim_t hard) {
  struct rlimit now;
  if (getrlimit(what, &now) != 0) return;
  if (hard < now.rlim_max) now.rlim_max = hard;
  now.rlim_cur = soft < now.rlim_max ? soft : now.rlim_max;
  setrlimit(what, &now);
}

static void listen_to(int number) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, number);
  sigprocmask(SIG_UNBLOCK, &set, NULL);
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
// Sanitizer reports write files and start a symbolizer.
#define UNFENCED
#endif
#endif

// Applies to memory files, to which output is written.
#define LARGEST_FILE ((rlim_t)512 << 20)

void scene_limit(size_t bytes, unsigned seconds) {
#ifdef UNFENCED
  // Sanitizers map much more memory than they use.
  bytes += (size_t)16 << 30;
#endif
  rlim_t space = (rlim_t)address_space() + bytes;
  lower(RLIMIT_AS, space, space);
  lower(RLIMIT_CORE, 0, 0);
  lower(RLIMIT_FSIZE, LARGEST_FILE, LARGEST_FILE);
  if (seconds == 0) return;
  lower(RLIMIT_CPU, seconds, seconds + 1);
  listen_to(SIGXCPU);
  listen_to(SIGALRM);
  // A timeout rather than a work limit: decoding never waits, so this ends processes that hang.
  alarm(600);
}

static volatile int watched;

static void end_when_closed(int number) {
  (void)number;
  struct pollfd end = {watched, POLLIN, 0};
  if (poll(&end, 1, 0) > 0 && (end.revents & (POLLHUP | POLLERR))) _exit(1);
}

void scene_end_with(int socket) {
  watched = socket;
  struct sigaction action = {.sa_handler = end_when_closed, .sa_flags = SA_RESTART};
  sigaction(SIGIO, &action, NULL);
  listen_to(SIGIO);
  fcntl(socket, F_SETOWN, getpid());
  fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_ASYNC);
  end_when_closed(SIGIO);
}

// MARK: Files

#define READ_FILES (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)
// All access rights of the first Landlock version. Handled rights that are not allowed are denied.
#define ALL_FILES ((LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1)

void scene_confine_files(const char *const *folders, size_t count) {
#ifndef UNFENCED
  struct landlock_ruleset_attr rules = {.handled_access_fs = ALL_FILES};
  int set = (int)syscall(SYS_landlock_create_ruleset, &rules, sizeof rules, 0);
  if (set < 0) return;
  for (size_t k = 0; k < count; k++) {
    struct landlock_path_beneath_attr beneath = {.allowed_access = READ_FILES};
    beneath.parent_fd = open(folders[k], O_PATH | O_CLOEXEC | O_DIRECTORY);
    if (beneath.parent_fd < 0) continue;
    syscall(SYS_landlock_add_rule, set, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0);
    close(beneath.parent_fd);
  }
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  syscall(SYS_landlock_restrict_self, set, 0);
  close(set);
#else
  (void)folders, (void)count;
#endif
}

int scene_has_landlock(void) {
  return syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION) > 0;
}

// MARK: System calls

#if defined(UNFENCED)
#elif defined(__x86_64__)
#define MACHINE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define MACHINE AUDIT_ARCH_AARCH64
#endif

// System calls for computation, memory allocation and communication.
static const int always[] = {
  SYS_read, SYS_pread64, SYS_write, SYS_writev, SYS_sendmsg, SYS_close, SYS_lseek, SYS_fstat,
  SYS_ftruncate, SYS_fcntl, SYS_memfd_create, SYS_mmap, SYS_munmap, SYS_mprotect, SYS_mremap,
  SYS_madvise, SYS_brk, SYS_futex, SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn,
  SYS_sigaltstack, SYS_restart_syscall, SYS_exit, SYS_exit_group, SYS_getpid, SYS_gettid,
  SYS_clock_gettime, SYS_clock_nanosleep, SYS_getrandom, SYS_getrusage, SYS_sched_yield,
  SYS_sched_getaffinity, SYS_sysinfo, SYS_uname, SYS_set_robust_list, SYS_rseq, SYS_ppoll,
#ifdef SYS_poll
  SYS_poll,
#endif
#ifdef SYS_arch_prctl
  SYS_arch_prctl,
#endif
};

// System calls that fontconfig and FreeType require to find and open a font.
static const int reading[] = {
  SYS_newfstatat, SYS_statx, SYS_faccessat, SYS_faccessat2, SYS_readlinkat, SYS_getdents64,
  SYS_fstatfs, SYS_statfs, SYS_fadvise64,
#ifdef SYS_access
  SYS_access, SYS_readlink, SYS_stat, SYS_lstat,
#endif
};

#define REFUSE(code) (SECCOMP_RET_ERRNO | (code))
#define COUNT(list) (sizeof(list) / sizeof *(list))
#define ARGUMENT(k) (offsetof(struct seccomp_data, args) + 8 * (k))

typedef struct {
  struct sock_filter steps[160];
  unsigned short count;
} program;

static void put(program *p, unsigned short code, unsigned char yes, unsigned char no, unsigned k) {
  p->steps[p->count++] = (struct sock_filter){code, yes, no, k};
}
static void load(program *p, unsigned offset) { put(p, BPF_LD | BPF_W | BPF_ABS, 0, 0, offset); }
static void answer(program *p, unsigned what) { put(p, BPF_RET | BPF_K, 0, 0, what); }
static void allow(program *p, int call) {
  put(p, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, (unsigned)call);
  answer(p, SECCOMP_RET_ALLOW);
}
/// Allows a call if the masked bits of an argument equal `wanted`.
static void allow_if(program *p, int call, int argument, unsigned mask, unsigned wanted) {
  put(p, BPF_JMP | BPF_JEQ | BPF_K, 0, 5, (unsigned)call);
  load(p, ARGUMENT(argument));
  put(p, BPF_ALU | BPF_AND | BPF_K, 0, 0, mask);
  put(p, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, wanted);
  answer(p, SECCOMP_RET_ALLOW);
  answer(p, REFUSE(EPERM));
}

int scene_confine_calls(int opens) {
#ifdef MACHINE
  program p = {.count = 0};
  load(&p, offsetof(struct seccomp_data, arch));
  put(&p, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, MACHINE);
  answer(&p, REFUSE(ENOSYS));
  load(&p, offsetof(struct seccomp_data, nr));
  for (size_t k = 0; k < COUNT(always); k++) allow(&p, always[k]);
  // The process may send signals only to itself, which abort requires.
  allow_if(&p, SYS_tgkill, 0, ~0u, (unsigned)getpid());
  if (opens) {
    for (size_t k = 0; k < COUNT(reading); k++) allow(&p, reading[k]);
    allow_if(&p, SYS_openat, 2, O_ACCMODE | O_CREAT | O_TRUNC, O_RDONLY);
    // Pango starts a thread. A new process would lack this flag.
    allow_if(&p, SYS_clone, 0, CLONE_THREAD, CLONE_THREAD);
  }
  // The flags of clone3 are not accessible to the filter; the C library falls back to clone.
  put(&p, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, SYS_clone3);
  answer(&p, REFUSE(ENOSYS));
  answer(&p, REFUSE(EPERM));
  struct sock_fprog filter = {p.count, p.steps};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
#else
  (void)opens;
  return -1;
#endif
}

int scene_refused_fences(void) {
  int refused = scene_has_landlock() ? 0 : 2;
  // Other threads may be running, so the child process only makes system calls.
  pid_t child = fork();
  if (child == 0) _exit(scene_confine_calls(0) != 0);
  int status = 0;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  if (child > 0 && WIFEXITED(status) && WEXITSTATUS(status) != 0) refused |= 1;
  return refused;
}
