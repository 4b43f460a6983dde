// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "process.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

// Disables gdk-pixbuf modules and runs filters on one thread, which reduces third-party code and
// makes the result deterministic.
static char *additions[] = {"GDK_PIXBUF_MODULE_FILE=/dev/null", "RAYON_NUM_THREADS=1", "G_SLICE=always-malloc"};

/// Returns whether an environment variable overrides the location of a git repository. Git sets
/// such variables for its hooks.
static int is_place_of_git(const char *variable) {
  static const char *const names[] = {
      "GIT_DIR=", "GIT_WORK_TREE=", "GIT_INDEX_FILE=", "GIT_PREFIX=", "GIT_COMMON_DIR=", "GIT_OBJECT_DIRECTORY=",
      "GIT_ALTERNATE_OBJECT_DIRECTORIES=", "GIT_IMPLICIT_WORK_TREE=", "GIT_GRAFT_FILE=", "GIT_SHALLOW_FILE="};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strncmp(variable, names[i], strlen(names[i])) == 0) return 1;
  return 0;
}

static char **environment(void) {
  size_t count = 0, own = sizeof additions / sizeof *additions;
  while (environ[count]) count++;
  char **list = calloc(count + own + 1, sizeof *list);
  if (!list) return NULL;
  memcpy(list, additions, sizeof additions);
  for (char **variable = environ; *variable; variable++)
    if (!is_place_of_git(*variable)) list[own++] = *variable;
  return list;
}

void scene_spawn_attributes(posix_spawnattr_t *attributes, short flags) {
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_init(attributes);
  posix_spawnattr_setsigmask(attributes, &none);
  posix_spawnattr_setsigdefault(attributes, &all);
  posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | flags);
}

static scene_helper start_with_socket(char *const *arguments);

scene_helper scene_start_helper(const char *path, const char *first, const char *second) {
  char *arguments[] = {(char *)path, (char *)first, (char *)second, NULL};
  return start_with_socket(arguments);
}

scene_helper scene_start_words(const char *words, int count) {
  char **arguments = calloc((size_t)count + 1, sizeof *arguments);
  if (!arguments) return (scene_helper){-1, 0};
  for (int i = 0; i < count; i++, words += strlen(words) + 1) arguments[i] = (char *)words;
  scene_helper made = start_with_socket(arguments);
  free(arguments);
  return made;
}

pid_t scene_start_writing(const char *words, int count, int output, int errors) {
  char **arguments = calloc((size_t)count + 1, sizeof *arguments);
  if (!arguments) return -1;
  for (int i = 0; i < count; i++, words += strlen(words) + 1) arguments[i] = (char *)words;
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  // The descriptors may be below 3, so they are moved out of the way first.
  int high[] = {fcntl(output, F_DUPFD_CLOEXEC, 10), fcntl(errors, F_DUPFD_CLOEXEC, 10)};
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, high[0], 1);
  posix_spawn_file_actions_adddup2(&actions, high[1], 2);
  posix_spawn_file_actions_addclosefrom_np(&actions, 3);
  scene_spawn_attributes(&attributes, 0);
  pid_t process = 0;
  char **list = environment();
  int code = list ? posix_spawnp(&process, arguments[0], &actions, &attributes, arguments, list) : ENOMEM;
  free(list);
  free(arguments);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  for (int i = 0; i < 2; i++) close(high[i]);
  if (code == 0) return process;
  errno = code;
  return -1;
}

static scene_helper start_with_socket(char *const *arguments) {
  const char *path = arguments[0];
  int ends[2];
  pid_t process = 0;
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return (scene_helper){-1, 0};
  // A large buffer transfers images in fewer pieces.
  int room = 1 << 20;
  setsockopt(ends[1], SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  posix_spawn_file_actions_addclosefrom_np(&actions, 3);
  // Signals of the terminal must reach only scenec, which ends its helper by closing the socket.
  scene_spawn_attributes(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  char **list = environment();
  int code = list ? posix_spawn(&process, path, &actions, &attributes, arguments, list) : ENOMEM;
  free(list);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  close(ends[1]);
  if (code == 0) return (scene_helper){ends[0], process};
  close(ends[0]);
  errno = code;
  return (scene_helper){-1, 0};
}

typedef union {
  char bytes[CMSG_SPACE(sizeof(int))];
  struct cmsghdr align;
} control;

int scene_send(int socket, const void *bytes, size_t count, int fd) {
  const char *at = bytes;
  while (count > 0) {
    struct iovec part = {(void *)at, count};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    control space = {{0}};
    if (fd >= 0) {
      message.msg_control = space.bytes;
      message.msg_controllen = sizeof space.bytes;
      struct cmsghdr *head = CMSG_FIRSTHDR(&message);
      head->cmsg_level = SOL_SOCKET;
      head->cmsg_type = SCM_RIGHTS;
      head->cmsg_len = CMSG_LEN(sizeof fd);
      memcpy(CMSG_DATA(head), &fd, sizeof fd);
    }
    ssize_t sent = sendmsg(socket, &message, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return -1;
    fd = -1;
    at += sent;
    count -= (size_t)sent;
  }
  return 0;
}

// Receives a part of the bytes, with a descriptor if one is attached and none has been received
// yet.
static ssize_t take(int socket, void *bytes, size_t count, int *fd) {
  // A sandboxed process may read but must not receive descriptors.
  if (!fd) return read(socket, bytes, count);
  struct iovec part = {bytes, count};
  control space;
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1,
    .msg_control = space.bytes, .msg_controllen = sizeof space.bytes};
  ssize_t got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  struct cmsghdr *head = got > 0 ? CMSG_FIRSTHDR(&message) : NULL;
  if (head && head->cmsg_level == SOL_SOCKET && head->cmsg_type == SCM_RIGHTS
      && head->cmsg_len == CMSG_LEN(sizeof *fd) && *fd < 0)
    memcpy(fd, CMSG_DATA(head), sizeof *fd);
  return got;
}

int scene_receive(int socket, void *bytes, size_t count, int *fd) {
  char *at = bytes;
  if (fd) *fd = -1;
  while (count > 0) {
    ssize_t got = take(socket, at, count, fd);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return -1;
    at += got;
    count -= (size_t)got;
  }
  return 0;
}

int scene_memory_file(const char *label) { return memfd_create(label, MFD_CLOEXEC | MFD_ALLOW_SEALING); }

void scene_seal(int fd) { fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL); }

void scene_seal_length(int fd) { fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL); }

void scene_empty(int fd, size_t offset, size_t count) {
  (void)!fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)offset, (off_t)count);
}

scene_ends scene_socket_pair(void) {
  int ends[2] = {-1, -1};
  (void)!socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends);
  return (scene_ends){ends[0], ends[1]};
}

void scene_shut(int socket) { shutdown(socket, SHUT_RDWR); }

ssize_t scene_send_some(int socket, const void *bytes, size_t count) {
  return send(socket, bytes, count, MSG_DONTWAIT | MSG_NOSIGNAL);
}

int scene_wait_status(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0) {
    if (errno != EINTR) return -1;
  }
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

void scene_wait_for(pid_t pid) {
  while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {}
}
