// SPDX-License-Identifier: MIT
#include "CClipper.h"

#include <polyclipping/clipper.hpp>
#include <algorithm>
#include <cmath>
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

// Runs code that may run out of memory or use coordinates that Clipper rejects.
template <typename Body> void guarded(Body body) {
  try {
    body();
  } catch (...) {
    work = Work();
  }
}

// Returns outlines without overlaps and with consistent orientation.
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

// Combines all outlines from `first` on.
Paths summed(const std::vector<Paths> &all, size_t first, PolyFillType rule) {
  Clipper clipper;
  for (size_t i = first; i < all.size(); i++) clipper.AddPaths(all[i], ptSubject, true);
  Paths result;
  clipper.Execute(ctUnion, result, rule, rule);
  return result;
}

struct Box {
  cInt left, top, right, bottom;
};

// The number of crossings that Clipper processes in about a second.
const double greatest_work = 1e6;

void add_boxes(const Paths &paths, bool closed, cInt reach, std::vector<Box> &boxes) {
  for (const Path &path : paths)
    for (size_t i = closed ? 0 : 1; i < path.size(); i++) {
      const IntPoint &a = path[i ? i - 1 : path.size() - 1], &b = path[i];
      boxes.push_back({std::min(a.X, b.X) - reach, std::min(a.Y, b.Y) - reach,
                       std::max(a.X, b.X) + reach, std::max(a.Y, b.Y) + reach});
    }
}

// Returns whether so many pairs of boxes overlap that their crossings, each counted `weight` times,
// would take too long.
bool is_tangled(std::vector<Box> &boxes, double weight) {
  std::sort(boxes.begin(), boxes.end(), [](const Box &a, const Box &b) { return a.top < b.top; });
  std::vector<Box> active;
  double pairs = 0, looks = 0;
  for (const Box &box : boxes) {
    size_t kept = 0;
    for (const Box &other : active) {
      if (other.bottom < box.top) continue;
      if (other.left <= box.right && box.left <= other.right) pairs++;
      active[kept++] = other;
    }
    looks += (double)active.size();
    active.resize(kept);
    active.push_back(box);
    if (pairs * weight > greatest_work || looks > 100 * greatest_work) return true;
  }
  return false;
}

// Returns the average number of points that a corner is offset to.
double points_of_corner(const Paths &paths, double distance, double tolerance) {
  double turns = 0, count = 1;
  for (const Path &path : paths)
    for (size_t i = 0; i < path.size(); i++) {
      const IntPoint &a = path[i], &b = path[(i + 1) % path.size()], &c = path[(i + 2) % path.size()];
      double x1 = (double)(b.X - a.X), y1 = (double)(b.Y - a.Y);
      double x2 = (double)(c.X - b.X), y2 = (double)(c.Y - b.Y);
      turns += std::fabs(std::atan2(x1 * y2 - y1 * x2, x1 * x2 + y1 * y2));
      count++;
    }
  double step = 2 * std::sqrt(2 * tolerance / std::max(tolerance, std::fabs(distance)));
  return 1 + turns / count / step;
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

int scene_clip_combine(int operation) {
  int done = 0;
  guarded([&] {
    std::vector<Box> boxes;
    for (const Outline &outline : work.outlines) add_boxes(outline.closed, true, 0, boxes);
    if (is_tangled(boxes, 1)) return;
    done = 1;
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
  return done;
}

int scene_clip_offset(double distance, int is_round, double miter_limit, double tolerance) {
  int done = 0;
  guarded([&] {
    if (work.outlines.empty()) return;
    const Outline &outline = work.outlines.front();
    std::vector<Box> boxes;
    add_boxes(outline.closed, true, 0, boxes);
    if (is_tangled(boxes, 1)) return;
    boxes.clear();
    // Lines that cross become many short ones, each of which is offset.
    const Paths closed = simple(outline.closed);
    cInt reach = (cInt)std::min(std::fabs(distance), 1e9);
    add_boxes(closed, true, reach, boxes);
    add_boxes(outline.open, false, reach, boxes);
    double points = is_round ? std::max(points_of_corner(closed, distance, tolerance),
                                        points_of_corner(outline.open, distance, tolerance))
                             : 1;
    if (is_tangled(boxes, points / 4)) return;
    done = 1;
    ClipperOffset offset(miter_limit, tolerance);
    JoinType join = is_round ? jtRound : jtMiter;
    offset.AddPaths(closed, join, etClosedPolygon);
    if (distance > 0) offset.AddPaths(outline.open, join, is_round ? etOpenRound : etOpenButt);
    offset.Execute(work.result, distance);
    // Each corner has become several points, which would multiply with repeated offsets.
    CleanPolygons(work.result, tolerance / 2);
  });
  return done;
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
