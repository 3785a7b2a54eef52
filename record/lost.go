package record

import (
	"slices"
	"strings"

	"ayna/client"
	"ayna/prose"
	"ayna/source/encode"
)

// Lost names the content ("title", "text", …) that the page of kept shows and that of
// next would not. Both are the same record with another list record or single record.
// Text, pictures, tags and the news of an editorial page are also lost if kept has them
// from the single record and next only from the list record.
func Lost(kept, next *Record, how Dates) ([]string, error) {
	after, err := shown(next, how)
	if err != nil {
		return nil, err
	}
	before, err := shown(kept, how)
	if err != nil { // an unreadable record shows nothing
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

// The sources of a part, the best last.
const (
	nowhere    = iota
	fromList   // or from a search hit
	fromSingle // or from either, if that makes no difference for the part
)

type shownPart struct {
	name string
	from int
}

// shown returns the source of each part of a record that its page shows.
func shown(r *Record, how Dates) ([]shownPart, error) {
	list, single, err := parts(r)
	if err != nil {
		return nil, err
	}
	var all []shownPart
	add := func(name string, ofList int, has func(f fields) bool) {
		from := nowhere
		switch {
		case has(single):
			from = fromSingle
		case has(list):
			from = ofList
		}
		all = append(all, shownPart{name, from})
	}
	textOfList := fromList
	if r.Single != nil {
		textOfList = nowhere // the page shows only the single record's text then
	}
	add("title", fromSingle, func(f fields) bool { return strings.TrimSpace(f.Title) != "" })
	add("description", fromSingle, func(f fields) bool { return spot(prose.Plain(f.Description)) != "" })
	add("folder", fromSingle, func(f fields) bool { return strings.TrimSpace(f.Path) != "" })
	add("writer", fromSingle, func(f fields) bool { return len(writers(f, fields{})) > 0 })
	// A text for members only counts as shown: to close a text loses nothing.
	add("text", textOfList, func(f fields) bool { return visible(f.Text) || f.Access == encode.Members })
	add("pictures", fromList, func(f fields) bool {
		return slices.ContainsFunc(f.Files, func(file client.File) bool {
			_, ok := prose.Resolve(r.URL, file.URL)
			return ok
		})
	})
	add("tags", fromList, func(f fields) bool { return len(tags(f.Tags)) > 0 })
	isDate := func(d client.Date) bool { return !how.inUTC(d).IsZero() }
	add("date of publication", fromSingle, func(f fields) bool { return isDate(f.StartDate) || isDate(f.CreatedDate) })
	add("date of change", fromSingle, func(f fields) bool { return isDate(f.ModifiedDate) })
	add("address", fromSingle, func(f fields) bool {
		_, ok := prose.Resolve("https://source.invalid/", f.URL)
		return ok
	})
	add("news", fromList, func(f fields) bool { return r.Kind == Page && len(references(f.RelatedNews)) > 0 })
	return all, nil
}

// visible reports whether HTML shows anything. Long HTML is not examined.
func visible(html string) bool {
	const long = 256
	html = strings.TrimSpace(html)
	return len(html) > long || prose.Plain(html) != "" || strings.Contains(html, "<img") || strings.Contains(html, "<iframe")
}
