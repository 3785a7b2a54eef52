// Reads feeds of all formats with feedsmith.

const fs = require("fs")
const { parseFeed } = require("feedsmith")

const [root, names] = process.argv.slice(2)
const seconds = (date) => (date ? Math.floor(Date.parse(date) / 1000) : null)

for (const name of fs.readFileSync(names, "utf8").split("\n").filter(Boolean)) {
  const { format, feed } = parseFeed(fs.readFileSync(`${root}/${name}`, "utf8"))
  const entry = {
    rss: (e) => ({ id: e.guid.value, link: e.link, title: e.title, published: seconds(e.pubDate), updated: seconds(e.atom?.updated) }),
    atom: (e) => ({
      id: e.id, link: e.links.find((l) => l.rel === "alternate").href, title: e.title,
      published: seconds(e.published), updated: seconds(e.updated),
    }),
    json: (e) => ({ id: e.id, link: e.url, title: e.title, published: seconds(e.date_published), updated: seconds(e.date_modified) }),
  }[format]
  console.log(JSON.stringify({ feed: name, problem: "", title: feed.title, entries: (feed.items ?? feed.entries ?? []).map(entry) }))
}
