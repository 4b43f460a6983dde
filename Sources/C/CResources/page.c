// SPDX-License-Identifier: MIT
#include "resources.h"

// Clang supports `#embed` in all C standards and warns in those before C23.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t activity_js[] = {
#embed "../../Interactive/ScenePage/page/activity.js"
};

static const uint8_t align_js[] = {
#embed "../../Interactive/ScenePage/page/align.js"
};

static const uint8_t code_js[] = {
#embed "../../Interactive/ScenePage/page/code.js"
};

static const uint8_t connection_js[] = {
#embed "../../Interactive/ScenePage/page/connection.js"
};

static const uint8_t dom_js[] = {
#embed "../../Interactive/ScenePage/page/dom.js"
};

static const uint8_t edits_js[] = {
#embed "../../Interactive/ScenePage/page/edits.js"
};

static const uint8_t export_js[] = {
#embed "../../Interactive/ScenePage/page/export.js"
};

static const uint8_t fields_js[] = {
#embed "../../Interactive/ScenePage/page/fields.js"
};

static const uint8_t frames_js[] = {
#embed "../../Interactive/ScenePage/page/frames.js"
};

static const uint8_t graph_js[] = {
#embed "../../Interactive/ScenePage/page/graph.js"
};

static const uint8_t handles_js[] = {
#embed "../../Interactive/ScenePage/page/handles.js"
};

static const uint8_t icon_svg[] = {
#embed "../../Interactive/ScenePage/page/icon.svg"
};

static const uint8_t index_html[] = {
#embed "../../Interactive/ScenePage/page/index.html"
};

static const uint8_t insert_js[] = {
#embed "../../Interactive/ScenePage/page/insert.js"
};

static const uint8_t inspector_js[] = {
#embed "../../Interactive/ScenePage/page/inspector.js"
};

static const uint8_t keys_js[] = {
#embed "../../Interactive/ScenePage/page/keys.js"
};

static const uint8_t main_js[] = {
#embed "../../Interactive/ScenePage/page/main.js"
};

static const uint8_t marks_js[] = {
#embed "../../Interactive/ScenePage/page/marks.js"
};

static const uint8_t overlay_js[] = {
#embed "../../Interactive/ScenePage/page/overlay.js"
};

static const uint8_t page_css[] = {
#embed "../../Interactive/ScenePage/page/page.css"
};

static const uint8_t params_js[] = {
#embed "../../Interactive/ScenePage/page/params.js"
};

static const uint8_t picture_js[] = {
#embed "../../Interactive/ScenePage/page/picture.js"
};

static const uint8_t player_js[] = {
#embed "../../Interactive/ScenePage/page/player.js"
};

static const uint8_t plot_js[] = {
#embed "../../Interactive/ScenePage/page/plot.js"
};

static const uint8_t problems_js[] = {
#embed "../../Interactive/ScenePage/page/problems.js"
};

static const uint8_t reorder_js[] = {
#embed "../../Interactive/ScenePage/page/reorder.js"
};

static const uint8_t ring_js[] = {
#embed "../../Interactive/ScenePage/page/ring.js"
};

static const uint8_t rows_js[] = {
#embed "../../Interactive/ScenePage/page/rows.js"
};

static const uint8_t ruler_js[] = {
#embed "../../Interactive/ScenePage/page/ruler.js"
};

static const uint8_t selection_js[] = {
#embed "../../Interactive/ScenePage/page/selection.js"
};

static const uint8_t snapping_js[] = {
#embed "../../Interactive/ScenePage/page/snapping.js"
};

static const uint8_t store_js[] = {
#embed "../../Interactive/ScenePage/page/store.js"
};

static const uint8_t time_js[] = {
#embed "../../Interactive/ScenePage/page/time.js"
};

static const uint8_t timeline_js[] = {
#embed "../../Interactive/ScenePage/page/timeline.js"
};

static const uint8_t tree_js[] = {
#embed "../../Interactive/ScenePage/page/tree.js"
};

static const uint8_t typing_js[] = {
#embed "../../Interactive/ScenePage/page/typing.js"
};

static const scene_resource files[] = {
  RESOURCE(activity_js, "activity.js"),
  RESOURCE(align_js, "align.js"),
  RESOURCE(code_js, "code.js"),
  RESOURCE(connection_js, "connection.js"),
  RESOURCE(dom_js, "dom.js"),
  RESOURCE(edits_js, "edits.js"),
  RESOURCE(export_js, "export.js"),
  RESOURCE(fields_js, "fields.js"),
  RESOURCE(frames_js, "frames.js"),
  RESOURCE(graph_js, "graph.js"),
  RESOURCE(handles_js, "handles.js"),
  RESOURCE(icon_svg, "icon.svg"),
  RESOURCE(index_html, "index.html"),
  RESOURCE(insert_js, "insert.js"),
  RESOURCE(inspector_js, "inspector.js"),
  RESOURCE(keys_js, "keys.js"),
  RESOURCE(main_js, "main.js"),
  RESOURCE(marks_js, "marks.js"),
  RESOURCE(overlay_js, "overlay.js"),
  RESOURCE(page_css, "page.css"),
  RESOURCE(params_js, "params.js"),
  RESOURCE(picture_js, "picture.js"),
  RESOURCE(player_js, "player.js"),
  RESOURCE(plot_js, "plot.js"),
  RESOURCE(problems_js, "problems.js"),
  RESOURCE(reorder_js, "reorder.js"),
  RESOURCE(ring_js, "ring.js"),
  RESOURCE(rows_js, "rows.js"),
  RESOURCE(ruler_js, "ruler.js"),
  RESOURCE(selection_js, "selection.js"),
  RESOURCE(snapping_js, "snapping.js"),
  RESOURCE(store_js, "store.js"),
  RESOURCE(time_js, "time.js"),
  RESOURCE(timeline_js, "timeline.js"),
  RESOURCE(tree_js, "tree.js"),
  RESOURCE(typing_js, "typing.js"),
};

const scene_resources scene_page = RESOURCES(files);
