#!/usr/bin/env python3
"""Makes locales.txt, how languages write dates and numbers, from the CLDR.

usage: npm pack cldr-core cldr-dates-full cldr-numbers-full cldr-cal-persian-full, unpack each
into DIR/core, DIR/dates-full and so on, then locales.py DIR >locales.txt

A locale that writes all of it as its parent does is left out. Times have 24 hours.
"""
import json, re, sys

ROOT = sys.argv[1]
read = lambda name: json.load(open(f"{ROOT}/{name}"))
levels = read("core/package/coverageLevels.json")["effectiveCoverageLevels"]
parents = read("core/package/supplemental/parentLocales.json")["supplemental"]["parentLocales"]["parentLocale"]
systems = read("core/package/supplemental/numberingSystems.json")["supplemental"]["numberingSystems"]
preferences = read("core/package/supplemental/calendarPreferenceData.json")["supplemental"]["calendarPreferenceData"]
likely = read("core/package/supplemental/likelySubtags.json")["supplemental"]["likelySubtags"]

# The published sites in these languages keep their dates.
kept = {"tr": {"joiner": " ", "time": "HH.mm"}, "en": {"date": "d MMMM y", "joiner": " ", "time": "HH:mm"}}
# American papers put the month first.
added = {"en-US": {"joiner": ", ", "time": "H:mm"}}


def calendar_of(tag):
    """The calendar of the language's papers: "buddhist", the Persian months by |, or "" for the Gregorian one."""
    region = re.search(r"-([A-Z]{2})$", tag) or re.search(r"-([A-Z]{2})$", likely.get(tag, ""))
    calendar = preferences.get(region and region[1], ["gregorian"])[0]
    if calendar != "persian":
        return calendar if calendar == "buddhist" else ""
    months = lambda name: "|".join(read(f"cal-persian-full/package/main/{name}/ca-persian.json")["main"][name]["dates"]["calendars"]["persian"]["months"]["format"]["wide"].values())
    try:
        return "" if months(tag) == months("en") else months(tag)
    except FileNotFoundError:
        return ""


def row(tag, source):
    calendar = read(f"dates-full/package/main/{source}/ca-gregorian.json")["main"][source]["dates"]["calendars"]["gregorian"]
    numbers = read(f"numbers-full/package/main/{source}/numbers.json")["main"][source]["numbers"]
    months = lambda width: list(calendar["months"][width]["wide"].values())
    text = lambda pattern: pattern if isinstance(pattern, str) else pattern["_value"]
    clean = lambda pattern: re.sub(r" ?G+ ?", " ", text(pattern)).strip()
    formats = calendar["dateTimeFormats"]["availableFormats"]
    system = numbers["defaultNumberingSystem"]
    digits = systems[system].get("_digits", "0123456789")
    symbols = numbers.get("symbols-numberSystem-" + system) or numbers["symbols-numberSystem-latn"]
    decimal = (numbers.get("decimalFormats-numberSystem-" + system) or numbers["decimalFormats-numberSystem-latn"])["standard"]
    inside, alone = months("format"), months("stand-alone")
    r = {
        "months": "|".join(inside), "alone": "" if inside == alone else "|".join(alone),
        "date": clean(calendar["dateFormats"]["long"]), "month": clean(formats["yMMMM"]),
        "joiner": text(calendar["dateTimeFormats"]["medium"]).replace("{1}", "").replace("{0}", ""), "time": text(formats["Hm"]),
        "group": symbols["group"], "from": numbers["minimumGroupingDigits"], "second": "2" if "#,##,##0" in decimal else "3",
        "digits": "" if digits == "0123456789" else digits, "calendar": calendar_of(tag),
    }
    return r | kept.get(tag, {}) | added.get(tag, {})


rows = {}
for tag, level in levels.items():
    if level in ("basic", "moderate", "modern") and tag != "und":
        try:
            rows[tag] = row(tag, tag)
        except (FileNotFoundError, KeyError):
            pass
rows |= {tag: row(tag, "en") for tag in added}


def parent(tag):
    if tag in parents:
        return parents[tag]
    return tag.rpartition("-")[0]


print("# Made by locales.py from the Unicode CLDR 48.2 (Unicode License v3).")
print("# tag, months, months alone, date, month and year, between date and time, time, group, digits of the first group, of others, digits, calendar")
for tag in sorted(rows):
    above = parent(tag)
    while above and above not in rows:
        above = parent(above)
    if above and rows[above] == rows[tag]:
        continue
    assert not any("\t" in value for value in rows[tag].values())
    print("\t".join([tag, *rows[tag].values()]))
