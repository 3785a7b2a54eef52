#!/usr/bin/env python3
"""Makes the typeface of the pages, ../serif*.woff2.

It is Source Serif 4 by Adobe, cut down to what the pages show: the letters and signs
below, kerning, and of its axes weight (400 to 700) and optical size (20 to 60), so that
large headlines are finer than text. Cyrillic and Greek are in files of their own, which
browsers load for pages that have such letters (unicode-range in ../site.css). The licence
(OFL.txt) reserves the name "Source", so the files are named "ayna".

Needs fonttools and brotli (Debian: python3-fonttools, python3-brotli), and the package
of npm that holds the original:

    npm pack source-serif@4.5.1 && tar xzf source-serif-4.5.1.tgz
    assets/font/make.py package
"""

import os
import sys

from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

# Latin, Turkish, punctuation, currency.
TURKISH = [*range(0x20, 0x7F), *range(0xA0, 0x100), *map(ord, "ĞğİıŞş‐‑‒–—―‘’‚“”„•…€₺−")]
# The rest of Latin Extended-A, and signs that are not worth their bytes in italics.
LATIN = [*TURKISH, *range(0x100, 0x180), *map(ord, "ȘșȚțẞ†‡‰′″‹›⁄№™←→")]

# All letters of these scripts that the original has: the whole blocks of Unicode.
CYRILLIC = range(0x400, 0x530)
GREEK = range(0x370, 0x400)

# Fields of a font's name table that the files keep: copyright and licence.
KEPT_NAMES = {0, 13, 14}


def make(source, target, style, axes, letters):
    font = TTFont(source, recalcTimestamp=False)
    font = instancer.instantiateVariableFont(font, axes)
    options = subset.Options(layout_features=["kern"], hinting=False, notdef_outline=True, name_IDs=["*"])
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=letters)
    subsetter.subset(font)
    names = font["name"]
    names.names = [n for n in names.names if n.nameID in KEPT_NAMES and n.platformID == 3]
    for number, text in {1: "ayna", 2: style, 3: "ayna " + style, 4: "ayna " + style, 6: "ayna-" + style}.items():
        names.setName(text, number, 3, 1, 0x409)
    font.flavor = "woff2"
    font.save(target)
    print(target, os.path.getsize(target), "bytes")


package, assets = sys.argv[1], os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
original = os.path.join(package, "VAR", "SourceSerif4Variable-")
UPRIGHT = {"opsz": (20, 60), "wght": (400, 700)}
ITALIC = {"opsz": 20, "wght": 400}
for name, source, style, axes, letters in [
    ("serif", "Roman", "Regular", UPRIGHT, LATIN),
    ("serif-cyrillic", "Roman", "Regular", UPRIGHT, CYRILLIC),
    ("serif-greek", "Roman", "Regular", UPRIGHT, GREEK),
    ("serif-italic", "Italic", "Italic", ITALIC, TURKISH),
    ("serif-italic-cyrillic", "Italic", "Italic", ITALIC, [*CYRILLIC, ord("№")]),
    ("serif-italic-greek", "Italic", "Italic", ITALIC, GREEK),
]:
    make(original + source + ".ttf", os.path.join(assets, name + ".woff2"), style, axes, letters)
