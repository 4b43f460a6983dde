// SPDX-License-Identifier: MIT
#ifndef SCENE_CHIGHLIGHT_H
#define SCENE_CHIGHLIGHT_H

// Sources of programs in pieces, by GNU Source-highlight. Each thread prepares a language and reads what came of
// its own call, so that no pointer goes across.

// Safe to call: what such a function is given are plain values and texts.
#define SCENE_SAFE __attribute__((swift_attr("safe")))

#ifdef __cplusplus
extern "C" {
#endif

enum {
  SCENE_CODE_PLAIN, SCENE_CODE_KEYWORD, SCENE_CODE_TYPE, SCENE_CODE_FUNCTION, SCENE_CODE_STRING,
  SCENE_CODE_NUMBER, SCENE_CODE_COMMENT, SCENE_CODE_SYMBOL, SCENE_CODE_VARIABLE, SCENE_CODE_META
};

// Begins a language by a file of definitions in a folder; both may be empty. What is added counts before the file.
SCENE_SAFE void scene_code_begin(const char *folder, const char *file);
// Words between blanks.
SCENE_SAFE void scene_code_words(int kind, const char *words);
// What a regular expression matches, within a line.
SCENE_SAFE void scene_code_pattern(int kind, const char *pattern);
// From one expression to another, over any number of lines; with escapes, what follows a backslash ends nothing.
SCENE_SAFE void scene_code_block(int kind, const char *start, const char *end, int has_escapes, int is_nested);

enum { SCENE_CODE_DONE, SCENE_CODE_NO_DEFINITION, SCENE_CODE_TOO_MUCH };
// Cuts a text into pieces, which cover it. Lines over `longest` bytes are plain.
SCENE_SAFE int scene_code_run(const char *text, int longest);

int scene_code_count(void);
int scene_code_kind(int piece);
// In bytes.
int scene_code_length(int piece);

#ifdef __cplusplus
}
#endif
#endif
