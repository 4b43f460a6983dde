// SPDX-License-Identifier: MIT
#include "resources.h"

// Clang supports `#embed` in all C standards and warns in those before C23.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t check_json[] = {
#embed "../../../Grammar/schemas/check.json"
};

static const uint8_t diff_json[] = {
#embed "../../../Grammar/schemas/diff.json"
};

static const uint8_t plan_json[] = {
#embed "../../../Grammar/schemas/plan.json"
};

static const uint8_t test_json[] = {
#embed "../../../Grammar/schemas/test.json"
};

static const uint8_t timeline_json[] = {
#embed "../../../Grammar/schemas/timeline.json"
};

static const scene_resource files[] = {
  RESOURCE(check_json, "check.json"),
  RESOURCE(diff_json, "diff.json"),
  RESOURCE(plan_json, "plan.json"),
  RESOURCE(test_json, "test.json"),
  RESOURCE(timeline_json, "timeline.json"),
};

const scene_resources scene_schemas = RESOURCES(files);
