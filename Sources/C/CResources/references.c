// SPDX-License-Identifier: MIT
#include "resources.h"

static const uint8_t references_txt[] = {
#embed "../../Film/SceneModel/references.txt"
};

static const scene_resource files[] = {
  RESOURCE(references_txt, "references.txt"),
};

const scene_resources scene_references = RESOURCES(files);
