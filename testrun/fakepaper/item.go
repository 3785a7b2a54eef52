package fakepaper

import (
	"fmt"
	"strconv"
	"time"

	"ayna/archive"
	"ayna/record"
)

// Item is an item for an archive, list record and single record alike, with words of the
// sample that follow from its id. Fields replace those that it has, as [Fields] takes them.
func Item(kind record.Kind, id string, fields ...any) *archive.Record {
	number, _ := strconv.Atoi(id) // other ids have the words of item 0
	story := stories()[number%len(stories())]
	return With(Fields(kind, id,
		"ContentType", contentTypes[groupOf(kind)], "Title", story.title, "Description", story.spot, "Text", story.text, "Tags", story.tags,
		"Path", paths[0], "Url", "http://www.haber.example/haber-"+id, "CreatedDate", Noon.Format(time.RFC3339)), fields...)
}

// Waiting returns a record whose single record has not arrived.
func Waiting(r *archive.Record) *archive.Record {
	listed := *r
	listed.Single, listed.FetchDue = nil, true
	return &listed
}

// Articles returns n articles of the titles "Haber 0", "Haber 1", …, one every so often. The
// first one has the id 50000000, and is the oldest.
func Articles(n int, first time.Time, every time.Duration, fields ...any) []*archive.Record {
	all := make([]*archive.Record, n)
	for i := range all {
		all[i] = With(Item(record.Article, strconv.Itoa(50_000_000+i),
			"Title", fmt.Sprint("Haber ", i), "CreatedDate", first.Add(time.Duration(i)*every).Format(time.RFC3339)), fields...)
	}
	return all
}
