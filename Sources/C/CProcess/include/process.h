// SPDX-License-Identifier: MIT
#ifndef SCENE_CPROCESS_H
#define SCENE_CPROCESS_H
#include <spawn.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Process features that Swift cannot express: messages with descriptors, fork, and the sandbox.

/// Initializes attributes of a new process in which no signal is blocked, ignored or handled.
/// `flags` are additional flags for `posix_spawnattr_setflags`. The caller destroys the attributes.
void scene_spawn_attributes(posix_spawnattr_t *attributes, short flags);

/// Starts the program at `path` with up to two arguments, which may be NULL. Its descriptor 0 is
/// one end of a socket; it inherits no other descriptors. Returns the other end, or -1 and sets
/// `errno`.
typedef struct { int socket; pid_t process; } scene_helper;
scene_helper scene_start_helper(const char *path, const char *first, const char *second)
    __attribute__((swift_attr("safe")));

/// Starts a program with null-terminated words. The first word is the program.
scene_helper scene_start_words(const char *words, int count);

/// Starts a program of the search path with null-terminated words, of which the first is its name. It reads
/// nothing and writes to two descriptors. Returns the process, or -1 and sets `errno`.
pid_t scene_start_writing(const char *words, int count, int output, int errors);

/// Sends all bytes, and a descriptor with the first byte if `fd` is not -1. Returns 0 on success.
int scene_send(int socket, const void *bytes, size_t count, int fd);

/// Sends as many bytes as possible without blocking; returns their number, or -1 and sets `errno`.
ssize_t scene_send_some(int socket, const void *bytes, size_t count);

/// Makes this process print an error message to standard error before a crash ends it.
void scene_report_crashes(void) __attribute__((swift_attr("safe")));

/// Waits until a child process has ended.
void scene_wait_for(pid_t pid);
/// Waits until a child process has ended and returns its exit status, or the negated number of a
/// signal.
int scene_wait_status(pid_t pid) __attribute__((swift_attr("safe")));

/// Receives exactly `count` bytes, and a descriptor that may be attached to the first byte, unless
/// `fd` is NULL. Returns 0 on success.
int scene_receive(int socket, void *bytes, size_t count, int *fd);

/// Creates an unnamed file in memory; returns -1 and sets `errno` on failure.
int scene_memory_file(const char *label) __attribute__((swift_attr("safe")));
/// Makes the content and length of a file immutable.
void scene_seal(int fd);
/// Makes the length of a file immutable.
void scene_seal_length(int fd);
/// Returns the memory of a range to the system. The range then reads as zeros.
void scene_empty(int fd, size_t offset, size_t count);

/// Creates a socket pair; both ends are -1 on failure, with `errno` set.
typedef struct { int own, other; } scene_ends;
scene_ends scene_socket_pair(void);

/// Shuts down both directions of a socket that other processes may still hold.
void scene_shut(int socket) __attribute__((swift_attr("safe")));

/// Returns a descriptor that refers to the same process even if its process number is reused; -1 if
/// the process has ended.
int scene_process_file(pid_t pid);
/// Kills the process to which a descriptor refers.
void scene_end_process(int file);
/// Returns the CPU time of a process in seconds.
double scene_process_seconds(pid_t pid);
/// Returns the memory of a process in bytes; 0 if it has ended.
long scene_process_memory(pid_t pid);

/// The result of a child process.
typedef struct {
  int signal;  // 0 unless a signal ended it
  int status;  // the exit status
  double cpu;  // in seconds
} scene_end;

/// Makes this process allocate all its memory from one heap.
void scene_one_heap(void);
pid_t scene_fork(void);
/// A child process that has ended.
typedef struct {
  pid_t pid;   // 0 if there is none
  int signal;  // 0 unless a signal ended it
  int status;  // The exit status if no signal ended it
} scene_death;

/// Reaps a child process that has ended.
scene_death scene_bury(void);
/// Kills and reaps the child processes of a process group leader.
void scene_end_children(void);
/// Waits for a child process, and kills it when it exceeds a CPU time in seconds.
scene_end scene_wait(pid_t pid, double seconds);

/// Limits this process from now on, to `bytes` of address space in addition to the current size and
/// to a CPU time in seconds, where 0 means no limit.
void scene_limit(size_t bytes, unsigned seconds);

/// Makes this process exit as soon as the other end of the socket closes.
void scene_end_with(int socket);

/// Restricts file access of this process to reading below some folders, if the kernel supports it.
void scene_confine_files(const char *const *folders, size_t count);

/// Returns whether the kernel supports Landlock.
int scene_has_landlock(void);

/// Returns the sandbox features that the kernel lacks: 1 for those of `scene_confine_calls`, 2 for
/// those of `scene_confine_files`. A child process tries the former.
int scene_refused_fences(void);

/// Sandboxes the process: no network, no new programs, no signals to others, no writing to files.
/// With `opens`, files may be opened for reading. Returns 0 if the kernel supports it.
int scene_confine_calls(int opens);
#endif
