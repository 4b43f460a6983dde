// SPDX-License-Identifier: MIT
#include "resources.h"

// Clang supports `#embed` in all C standards and warns in those before C23.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t callouts_scene[] = {
#embed "../../Language/SceneLibrary/std/callouts.scene"
};

static const uint8_t cards_scene[] = {
#embed "../../Language/SceneLibrary/std/cards.scene"
};

static const uint8_t charts_scene[] = {
#embed "../../Language/SceneLibrary/std/charts.scene"
};

static const uint8_t easings_scene[] = {
#embed "../../Language/SceneLibrary/std/easings.scene"
};

static const uint8_t effects_scene[] = {
#embed "../../Language/SceneLibrary/std/effects.scene"
};

static const uint8_t frames_scene[] = {
#embed "../../Language/SceneLibrary/std/frames.scene"
};

static const uint8_t gl_transitions_scene[] = {
#embed "../../Language/SceneLibrary/std/gl-transitions.scene"
};

static const uint8_t maps_scene[] = {
#embed "../../Language/SceneLibrary/std/maps.scene"
};

static const uint8_t math_scene[] = {
#embed "../../Language/SceneLibrary/std/math.scene"
};

static const uint8_t motion_scene[] = {
#embed "../../Language/SceneLibrary/std/motion.scene"
};

static const uint8_t numbers_scene[] = {
#embed "../../Language/SceneLibrary/std/numbers.scene"
};

static const uint8_t particles_scene[] = {
#embed "../../Language/SceneLibrary/std/particles.scene"
};

static const uint8_t pixels_scene[] = {
#embed "../../Language/SceneLibrary/std/pixels.scene"
};

static const uint8_t plot_scene[] = {
#embed "../../Language/SceneLibrary/std/plot.scene"
};

static const uint8_t sound_scene[] = {
#embed "../../Language/SceneLibrary/std/sound.scene"
};

static const uint8_t themes_scene[] = {
#embed "../../Language/SceneLibrary/std/themes.scene"
};

static const uint8_t titles_scene[] = {
#embed "../../Language/SceneLibrary/std/titles.scene"
};

static const uint8_t transitions_scene[] = {
#embed "../../Language/SceneLibrary/std/transitions.scene"
};

static const scene_resource files[] = {
  RESOURCE(callouts_scene, "callouts.scene"),
  RESOURCE(cards_scene, "cards.scene"),
  RESOURCE(charts_scene, "charts.scene"),
  RESOURCE(easings_scene, "easings.scene"),
  RESOURCE(effects_scene, "effects.scene"),
  RESOURCE(frames_scene, "frames.scene"),
  RESOURCE(gl_transitions_scene, "gl-transitions.scene"),
  RESOURCE(maps_scene, "maps.scene"),
  RESOURCE(math_scene, "math.scene"),
  RESOURCE(motion_scene, "motion.scene"),
  RESOURCE(numbers_scene, "numbers.scene"),
  RESOURCE(particles_scene, "particles.scene"),
  RESOURCE(pixels_scene, "pixels.scene"),
  RESOURCE(plot_scene, "plot.scene"),
  RESOURCE(sound_scene, "sound.scene"),
  RESOURCE(themes_scene, "themes.scene"),
  RESOURCE(titles_scene, "titles.scene"),
  RESOURCE(transitions_scene, "transitions.scene"),
};

const scene_resources scene_std = RESOURCES(files);
