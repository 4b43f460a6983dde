// SPDX-License-Identifier: MIT
#ifndef SCENE_CPROCESS_H
#define SCENE_CPROCESS_H
#include <spawn.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// What Swift cannot say of processes: messages with descriptors, fork, and the kernel's fences.

/// Initializes attributes of a new process in which no signal is blocked, ignored, or handled. `flags` are
/// further ones of `posix_spawnattr_setflags`. The caller destroys the attributes.
void scene_spawn_attributes(posix_spawnattr_t *attributes, short flags);

/// Starts the program at `path` with up to two arguments, which may be NULL, with one end of a socket as
/// its descriptor 0, and nothing else of this process open. Gives the other end, or -1 with `errno`.
typedef struct { int socket; pid_t process; } scene_helper;
scene_helper scene_start_helper(const char *path, const char *first, const char *second)
    __attribute__((swift_attr("safe")));

/// The same with any words, one after the other with a zero behind each; the first is the program.
scene_helper scene_start_words(const char *words, int count);

/// Sends all bytes, a descriptor with the first where `fd` is not -1. 0 when they went.
int scene_send(int socket, const void *bytes, size_t count, int fd);

/// Sends what goes without waiting; how many bytes that were, or -1 with `errno`.
ssize_t scene_send_some(int socket, const void *bytes, size_t count);

/// Lets this process write a sentence to standard error before a crash ends it.
void scene_report_crashes(void) __attribute__((swift_attr("safe")));

/// Waits until a child has ended.
void scene_wait_for(pid_t pid);
/// The same; how it ended: its exit status, or the negative number of a signal.
int scene_wait_status(pid_t pid) __attribute__((swift_attr("safe")));

/// Takes as many bytes as are asked for, and the descriptor that may come with the first, or none
/// where `fd` is NULL. 0 when they came.
int scene_receive(int socket, void *bytes, size_t count, int *fd);

/// A file without a name, in memory; -1 with `errno` when the system has none left.
int scene_memory_file(const char *label) __attribute__((swift_attr("safe")));
/// Nobody can change its length any more, nor its content.
void scene_seal(int fd);
/// Nobody can change its length any more.
void scene_seal_length(int fd);
/// Gives the memory of a part back, which then reads as zeros.
void scene_empty(int fd, size_t offset, size_t count);

/// Two ends of a socket, or -1 for both with `errno`.
typedef struct { int own, other; } scene_ends;
scene_ends scene_socket_pair(void);

/// Ends both directions of a socket that others still hold.
void scene_shut(int socket) __attribute__((swift_attr("safe")));

/// A descriptor that stands for a process even when its number is used again; -1 when it has gone.
int scene_process_file(pid_t pid);
/// Ends that process.
void scene_end_process(int file);
/// Seconds of CPU that a process has taken.
double scene_process_seconds(pid_t pid);
/// Bytes of memory that a process has; 0 when it has gone.
long scene_process_memory(pid_t pid);

/// How the child of a fork ended.
typedef struct {
  int signal;  // 0 when it ended by itself
  int status;  // which it then gave
  double cpu;  // seconds
} scene_end;

/// All memory of this process comes from one heap.
void scene_one_heap(void);
pid_t scene_fork(void);
/// A child that has ended.
typedef struct {
  pid_t pid;   // 0 when there is none
  int signal;  // 0 when it ended by itself
} scene_death;

/// Buries a child that has ended, so that what it took is counted.
scene_death scene_bury(void);
/// Ends and buries the children of a process that leads a group.
void scene_end_children(void);
/// Waits for a child, and ends it when it has taken so many seconds of CPU.
scene_end scene_wait(pid_t pid, double seconds);

/// Limits of this process from here on: address space beyond what it has now, and seconds of CPU,
/// where 0 is without limit.
void scene_limit(size_t bytes, unsigned seconds);

/// Ends this process as soon as the other end of the socket closes.
void scene_end_with(int socket);

/// Lets this process open files under these folders only, for reading. The kernel may lack it.
void scene_confine_files(const char *const *folders, size_t count);

/// Whether the kernel can do that.
int scene_has_landlock(void);

/// The fences that the kernel refuses: 1 for those of `scene_confine_calls`, 2 for those of
/// `scene_confine_files`. A child tries the first.
int scene_refused_fences(void);

/// Fences the process off: no network, no new programs, no signals to others, nothing written; with
/// `opens`, files may be opened for reading. Answers 0 where the kernel does as asked.
int scene_confine_calls(int opens);
#endif
