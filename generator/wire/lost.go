package wire

import (
	"slices"
	"strings"

	"ayna/archive"
	"ayna/client"
	"ayna/generator/prose"
)

// Lost names the content that readers see of kept and would not see of next, the
// same record with another list record or single record. Text, pictures, tags
// and the news of a page are also lost if next has them from the list record and
// kept from the single record.
func Lost(kept, next *archive.Record) ([]string, error) {
	after, err := shown(next)
	if err != nil {
		return nil, err
	}
	before, err := shown(kept)
	if err != nil { // nobody sees anything of it
		return nil, nil
	}
	var lost []string
	for i, part := range after {
		if part.from < before[i].from {
			lost = append(lost, part.name)
		}
	}
	return lost, nil
}

// Where a part comes from.
const (
	nowhere    = iota
	fromList   // or a search hit
	fromSingle // or a part for which the two count the same
)

type shownPart struct {
	name string
	from int
}

// shown returns where each part that readers see of a record comes from.
func shown(r *archive.Record) ([]shownPart, error) {
	list, single, err := parts(r)
	if err != nil {
		return nil, err
	}
	var all []shownPart
	add := func(name string, best int, has func(f fields) bool) {
		from := nowhere
		switch {
		case has(single):
			from = fromSingle
		case has(list):
			from = best
		}
		all = append(all, shownPart{name, from})
	}
	textOfList := fromList
	if r.Single != nil {
		textOfList = nowhere // it is not shown then
	}
	add("title", fromSingle, func(f fields) bool { return strings.TrimSpace(f.Title) != "" })
	add("description", fromSingle, func(f fields) bool { return spot(prose.Plain(f.Description)) != "" })
	add("folder", fromSingle, func(f fields) bool { return strings.TrimSpace(f.Path) != "" })
	add("writer", fromSingle, func(f fields) bool { return len(writers(f, fields{})) > 0 })
	add("text", textOfList, func(f fields) bool { return visible(f.Text) })
	add("pictures", fromList, func(f fields) bool {
		return slices.ContainsFunc(f.Files, func(file client.File) bool {
			_, ok := prose.Resolve(r.URL, file.URL)
			return ok
		})
	})
	add("tags", fromList, func(f fields) bool { return len(tags(f.Tags)) > 0 })
	add("news", fromList, func(f fields) bool { return r.Kind == archive.Page && len(references(f.RelatedNews)) > 0 })
	return all, nil
}

// visible reports whether HTML shows anything. Long HTML always counts.
func visible(html string) bool {
	const long = 256
	html = strings.TrimSpace(html)
	return len(html) > long || prose.Plain(html) != "" || strings.Contains(html, "<img") || strings.Contains(html, "<iframe")
}
