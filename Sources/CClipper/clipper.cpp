// SPDX-License-Identifier: MIT
#include "CClipper.h"

#include <polyclipping/clipper.hpp>
#include <vector>

using namespace ClipperLib;

namespace {

struct Outline {
  Paths closed;
  Paths open;
  bool last_is_closed = true;
};

struct Work {
  std::vector<Outline> outlines;
  Paths result;
};

thread_local Work work;

// Runs what may find no memory, or numbers that Clipper refuses.
template <typename Body> void guarded(Body body) {
  try {
    body();
  } catch (...) {
    work = Work();
  }
}

// Without overlaps, borders to one side.
Paths simple(const Paths &paths) {
  Clipper clipper;
  clipper.AddPaths(paths, ptSubject, true);
  Paths result;
  clipper.Execute(ctUnion, result, pftNonZero, pftNonZero);
  return result;
}

Paths combined(ClipType type, const Paths &a, const Paths &b) {
  Clipper clipper;
  clipper.AddPaths(a, ptSubject, true);
  clipper.AddPaths(b, ptClip, true);
  Paths result;
  clipper.Execute(type, result, pftNonZero, pftNonZero);
  return result;
}

// All of them at once.
Paths summed(const std::vector<Paths> &all, size_t first, PolyFillType rule) {
  Clipper clipper;
  for (size_t i = first; i < all.size(); i++) clipper.AddPaths(all[i], ptSubject, true);
  Paths result;
  clipper.Execute(ctUnion, result, rule, rule);
  return result;
}

}  // namespace

void scene_clip_begin(void) { work = Work(); }

void scene_clip_outline(void) {
  guarded([] { work.outlines.emplace_back(); });
}

void scene_clip_contour(int is_closed) {
  guarded([&] {
    if (work.outlines.empty()) return;
    Outline &outline = work.outlines.back();
    outline.last_is_closed = is_closed != 0;
    (is_closed ? outline.closed : outline.open).emplace_back();
  });
}

void scene_clip_point(int64_t x, int64_t y) {
  guarded([&] {
    if (work.outlines.empty()) return;
    Outline &outline = work.outlines.back();
    Paths &paths = outline.last_is_closed ? outline.closed : outline.open;
    if (paths.empty()) return;
    IntPoint point(x, y);
    if (paths.back().empty() || paths.back().back() != point) paths.back().push_back(point);
  });
}

void scene_clip_combine(int operation) {
  guarded([&] {
    std::vector<Paths> all;
    for (const Outline &outline : work.outlines) all.push_back(simple(outline.closed));
    if (all.empty()) return;
    switch (operation) {
    case SCENE_CLIP_UNION: work.result = summed(all, 0, pftNonZero); break;
    case SCENE_CLIP_EXCLUDE: work.result = summed(all, 0, pftEvenOdd); break;
    case SCENE_CLIP_SUBTRACT:
      work.result = combined(ctDifference, all[0], summed(all, 1, pftNonZero));
      break;
    default:
      work.result = all[0];
      for (size_t i = 1; i < all.size(); i++)
        work.result = combined(ctIntersection, work.result, all[i]);
    }
  });
}

void scene_clip_offset(double distance, int is_round, double miter_limit, double tolerance) {
  guarded([&] {
    if (work.outlines.empty()) return;
    const Outline &outline = work.outlines.front();
    ClipperOffset offset(miter_limit, tolerance);
    JoinType join = is_round ? jtRound : jtMiter;
    offset.AddPaths(simple(outline.closed), join, etClosedPolygon);
    if (distance > 0) offset.AddPaths(outline.open, join, is_round ? etOpenRound : etOpenButt);
    offset.Execute(work.result, distance);
    // Each corner has become several points, which would multiply from offset to offset.
    CleanPolygons(work.result, tolerance / 2);
  });
}

int scene_clip_contour_count(void) { return (int)work.result.size(); }

int scene_clip_point_count(int contour) {
  if (contour < 0 || (size_t)contour >= work.result.size()) return 0;
  return (int)work.result[(size_t)contour].size();
}

static IntPoint at(int contour, int point) {
  if (point < 0 || point >= scene_clip_point_count(contour)) return IntPoint(0, 0);
  return work.result[(size_t)contour][(size_t)point];
}

int64_t scene_clip_x(int contour, int point) { return at(contour, point).X; }
int64_t scene_clip_y(int contour, int point) { return at(contour, point).Y; }
