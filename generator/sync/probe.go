package sync

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"ayna/archive"
	"ayna/client"
	"ayna/generator/wire"
)

// Probe asks the source what it can do, in about twenty requests, each within
// the limits. The archive keeps what saves later runs a request: the largest
// page, the form of a date filter, envelopes, where ids go, what an unknown id
// gets, and whether hits of a search carry their text. The findings are complete
// as far as the probe came, also when there is an error.
func Probe(ctx context.Context, a *archive.Archive, options Options) ([]Finding, error) {
	s, err := newSyncer(ctx, a, options)
	if err != nil {
		return nil, fmt.Errorf("probe: %w", err)
	}
	p := &probe{syncer: s}
	for _, ask := range []func(context.Context) error{
		p.date, p.lists, p.pageSize, p.skipped, p.filters, p.fields, p.singles, p.unknown, p.searched, p.limits,
	} {
		if err = ask(ctx); err != nil {
			break
		}
	}
	if err = errors.Join(err, p.remember(ctx)); err != nil {
		err = fmt.Errorf("probe: %w", err)
	}
	return p.findings, err
}

type probe struct {
	*syncer
	findings []Finding
	articles client.Batch // the first page
}

func (p *probe) note(question, format string, args ...any) {
	p.findings = append(p.findings, Finding{Question: question, Answer: fmt.Sprintf(format, args...), Shown: true})
}

// failed notes an error as the answer, unless no further question is worth it.
func (p *probe) failed(ctx context.Context, question string, err error) error {
	if err = p.judge(ctx, err); fatal(err) || spent(err) {
		return err
	}
	var e *client.Error
	switch {
	case errors.As(err, &e) && e.Status != 0:
		p.note(question, "status %d%s", e.Status, because(e))
	default:
		p.note(question, "%v", err)
	}
	return nil
}

func because(e *client.Error) string {
	if e.Err != nil && e.Status == 200 {
		return ", " + e.Err.Error()
	}
	return ""
}

func (p *probe) date(ctx context.Context) error {
	at, err := p.client.Date(ctx)
	if err != nil {
		return p.failed(ctx, "date", err)
	}
	p.note("date", "%s, %s from the clock here", at.UTC().Format(time.RFC1123), at.Sub(p.now()).Abs().Round(time.Second))
	return nil
}

func (p *probe) lists(ctx context.Context) error {
	for _, kind := range archive.Kinds {
		group := wire.Groups[kind]
		question := "list " + string(group)
		batch, err := p.client.List(ctx, group, client.Query{Top: p.PageSize})
		if err != nil {
			if err := p.failed(ctx, question, err); err != nil {
				return err
			}
			continue
		}
		p.note(question, "%d records, envelope: %s", len(batch.Records), batch.Envelope)
		p.source.see(envelopeOf+string(group), batch.Envelope)
		if kind == archive.Article {
			p.articles = batch
		}
	}
	return nil
}

func (p *probe) pageSize(ctx context.Context) error {
	const ask = 1000
	batch, err := p.client.List(ctx, client.Articles, client.Query{Top: ask})
	if err != nil {
		return p.failed(ctx, largestTop, err)
	}
	n := len(batch.Records)
	p.note(largestTop, "asked for %d, got %d", ask, n)
	if n >= len(p.articles.Records) { // else the list is moving
		p.source.see(largestTop, strconv.Itoa(n))
	}
	return nil
}

func (p *probe) skipped(ctx context.Context) error {
	if len(p.articles.Records) < 2 {
		return nil
	}
	batch, err := p.client.List(ctx, client.Articles, client.Query{Top: 1, Skip: 1})
	if err != nil {
		return p.failed(ctx, "$skip", err)
	}
	switch first, err := idOf(batch.Records); {
	case err != nil:
		p.note("$skip", "no record")
	case first == idAt(p.articles.Records, 1):
		p.note("$skip", "works")
	case first == idAt(p.articles.Records, 0):
		p.note("$skip", "ignored")
	default:
		p.note("$skip", "the list is moving")
	}
	return nil
}

func (p *probe) filters(ctx context.Context) error {
	if len(p.articles.Records) == 0 {
		return nil
	}
	var latest time.Time
	known := make(map[string]bool)
	for _, raw := range p.articles.Records {
		var r client.Article
		if err := json.Unmarshal(raw, &r); err == nil && r.ModifiedDate.After(latest) {
			latest, known = r.ModifiedDate.Time, map[string]bool{r.ID: true}
		}
	}
	works, told := noFilter, len(known) > 0
	for _, form := range filterForms {
		question := dateFilter + ", " + form.name
		batch, err := p.client.List(ctx, client.Articles, client.Query{Top: p.PageSize, Filter: form.write(latest.UTC().Truncate(time.Second))})
		if err != nil {
			if err := p.failed(ctx, question, err); err != nil {
				return err
			}
			told = told && statusOf(err) != 0
			continue
		}
		switch _, holds, matches := compare(batch, latest.Truncate(time.Second), known, new(walk)); {
		case !matches:
			p.note(question, "ignored")
		case !holds:
			p.note(question, "finds nothing")
		default:
			p.note(question, "works")
			if works == noFilter {
				works = form.name
			}
		}
	}
	if told || works != noFilter {
		p.source.see(dateFilter, works)
	}
	return nil
}

func (p *probe) fields(ctx context.Context) error {
	for _, q := range []client.Query{{Top: 1, Select: []string{"Id", "Files"}}, {Top: 1, Select: []string{"Id", "Files"}, Expand: []string{"Files"}}} {
		question := "$select=" + strings.Join(q.Select, ",")
		if len(q.Expand) > 0 {
			question += " with $expand"
		}
		batch, err := p.client.List(ctx, client.Articles, q)
		if err != nil {
			if err := p.failed(ctx, question, err); err != nil {
				return err
			}
			continue
		}
		names := make(map[string]json.RawMessage)
		if len(batch.Records) > 0 {
			// What is no object has no names.
			_ = json.Unmarshal(batch.Records[0], &names)
		}
		p.note(question, "%d fields, Files among them: %t", len(names), names["Files"] != nil)
	}
	return nil
}

func (p *probe) singles(ctx context.Context) error {
	for _, kind := range []archive.Kind{archive.Article, archive.Writer, archive.Folder} {
		group := wire.Groups[kind]
		batch := p.articles
		if kind != archive.Article {
			var err error
			if batch, err = p.client.List(ctx, group, client.Query{Top: 1}); err != nil {
				continue // noted with the lists
			}
		}
		id, err := idOf(batch.Records)
		if err != nil {
			continue
		}
		question := "single of " + string(group)
		raw, err := p.client.Single(ctx, group, id)
		if err != nil {
			if err := p.failed(ctx, question, err); err != nil {
				return err
			}
			continue
		}
		p.note(question, "%d bytes, its id in the %s", len(raw), p.client.Place(group))
	}
	return nil
}

func (p *probe) unknown(ctx context.Context) error {
	raw, err := p.client.Single(ctx, client.Articles, "00000000")
	if answer := outcome(err); answer != "" {
		p.source.see(unknownID, answer)
	}
	if err != nil {
		return p.failed(ctx, unknownID, err)
	}
	p.note(unknownID, "a record of %d bytes", len(raw))
	return nil
}

func (p *probe) searched(ctx context.Context) error {
	if len(p.articles.Records) == 0 {
		return nil
	}
	var newest client.Article
	if err := json.Unmarshal(p.articles.Records[0], &newest); err != nil {
		return nil // the list has told
	}
	word, _, _ := strings.Cut(strings.TrimSpace(newest.Title), " ")
	batch, err := p.client.SearchBatch(ctx, word, client.Query{Top: 10})
	if err != nil {
		return p.failed(ctx, "search", err)
	}
	p.source.see(envelopeOf+"search", batch.Envelope)
	text := false
	for _, raw := range batch.Records {
		text = p.sawText(raw) || text
	}
	p.note("search", "%d hits, envelope: %s, with text: %t", batch.Count, batch.Envelope, text)
	return nil
}

func (p *probe) limits(context.Context) error {
	left, limited := p.ledger.allowance(p.now())
	if limited {
		p.note("limits", "%d requests left of this hour", left)
	} else {
		p.note("limits", "none known")
	}
	return nil
}

var errNoRecord = errors.New("no record")

// idOf returns the id of the first record.
func idOf(records []json.RawMessage) (string, error) {
	if id := idAt(records, 0); id != "" {
		return id, nil
	}
	return "", errNoRecord
}

// idAt returns the id of a record, "" if there is none.
func idAt(records []json.RawMessage, i int) string {
	if i >= len(records) {
		return ""
	}
	id, err := wire.ID(records[i])
	if err != nil {
		return ""
	}
	return id
}
