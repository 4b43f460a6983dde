// SPDX-License-Identifier: MIT
#include "resources.h"

// Clang supports `#embed` in all C standards and warns in those before C23.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t references_txt[] = {
#embed "../../Film/SceneModel/references.txt"
};

static const scene_resource files[] = {
  RESOURCE(references_txt, "references.txt"),
};

const scene_resources scene_references = RESOURCES(files);
