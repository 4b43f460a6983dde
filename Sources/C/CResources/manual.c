// SPDX-License-Identifier: MIT
#include "resources.h"

// Clang supports `#embed` in all C standards and warns in those before C23.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t coming_from_md[] = {
#embed "../../Language/SceneLibrary/manual/coming-from.md"
};

static const uint8_t easings_md[] = {
#embed "../../Language/SceneLibrary/manual/easings.md"
};

static const uint8_t elements_md[] = {
#embed "../../Language/SceneLibrary/manual/elements.md"
};

static const uint8_t functions_md[] = {
#embed "../../Language/SceneLibrary/manual/functions.md"
};

static const uint8_t properties_md[] = {
#embed "../../Language/SceneLibrary/manual/properties.md"
};

static const uint8_t recipes_txt[] = {
#embed "../../Language/SceneLibrary/manual/recipes.txt"
};

static const uint8_t topics_md[] = {
#embed "../../Language/SceneLibrary/manual/topics.md"
};

static const uint8_t types_md[] = {
#embed "../../Language/SceneLibrary/manual/types.md"
};

static const uint8_t words_md[] = {
#embed "../../Language/SceneLibrary/manual/words.md"
};

static const scene_resource files[] = {
  RESOURCE(coming_from_md, "coming-from.md"),
  RESOURCE(easings_md, "easings.md"),
  RESOURCE(elements_md, "elements.md"),
  RESOURCE(functions_md, "functions.md"),
  RESOURCE(properties_md, "properties.md"),
  RESOURCE(recipes_txt, "recipes.txt"),
  RESOURCE(topics_md, "topics.md"),
  RESOURCE(types_md, "types.md"),
  RESOURCE(words_md, "words.md"),
};

const scene_resources scene_manual = RESOURCES(files);
