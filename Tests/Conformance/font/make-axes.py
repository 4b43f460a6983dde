# SPDX-License-Identifier: MIT
"""Makes Axes.ttf, a font with three axes and six glyphs, and axes.tsv: the advances that fontTools
computes from the variations. Requires fontTools: pip install fonttools."""
import random
from fontTools.designspaceLib import AxisDescriptor, DesignSpaceDocument, SourceDescriptor
from fontTools.fontBuilder import FontBuilder
from fontTools.misc.roundTools import otRound
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont
from fontTools.varLib import build
from fontTools.varLib.models import normalizeLocation
from fontTools.varLib.varStore import VarStoreInstancer

LETTERS = "AEHIOn"
AXES = [("wght", 100, 400, 900), ("wdth", 50, 100, 150), ("opsz", 8, 16, 72)]


def master(weight, width, size):
    """Draws each letter as a frame whose stem and advance depend on the axes."""
    names = [".notdef"] + list(LETTERS)
    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder(names)
    builder.setupCharacterMap({ord(letter): letter for letter in LETTERS})
    glyphs, metrics = {}, {}
    for index, name in enumerate(names):
        advance = round((480 + 40 * index) * width / 100 + weight / 10 - (size - 16) / 2)
        stem = round(30 + weight / 6)
        pen = TTGlyphPen(None)
        for x0, x1, inside in [(40, advance - 40, False), (40 + stem, advance - 40 - stem, True)]:
            y0, y1 = (stem, 700 - stem) if inside else (0, 700)
            corners = [(x0, y0), (x0, y1), (x1, y1), (x1, y0)]
            corners = corners[::-1] if inside else corners
            pen.moveTo(corners[0])
            for corner in corners[1:]:
                pen.lineTo(corner)
            pen.closePath()
        glyphs[name] = pen.glyph()
        metrics[name] = (advance, 40)
    builder.setupGlyf(glyphs)
    builder.setupHorizontalMetrics(metrics)
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": "Axes", "styleName": "Regular"})
    builder.setupOS2(sTypoAscender=800, sTypoDescender=-200, usWinAscent=800, usWinDescent=200)
    builder.setupPost()
    return builder.font


document = DesignSpaceDocument()
for tag, low, initial, high in AXES:
    axis = AxisDescriptor()
    axis.tag, axis.name = tag, tag
    axis.minimum, axis.default, axis.maximum = low, initial, high
    document.addAxis(axis)
defaults = {tag: initial for tag, _, initial, _ in AXES}
places = [defaults]
for tag, low, initial, high in AXES:
    places += [defaults | {tag: value} for value in (low, high)]
for place in places:
    source = SourceDescriptor()
    source.font = master(place["wght"], place["wdth"], place["opsz"])
    source.location = place
    document.addSource(source)
font, _, _ = build(document)
font["head"].created = font["head"].modified = 3786912000
font.recalcTimestamp = False
font.save("Axes.ttf")

random.seed(36)
with open("axes.tsv", "w") as table:
    table.write("wght\twdth\topsz\t" + "\t".join(LETTERS) + "\n")
    count = 0
    while count < 40:
        place = {tag: round(random.uniform(low, high), 2) for tag, low, _, high in AXES}
        instance = TTFont("Axes.ttf")
        order = instance.getGlyphOrder()
        limits = {tag: (low, initial, high) for tag, low, initial, high in AXES}
        location = normalizeLocation(place, limits)
        store = VarStoreInstancer(instance["HVAR"].table.VarStore, instance["fvar"].axes, location)
        mapping = instance["HVAR"].table.AdvWidthMap
        advances = []
        for letter in LETTERS:
            index = mapping.mapping[letter] if mapping else order.index(letter)
            advances.append(instance["hmtx"][letter][0] + store[index])
        # As in an instance of the font, advances are whole units. Where they are halves, the precision of the
        # coordinates decides.
        if any(abs(advance % 1 - 0.5) < 0.04 for advance in advances):
            continue
        count += 1
        table.write("\t".join(f"{place[tag]:g}" for tag, *_ in AXES))
        table.write("\t" + "\t".join(f"{otRound(advance)}" for advance in advances) + "\n")
