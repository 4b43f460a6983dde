// SPDX-License-Identifier: MIT
#ifndef SCENE_CRESOURCES_H
#define SCENE_CRESOURCES_H
#include <stddef.h>
#include <stdint.h>

// Repository files that are embedded in the programs. `#embed` compiles them almost instantly,
// whereas the array literals that Swift Package Manager generates for `embedInCode` took a fifth of
// a complete build.

/// A file with its name, without its folder.
typedef struct {
  const char *name;
  const uint8_t *bytes;
  size_t count;
} scene_resource;

/// The files of a folder.
typedef struct __attribute__((swift_attr("safe"))) {
  const scene_resource *files;
  size_t count;
} scene_resources;

/// The components of `std/…`.
extern const scene_resources scene_std;
/// The manual pages.
extern const scene_resources scene_manual;
/// The JSON Schemas of machine-readable output.
extern const scene_resources scene_schemas;
/// The templates of `scenec new` and the files that they use.
extern const scene_resources scene_templates;
/// The page of the preview.
extern const scene_resources scene_page;
/// The character references of HTML.
extern const scene_resources scene_references;

#define RESOURCE(bytes, name) {name, bytes, sizeof bytes}
#define RESOURCES(files) {files, sizeof files / sizeof *files}
#endif
