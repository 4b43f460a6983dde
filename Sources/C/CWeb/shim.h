// SPDX-License-Identifier: MIT
#ifndef SCENE_CWEB_H
#define SCENE_CWEB_H
#include <libwebsockets.h>
#include <zlib.h>

// Safe to call: the owner keeps all objects alive that are passed in addition to plain values and
// strings. The function validates indices and frees nothing.
#define SCENE_SAFE __attribute__((swift_attr("safe")))

// The limits of connections.
typedef struct { int connections, headerBytes, seconds, pingSeconds, hangUpSeconds; } scene_web_limits;

// Data that must not move while the server runs.
typedef struct {
  struct lws_protocols protocols[3];
  lws_retry_bo_t idle;
} scene_web_tables;

// Starts a server on 127.0.0.1; returns NULL if the port is in use. The first protocol is HTTP, the
// second that of sockets.
static inline struct lws_context *scene_web_start(
    scene_web_tables *tables, int port, const char *protocol, lws_callback_function *callback, void *user,
    scene_web_limits limits) {
  memset(tables, 0, sizeof *tables);
  for (int i = 0; i < 2; i++) {
    tables->protocols[i].name = i ? protocol : "http";
    tables->protocols[i].callback = callback;
    tables->protocols[i].rx_buffer_size = 8192;
    // A message is sent in one piece if the socket accepts it.
    tables->protocols[i].tx_packet_size = 16 << 20;
  }
  tables->idle.secs_since_valid_ping = (uint16_t)limits.pingSeconds;
  tables->idle.secs_since_valid_hangup = (uint16_t)limits.hangUpSeconds;
  struct lws_context_creation_info info;
  memset(&info, 0, sizeof info);
  info.port = port;
  info.iface = "127.0.0.1";
  info.protocols = tables->protocols;
  info.retry_and_idle_policy = &tables->idle;
  info.gid = info.uid = (unsigned)-1;
  info.user = user;
  info.server_string = "scenec";
  info.max_http_header_data = (unsigned short)limits.headerBytes;
  info.timeout_secs = info.timeout_secs_ah_idle = (unsigned)limits.seconds;
  info.keepalive_timeout = limits.seconds;
  // In addition to connections there are a pipe and the listening socket.
  info.fd_limit_per_thread = (unsigned)limits.connections + 16;
  info.options = LWS_SERVER_OPTION_VALIDATE_UTF8 | LWS_SERVER_OPTION_DISABLE_IPV6 |
                 LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND | LWS_SERVER_OPTION_DISABLE_OS_CA_CERTS;
  lws_set_log_level(0, NULL);
  return lws_create_context(&info);
}

// Sends the status and header of a response. `fields` contains for each field a name with its colon
// and a value, both null-terminated. Returns 0 on success.
static inline int scene_web_head(
    struct lws *connection, unsigned status, const unsigned char *fields, size_t count, long long length) {
  unsigned char head[LWS_PRE + 4096], *start = head + LWS_PRE, *p = start, *end = head + sizeof head;
  if (lws_add_http_header_status(connection, status, &p, end)) return 1;
  for (const unsigned char *at = fields; at < fields + count;) {
    const unsigned char *value = at + strlen((const char *)at) + 1;
    int size = (int)strlen((const char *)value);
    if (lws_add_http_header_by_name(connection, at, value, size, &p, end)) return 1;
    at = value + size + 1;
  }
  if (lws_add_http_header_content_length(connection, (lws_filepos_t)length, &p, end)) return 1;
  return lws_finalize_write_http_header(connection, start, &p, end);
}

// Functions that return the method and the path of a request. The path is copied to `to`, and its
// length is returned.
SCENE_SAFE static inline int scene_web_method(struct lws *connection) {
  char *path;
  int length;
  return lws_http_get_uri_and_method(connection, &path, &length);
}
static inline int scene_web_path(struct lws *connection, char *to, int room) {
  char *path = NULL;
  int length = 0;
  lws_http_get_uri_and_method(connection, &path, &length);
  if (!path || length < 0 || length > room) return 0;
  if (to) memcpy(to, path, (size_t)length);
  return length;
}
SCENE_SAFE static inline int scene_web_path_length(struct lws *connection) { return scene_web_path(connection, NULL, 1 << 30); }
SCENE_SAFE static inline void scene_web_close(struct lws *connection, enum lws_close_status reason) {
  lws_close_reason(connection, reason, NULL, 0);
}

// Compresses bytes to the gzip format; returns the number of bytes, or 0 if `room` is insufficient.
static inline size_t scene_web_gzip(const unsigned char *bytes, size_t count, unsigned char *to, size_t room) {
  z_stream s = {.next_in = (unsigned char *)bytes, .avail_in = (uInt)count, .next_out = to, .avail_out = (uInt)room};
  if (deflateInit2(&s, 9, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY) != Z_OK) return 0;
  size_t written = deflate(&s, Z_FINISH) == Z_STREAM_END ? s.total_out : 0;
  deflateEnd(&s);
  return written;
}

enum { scene_web_pre = LWS_PRE };

// Library functions to which SCENE_SAFE also applies.
#define SCENE_ALSO(function) extern __typeof__(function) function SCENE_SAFE
SCENE_ALSO(lws_callback_on_writable);
SCENE_ALSO(lws_cancel_service);
SCENE_ALSO(lws_frame_is_binary);
SCENE_ALSO(lws_hdr_fragment_length);
SCENE_ALSO(lws_hdr_total_length);
SCENE_ALSO(lws_http_transaction_completed);
SCENE_ALSO(lws_is_final_fragment);
SCENE_ALSO(lws_remaining_packet_payload);
SCENE_ALSO(lws_service);
SCENE_ALSO(lws_set_timeout);
#undef SCENE_ALSO
#endif
