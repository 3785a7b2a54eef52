package wire

import (
	"slices"
	"strings"

	"ayna/archive"
	"ayna/client"
	"ayna/generator/prose"
)

// contents names what readers see of a record, in the order of [shown].
var contents = []string{"title", "description", "folder", "writer", "text", "pictures", "tags", "news"}

// Lost names the content that readers see of kept and would not see of next,
// which is the same record with another list record or single record. Text,
// pictures, tags and the news of a page are lost also where the list record's
// would stand in for those of the single record.
func Lost(kept, next *archive.Record) ([]string, error) {
	after, err := shown(next)
	if err != nil || !slices.Contains(after, 0) && !slices.Contains(after, 1) {
		return nil, err
	}
	before, err := shown(kept)
	if err != nil { // nobody sees anything of it
		return nil, nil
	}
	var lost []string
	for i, name := range contents {
		if after[i] < before[i] {
			lost = append(lost, name)
		}
	}
	return lost, nil
}

// shown reports for each of the contents whether the record has it: 0 is no, 1
// is from the list record or a search, 2 from the single record.
func shown(r *archive.Record) ([]int, error) {
	list, single, err := parts(r)
	if err != nil {
		return nil, err
	}
	either := func(has func(f fields) bool) int {
		if has(single) || has(list) {
			return 2
		}
		return 0
	}
	best := func(has func(f fields) bool) int {
		switch {
		case has(single):
			return 2
		case has(list):
			return 1
		}
		return 0
	}
	text := best(func(f fields) bool { return visible(f.text) })
	if text == 1 && r.Single != nil {
		text = 0 // the text of a list record is not shown then
	}
	return []int{
		either(func(f fields) bool { return strings.TrimSpace(f.Title) != "" }),
		either(func(f fields) bool { return spot(prose.Plain(f.Description)) != "" }),
		either(func(f fields) bool { return strings.TrimSpace(f.Path) != "" }),
		either(func(f fields) bool { return len(writers(f, fields{})) > 0 }),
		text,
		best(func(f fields) bool {
			return slices.ContainsFunc(f.Files, func(file client.File) bool {
				_, ok := prose.Resolve(r.URL, file.URL)
				return ok
			})
		}),
		best(func(f fields) bool { return len(tags(f.tags)) > 0 }),
		best(func(f fields) bool { return r.Kind == archive.Page && len(references(f.related)) > 0 }),
	}, nil
}

// visible reports whether HTML shows anything. Only short HTML is looked into.
func visible(html string) bool {
	const short = 256
	html = strings.TrimSpace(html)
	return len(html) > short || prose.Plain(html) != "" || strings.Contains(html, "<img") || strings.Contains(html, "<iframe")
}
