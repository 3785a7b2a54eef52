package fetch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/url"
	"strings"
	"time"

	"ayna/archive"
	"ayna/client"
	"ayna/record"
	"ayna/source"
)

// Greeting is what the first pages of a source's lists show.
type Greeting struct {
	Ahead    time.Duration     // of the source's clock before this machine's; 0 below five minutes
	Articles int               // on the first page
	Total    int               // of posts or articles, where the source says so; else 0
	Zoned    []time.Time       // dates of articles, in the offsets that the source writes; those in UTC are left out
	Folders  []string          // paths without sub-folders, as "/spor/", in the source's order
	FolderAt map[string]string // folders by their addresses at the source
	Titles   []string          // of the articles
	Dates    []string          // of all records, as received
	Host     string            // of the newest article's address; "" if it has none
	Site     source.Site       // of a source that describes itself
	Failed   []Failure         // lists that could not be read
	Warnings []string          // what makes the mirror poorer than the source
	Texts    int               // single records that were read
	Notes    []archive.Note    // what was not understood of them
	Comments bool              // the source shows those of its readers
}

// Greet reads the first page of each list and the newest [Options.Texts] single records, and keeps
// nothing. It ends with the error with which [Run] would end after these answers, but repeats no
// request.
func Greet(ctx context.Context, options Options) (g Greeting, err error) {
	a, err := archive.Memory(ctx)
	if err != nil {
		return g, err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	options.Searches, options.Progress, options.Full = nil, nil, false
	s, err := newSyncer(ctx, a, options)
	if err != nil {
		return g, fmt.Errorf("ask the source: %w", err)
	}
	s.firstPages, s.retried, s.quota.longest = true, math.MaxInt, 5*time.Second
	err = s.readSite(ctx)
	if err == nil {
		err = errors.Join(s.readLists(ctx), s.outOfBudget())
	}
	if commenter, ok := s.source.(source.Commenter); ok && err == nil {
		_, commentsErr := commenter.Comments(ctx, source.CommentQuery{Top: 1})
		g.Comments = commentsErr == nil
	}
	if err == nil && s.readerVersion() != "" {
		g.Texts, g.Notes, err = s.readTexts(ctx)
	}
	if err != nil {
		return g, fmt.Errorf("ask the source: %w", err)
	}
	report := s.finishReport(ctx)
	g.FolderAt = make(map[string]string)
	g.Site = s.site
	if l := s.listOf(record.Article); l != nil {
		g.Total = l.total
	}
	g.Ahead, g.Failed = time.Duration(report.Requests.Ahead)*time.Second, report.Failed
	if warner, ok := s.source.(source.Warner); ok {
		g.Warnings = warner.Warnings()
	}
	for r, err := range a.Records.All(ctx) {
		if err != nil {
			return g, err
		}
		g.add(r)
	}
	return g, nil
}

// add adds what a record of a list shows.
func (g *Greeting) add(r *archive.Record) {
	dates := client.DateTexts(r.List)
	g.Dates = append(g.Dates, dates...)
	switch {
	case r.Kind == record.Article:
		g.Titles = append(g.Titles, r.Title, r.Spot)
		g.Zoned = append(g.Zoned, zoned(dates)...)
		if g.Articles++; g.Host == "" {
			g.Host = host(r.URL)
		}
	case r.Kind == record.Folder:
		if isTop(r.Path) {
			g.Folders = append(g.Folders, r.Path)
		}
		var folder client.Record
		if json.Unmarshal(r.List, &folder) == nil && folder.URL != "" {
			g.FolderAt[folder.URL] = r.Path
		}
	}
}

// readTexts reads the newest single records, and returns how many came and what was not understood of them.
func (s *syncer) readTexts(ctx context.Context) (n int, notes []archive.Note, err error) {
	rows, err := s.dueRows(ctx, s.Now())
	if err != nil {
		return 0, nil, err
	}
	rows = rows[:min(len(rows), s.Texts)]
	if err := sideBySide(ctx, s, "fetch", rows, s.facts.Bulk, func() bool { return s.outOfBudget() == nil }, s.fetchRows); err != nil {
		return 0, nil, err
	}
	notes, err = checked(s.archive.Originals.Notes(ctx))
	return s.report.sum(func(c *Count) int { return c.Fetched }), notes, err
}

// zoned returns dates that have an offset other than UTC's.
func zoned(texts []string) (dates []time.Time) {
	for _, text := range texts {
		for _, layout := range []string{"2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05Z0700", "2006-01-02 15:04:05 Z07:00"} {
			if at, err := time.Parse(layout, strings.TrimSpace(text)); err == nil {
				if _, offset := at.Zone(); offset != 0 {
					dates = append(dates, at)
				}
				break
			}
		}
	}
	return dates
}

func host(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Hostname()
}

// isTop reports whether a path is that of a folder directly below the root.
func isTop(path string) bool {
	name := strings.Trim(path, " /")
	return name != "" && !strings.Contains(name, "/")
}
