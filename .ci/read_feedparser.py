"""Reads feeds with feedparser. It knows no JSON Feed."""

import calendar
import json
import sys

import feedparser

root, names = sys.argv[1], sys.argv[2]
for name in open(names).read().split("\n"):
    if not name.endswith("xml"):
        continue
    with open(f"{root}/{name}", "rb") as f:
        feed = feedparser.parse(f)
    print(json.dumps({
        "feed": name,
        "problem": str(feed.bozo_exception) if feed.bozo else "",
        "title": feed.feed.get("title", ""),
        "entries": [{
            "id": e.get("id"), "link": e.get("link"), "title": e.get("title"),
            "published": calendar.timegm(e.published_parsed),
            "updated": calendar.timegm(e.updated_parsed) if "updated_parsed" in e else None,
        } for e in feed.entries],
    }))
