// SPDX-License-Identifier: MIT
#include "resources.h"

// Clang supports `#embed` in all C standards and warns in those before C23.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t beat_opus[] = {
#embed "../../Language/SceneLibrary/templates/beat.opus"
};

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

static const uint8_t data_story_scene[] = {
#embed "../../Language/SceneLibrary/templates/data-story.scene"
};

static const uint8_t dunes_svg[] = {
#embed "../../Language/SceneLibrary/templates/dunes.svg"
};

static const uint8_t explainer_scene[] = {
#embed "../../Language/SceneLibrary/templates/explainer.scene"
};

static const uint8_t features_csv[] = {
#embed "../../Language/SceneLibrary/templates/features.csv"
};

static const uint8_t hello_scene[] = {
#embed "../../Language/SceneLibrary/templates/hello.scene"
};

static const uint8_t hills_svg[] = {
#embed "../../Language/SceneLibrary/templates/hills.svg"
};

static const uint8_t hook_json[] = {
#embed "../../Language/SceneLibrary/templates/hook.json"
};

static const uint8_t hook_scene[] = {
#embed "../../Language/SceneLibrary/templates/hook.scene"
};

static const uint8_t kinetic_scene[] = {
#embed "../../Language/SceneLibrary/templates/kinetic.scene"
};

static const uint8_t launch_scene[] = {
#embed "../../Language/SceneLibrary/templates/launch.scene"
};

static const uint8_t logo_scene[] = {
#embed "../../Language/SceneLibrary/templates/logo.scene"
};

static const uint8_t lower_third_scene[] = {
#embed "../../Language/SceneLibrary/templates/lower-third.scene"
};

static const uint8_t night_trains_csv[] = {
#embed "../../Language/SceneLibrary/templates/night-trains.csv"
};

static const uint8_t podcast_scene[] = {
#embed "../../Language/SceneLibrary/templates/podcast.scene"
};

static const uint8_t portrait_1_svg[] = {
#embed "../../Language/SceneLibrary/templates/portrait-1.svg"
};

static const uint8_t portrait_2_svg[] = {
#embed "../../Language/SceneLibrary/templates/portrait-2.svg"
};

static const uint8_t portrait_3_svg[] = {
#embed "../../Language/SceneLibrary/templates/portrait-3.svg"
};

static const uint8_t quote_scene[] = {
#embed "../../Language/SceneLibrary/templates/quote.scene"
};

static const uint8_t release_json[] = {
#embed "../../Language/SceneLibrary/templates/release.json"
};

static const uint8_t release_scene[] = {
#embed "../../Language/SceneLibrary/templates/release.scene"
};

static const uint8_t sales_csv[] = {
#embed "../../Language/SceneLibrary/templates/sales.csv"
};

static const uint8_t screen_1_svg[] = {
#embed "../../Language/SceneLibrary/templates/screen-1.svg"
};

static const uint8_t screen_2_svg[] = {
#embed "../../Language/SceneLibrary/templates/screen-2.svg"
};

static const uint8_t screen_3_svg[] = {
#embed "../../Language/SceneLibrary/templates/screen-3.svg"
};

static const uint8_t sketch_scene[] = {
#embed "../../Language/SceneLibrary/templates/sketch.scene"
};

static const uint8_t slides_csv[] = {
#embed "../../Language/SceneLibrary/templates/slides.csv"
};

static const uint8_t slideshow_scene[] = {
#embed "../../Language/SceneLibrary/templates/slideshow.scene"
};

static const uint8_t speaker_scene[] = {
#embed "../../Language/SceneLibrary/templates/speaker.scene"
};

static const uint8_t speakers_csv[] = {
#embed "../../Language/SceneLibrary/templates/speakers.csv"
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
  RESOURCE(beat_opus, "beat.opus"),
  RESOURCE(captions_scene, "captions.scene"),
  RESOURCE(chart_scene, "chart.scene"),
  RESOURCE(coast_svg, "coast.svg"),
  RESOURCE(code_scene, "code.scene"),
  RESOURCE(countdown_scene, "countdown.scene"),
  RESOURCE(data_story_scene, "data-story.scene"),
  RESOURCE(dunes_svg, "dunes.svg"),
  RESOURCE(explainer_scene, "explainer.scene"),
  RESOURCE(features_csv, "features.csv"),
  RESOURCE(hello_scene, "hello.scene"),
  RESOURCE(hills_svg, "hills.svg"),
  RESOURCE(hook_json, "hook.json"),
  RESOURCE(hook_scene, "hook.scene"),
  RESOURCE(kinetic_scene, "kinetic.scene"),
  RESOURCE(launch_scene, "launch.scene"),
  RESOURCE(logo_scene, "logo.scene"),
  RESOURCE(lower_third_scene, "lower-third.scene"),
  RESOURCE(night_trains_csv, "night-trains.csv"),
  RESOURCE(podcast_scene, "podcast.scene"),
  RESOURCE(portrait_1_svg, "portrait-1.svg"),
  RESOURCE(portrait_2_svg, "portrait-2.svg"),
  RESOURCE(portrait_3_svg, "portrait-3.svg"),
  RESOURCE(quote_scene, "quote.scene"),
  RESOURCE(release_json, "release.json"),
  RESOURCE(release_scene, "release.scene"),
  RESOURCE(sales_csv, "sales.csv"),
  RESOURCE(screen_1_svg, "screen-1.svg"),
  RESOURCE(screen_2_svg, "screen-2.svg"),
  RESOURCE(screen_3_svg, "screen-3.svg"),
  RESOURCE(sketch_scene, "sketch.scene"),
  RESOURCE(slides_csv, "slides.csv"),
  RESOURCE(slideshow_scene, "slideshow.scene"),
  RESOURCE(speaker_scene, "speaker.scene"),
  RESOURCE(speakers_csv, "speakers.csv"),
  RESOURCE(story_scene, "story.scene"),
  RESOURCE(terminal_scene, "terminal.scene"),
  RESOURCE(title_scene, "title.scene"),
  RESOURCE(voice_json, "voice.json"),
  RESOURCE(voice_opus, "voice.opus"),
  RESOURCE(voice_srt, "voice.srt"),
};

const scene_resources scene_templates = RESOURCES(files);
