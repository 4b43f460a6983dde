// SPDX-License-Identifier: MIT
#pragma once
#include <json-c/json.h>
#include <string.h>

// A value out of a whole text, or NULL; `depth` levels may stand in each other.
static inline json_object *scene_json_parse(const char *bytes, size_t count, int depth, int *isRight) {
  *isRight = 0;
  if (count > 0x7fffffff) return NULL;
  json_tokener *tokener = json_tokener_new_ex(depth);
  if (!tokener) return NULL;
  json_object *it = json_tokener_parse_ex(tokener, bytes, (int)count);
  // A number at the very end may go on.
  size_t end = json_tokener_get_parse_end(tokener);
  if (json_tokener_get_error(tokener) == json_tokener_continue) {
    it = json_tokener_parse_ex(tokener, "", 1);
    end = count;
  }
  *isRight = json_tokener_get_error(tokener) == json_tokener_success;
  for (size_t i = end; *isRight && i < count; i++)
    if (!memchr(" \t\r\n", bytes[i], 4)) *isRight = 0;
  json_tokener_free(tokener);
  if (*isRight) return it;
  if (it) json_object_put(it);
  return NULL;
}
