"""Compares what parsers read of feeds with the JSON feed beside each, and that
with a schema and, if one is given, with the archive."""

import collections
import datetime
import html
import json
import os
import re
import sqlite3
import sys
import urllib.parse

import jsonschema

root, names, read = sys.argv[1:4]
archive = sys.argv[4] if len(sys.argv) > 4 else None
feeds = open(names).read().split()
problems = collections.Counter()


def complain(who, what):
    problems[who] += 1
    if problems[who] <= 20:
        print(f"{who}: {what}", file=sys.stderr)


def beside(name):
    """The JSON feed that says the same."""
    directory, base = os.path.split(name)
    stem = base.removesuffix(".json").removesuffix(".xml").removesuffix(".atom")
    stem = {"atom": "feed", "atom-own": "feed-own"}.get(stem, stem)
    return os.path.join(directory, stem + ".json")


def seconds(date):
    return int(datetime.datetime.fromisoformat(date).timestamp())


schema = jsonschema.Draft202012Validator(json.load(open(os.path.join(os.path.dirname(__file__), "jsonfeed.schema.json"))))
truth = {}
for name in feeds:
    if name.endswith("json"):
        feed = json.load(open(f"{root}/{name}"))
        for error in schema.iter_errors(feed):
            complain("schema", f"{name}: {error.json_path}: {error.message[:200]}")
        truth[name] = feed



def site_of(name):
    """The site of a feed: each hostile one has a directory of its own."""
    return name.split("/")[0] if re.match(r"h\d+/", name) else ""


known = {(site_of(name), item["id"]): item for name, feed in truth.items() for item in feed["items"]}

if archive:
    stored = {}
    for kind, id, title, published in sqlite3.connect(archive).execute("SELECT kind, id, title, published FROM record"):
        stored[f"{kind}/{id}"] = (title, published // 1000 if published else None)
    for name, feed in truth.items():
        for item in feed["items"]:
            subject = urllib.parse.unquote(item["id"].split(":", 2)[2])
            if subject.startswith("correction/"):
                continue
            title, published = stored.get(subject, (None, None))
            shown = item["title"].replace("\u2060", "")  # which only keeps readers from seeing HTML
            if (title, published) != (shown, seconds(item["date_published"])):
                complain("archive", f"{name}: {item['id']} is {title!r} of {published} in the archive")

for parser in sorted(os.listdir(read)):
    entries = 0
    for line in open(f"{read}/{parser}"):
        got = json.loads(line)
        name = got["feed"]
        want = truth.get(beside(name))
        if got["problem"]:
            complain(parser, f"{name}: {got['problem']}")
        if want is None:  # of a tag or a month, which have one format: other feeds have most of its entries
            got["entries"] = [entry for entry in got["entries"] if (site_of(name), entry["id"]) in known]
            want = {"title": got["title"], "items": [known[site_of(name), entry["id"]] for entry in got["entries"]]}
        if got["title"] != want["title"]:
            complain(parser, f"{name}: its title is {got['title']!r}, not {want['title']!r}")
        if len(got["entries"]) != len(want["items"]):
            complain(parser, f"{name}: {len(got['entries'])} entries, not {len(want['items'])}")
            continue
        wanted = {item["id"]: item for item in want["items"]}
        for entry in got["entries"]:
            entries += 1
            item = wanted.get(entry["id"])
            if item is None:
                complain(parser, f"{name}: unknown id {entry['id']}")
                continue
            published = seconds(item["date_published"])
            updated = seconds(item.get("date_modified", item["date_published"]))
            # feedparser takes every title of RSS for HTML, and gives it back as such.
            same = entry["title"] == item["title"] or html.unescape(entry["title"]) == html.unescape(item["title"])
            if not same or entry["link"] != item["url"] or entry["published"] != published or entry["updated"] not in (None, updated):
                complain(parser, f"{name}: {entry} for {item['url']} {item['title']!r} {published} {updated}")
    print(f"{parser}: {entries} entries, {problems[parser]} problems")
print(f"schema: {len(truth)} feeds, {problems['schema']} problems; archive: {problems['archive']} problems")
sys.exit(1 if problems else 0)
