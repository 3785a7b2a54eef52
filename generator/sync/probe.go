package sync

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"ayna/archive"
	"ayna/client"
	"ayna/generator/wire"
)

// Finding is one thing that a probe found out about the source.
type Finding struct {
	Question string `json:"question"`
	Answer   string `json:"answer"`
}

// probedTop is the page size that the source turned out to give, as state.
const probedTop = "largest top"

// Probe asks the source what it can do, in about twenty requests, each within
// the limits. The archive keeps nothing of it but the largest page size, which
// later runs ask for. The findings are complete as far as the probe came, also
// when there is an error.
func Probe(ctx context.Context, a *archive.Archive, options Options) ([]Finding, error) {
	s, err := newSyncer(ctx, a, options)
	if err != nil {
		return nil, fmt.Errorf("probe: %w", err)
	}
	p := &probe{syncer: s}
	for _, ask := range []func(context.Context) error{
		p.date, p.lists, p.pageSize, p.skipped, p.filters, p.fields, p.singles, p.unknown, p.searched, p.limits,
	} {
		if err := ask(ctx); err != nil {
			return p.findings, fmt.Errorf("probe: %w", err)
		}
	}
	return p.findings, nil
}

type probe struct {
	*syncer
	findings []Finding
	articles client.Batch // the first page
}

func (p *probe) note(question, format string, args ...any) {
	p.findings = append(p.findings, Finding{question, fmt.Sprintf(format, args...)})
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
		if kind == archive.Article {
			p.articles = batch
		}
	}
	return nil
}

func (p *probe) pageSize(ctx context.Context) error {
	const ask, question = 1000, "largest $top"
	batch, err := p.client.List(ctx, client.Articles, client.Query{Top: ask})
	if err != nil {
		return p.failed(ctx, question, err)
	}
	n := len(batch.Records)
	p.note(question, "asked for %d, got %d", ask, n)
	if n <= p.PageSize {
		return nil
	}
	return p.update(ctx, func(tx *archive.Tx) error { return tx.SetState(probedTop, fmt.Sprint(n)) })
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
	var known string
	for _, raw := range p.articles.Records {
		var r client.Article
		if err := json.Unmarshal(raw, &r); err == nil && r.ModifiedDate.After(latest) {
			latest, known = r.ModifiedDate.Time, r.ID
		}
	}
	for _, form := range filterForms {
		question := "filter by date, " + form.name
		batch, err := p.client.List(ctx, client.Articles, client.Query{Top: p.PageSize, Filter: form.write(latest.UTC().Truncate(time.Second))})
		if err != nil {
			if err := p.failed(ctx, question, err); err != nil {
				return err
			}
			continue
		}
		switch holds, matches, _ := compare(batch, latest.Truncate(time.Second), known, map[string]bool{}); {
		case !matches:
			p.note(question, "ignored")
		case !holds:
			p.note(question, "finds nothing")
		default:
			p.note(question, "works")
		}
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
		p.note(question, "%d bytes", len(raw))
	}
	return nil
}

func (p *probe) unknown(ctx context.Context) error {
	const question = "an unknown id"
	raw, err := p.client.Single(ctx, client.Articles, "00000000")
	if err != nil {
		return p.failed(ctx, question, err)
	}
	p.note(question, "a record of %d bytes", len(raw))
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
	batch, err := p.client.SearchBatch(ctx, word, client.Query{Top: 1})
	if err != nil {
		return p.failed(ctx, "search", err)
	}
	var hit client.Hit
	if len(batch.Records) > 0 {
		if err := json.Unmarshal(batch.Records[0], &hit); err != nil {
			return p.failed(ctx, "search", err)
		}
	}
	p.note("search", "%d hits, envelope: %s, with text: %t", batch.Count, batch.Envelope, hit.Text != "")
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
