// SPDX-License-Identifier: MIT
#include "resources.h"

// Clang supports `#embed` in all C standards and warns in those before C23.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t captions_scene[] = {
#embed "../../Language/SceneLibrary/templates/captions.scene"
};

static const uint8_t chart_scene[] = {
#embed "../../Language/SceneLibrary/templates/chart.scene"
};

static const uint8_t coast_svg[] = {
#embed "../../Language/SceneLibrary/templates/coast.svg"
};

static const uint8_t code_scene[] = {
#embed "../../Language/SceneLibrary/templates/code.scene"
};

static const uint8_t countdown_scene[] = {
#embed "../../Language/SceneLibrary/templates/countdown.scene"
};

static const uint8_t dunes_svg[] = {
#embed "../../Language/SceneLibrary/templates/dunes.svg"
};

static const uint8_t explainer_scene[] = {
#embed "../../Language/SceneLibrary/templates/explainer.scene"
};

static const uint8_t hello_scene[] = {
#embed "../../Language/SceneLibrary/templates/hello.scene"
};

static const uint8_t hills_svg[] = {
#embed "../../Language/SceneLibrary/templates/hills.svg"
};

static const uint8_t kinetic_scene[] = {
#embed "../../Language/SceneLibrary/templates/kinetic.scene"
};

static const uint8_t logo_scene[] = {
#embed "../../Language/SceneLibrary/templates/logo.scene"
};

static const uint8_t lower_third_scene[] = {
#embed "../../Language/SceneLibrary/templates/lower-third.scene"
};

static const uint8_t podcast_scene[] = {
#embed "../../Language/SceneLibrary/templates/podcast.scene"
};

static const uint8_t quote_scene[] = {
#embed "../../Language/SceneLibrary/templates/quote.scene"
};

static const uint8_t sales_csv[] = {
#embed "../../Language/SceneLibrary/templates/sales.csv"
};

static const uint8_t slides_csv[] = {
#embed "../../Language/SceneLibrary/templates/slides.csv"
};

static const uint8_t slideshow_scene[] = {
#embed "../../Language/SceneLibrary/templates/slideshow.scene"
};

static const uint8_t story_scene[] = {
#embed "../../Language/SceneLibrary/templates/story.scene"
};

static const uint8_t terminal_scene[] = {
#embed "../../Language/SceneLibrary/templates/terminal.scene"
};

static const uint8_t title_scene[] = {
#embed "../../Language/SceneLibrary/templates/title.scene"
};

static const uint8_t voice_json[] = {
#embed "../../Language/SceneLibrary/templates/voice.json"
};

static const uint8_t voice_opus[] = {
#embed "../../Language/SceneLibrary/templates/voice.opus"
};

static const uint8_t voice_srt[] = {
#embed "../../Language/SceneLibrary/templates/voice.srt"
};

static const scene_resource files[] = {
  RESOURCE(captions_scene, "captions.scene"),
  RESOURCE(chart_scene, "chart.scene"),
  RESOURCE(coast_svg, "coast.svg"),
  RESOURCE(code_scene, "code.scene"),
  RESOURCE(countdown_scene, "countdown.scene"),
  RESOURCE(dunes_svg, "dunes.svg"),
  RESOURCE(explainer_scene, "explainer.scene"),
  RESOURCE(hello_scene, "hello.scene"),
  RESOURCE(hills_svg, "hills.svg"),
  RESOURCE(kinetic_scene, "kinetic.scene"),
  RESOURCE(logo_scene, "logo.scene"),
  RESOURCE(lower_third_scene, "lower-third.scene"),
  RESOURCE(podcast_scene, "podcast.scene"),
  RESOURCE(quote_scene, "quote.scene"),
  RESOURCE(sales_csv, "sales.csv"),
  RESOURCE(slides_csv, "slides.csv"),
  RESOURCE(slideshow_scene, "slideshow.scene"),
  RESOURCE(story_scene, "story.scene"),
  RESOURCE(terminal_scene, "terminal.scene"),
  RESOURCE(title_scene, "title.scene"),
  RESOURCE(voice_json, "voice.json"),
  RESOURCE(voice_opus, "voice.opus"),
  RESOURCE(voice_srt, "voice.srt"),
};

const scene_resources scene_templates = RESOURCES(files);
