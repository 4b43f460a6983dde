// SPDX-License-Identifier: MIT
#pragma once
#include <json-c/json.h>
#include <string.h>

// Safe to call: the owner keeps all objects alive that are passed in addition to plain values and
// strings. The function validates indices and frees nothing.
#define SCENE_SAFE __attribute__((swift_attr("safe")))

// Parses a complete text into a value; returns NULL if it is invalid or nested deeper than `depth`
// levels.
static inline json_object *scene_json_parse(const void *text, size_t count, int depth, int *isRight) {
  const char *bytes = text;
  *isRight = 0;
  if (count > 0x7fffffff) return NULL;
  json_tokener *tokener = json_tokener_new_ex(depth);
  if (!tokener) return NULL;
  json_object *it = json_tokener_parse_ex(tokener, bytes, (int)count);
  // A number at the end of the text might continue.
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

// Returns the name at a position of an object and its value, and advances the position; NULL after
// the last.
static inline const char *scene_json_next(
    json_object *object, struct json_object_iterator *at, json_object **value) {
  struct json_object_iterator end = json_object_iter_end(object);
  if (json_object_iter_equal(at, &end)) return NULL;
  const char *name = json_object_iter_peek_name(at);
  *value = json_object_iter_peek_value(at);
  json_object_iter_next(at);
  return name;
}

// Library functions to which SCENE_SAFE also applies.
#define SCENE_ALSO(function) extern __typeof__(function) function SCENE_SAFE
SCENE_ALSO(json_object_array_length);
SCENE_ALSO(json_object_get_boolean);
SCENE_ALSO(json_object_get_double);
SCENE_ALSO(json_object_get_int64);
SCENE_ALSO(json_object_get_string_len);
SCENE_ALSO(json_object_get_type);
SCENE_ALSO(json_object_new_array);
SCENE_ALSO(json_object_new_boolean);
SCENE_ALSO(json_object_new_double);
SCENE_ALSO(json_object_new_int64);
SCENE_ALSO(json_object_new_object);
#undef SCENE_ALSO
