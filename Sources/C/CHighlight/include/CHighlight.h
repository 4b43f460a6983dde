// SPDX-License-Identifier: MIT
#ifndef SCENE_CHIGHLIGHT_H
#define SCENE_CHIGHLIGHT_H

// Syntax highlighting with GNU Source-highlight. Each thread prepares a language and reads the
// result of its own call, so no pointers are exchanged.

// Safe to call: the arguments are plain values and strings.
#define SCENE_SAFE __attribute__((swift_attr("safe")))

#ifdef __cplusplus
extern "C" {
#endif

enum {
  SCENE_CODE_PLAIN, SCENE_CODE_KEYWORD, SCENE_CODE_TYPE, SCENE_CODE_FUNCTION, SCENE_CODE_STRING,
  SCENE_CODE_NUMBER, SCENE_CODE_COMMENT, SCENE_CODE_SYMBOL, SCENE_CODE_VARIABLE, SCENE_CODE_META
};

// Starts a language with a definition file in a folder; both may be empty. Added rules take
// precedence over the file.
SCENE_SAFE void scene_code_begin(const char *folder, const char *file);
// Adds words separated by spaces.
SCENE_SAFE void scene_code_words(int kind, const char *words);
// Adds a regular expression, matched within a line.
SCENE_SAFE void scene_code_pattern(int kind, const char *pattern);
// Adds a block from one expression to another, across lines. With escapes, a character after a
// backslash does not end it.
SCENE_SAFE void scene_code_block(int kind, const char *start, const char *end, int has_escapes, int is_nested);

enum { SCENE_CODE_DONE, SCENE_CODE_NO_DEFINITION, SCENE_CODE_TOO_MUCH };
// Divides a text into pieces that cover it. Lines longer than `longest` bytes are plain.
SCENE_SAFE int scene_code_run(const char *text, int longest);

int scene_code_count(void);
int scene_code_kind(int piece);
// Returns the length of a piece in bytes.
int scene_code_length(int piece);

#ifdef __cplusplus
}
#endif
#endif
