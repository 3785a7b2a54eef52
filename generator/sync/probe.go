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

// Probe detects what the source supports, in about twenty requests within the limits.
// The archive keeps the findings that save later runs a request: the largest page, envelopes, where ids are in addresses and the answer for an
// unknown id. Probe returns the findings made before an error, too.
func Probe(ctx context.Context, a *archive.Archive, options Options) ([]Finding, error) {
	s, err := newSyncer(ctx, a, options)
	if err != nil {
		return nil, fmt.Errorf("probe: %w", err)
	}
	p := &probe{syncer: s}
	for _, step := range []func(context.Context){p.date, p.lists, p.pages, p.singles, p.search} {
		step(ctx)
	}
	if p.err == nil {
		limits := "none known"
		if left, limited := p.quota.allowance(p.Now()); limited {
			limits = fmt.Sprintf("%d requests left of this hour", left)
		}
		p.findings = append(p.findings, Finding{Question: "limits", Answer: limits, Shown: true})
	}
	if err = errors.Join(p.err, p.saveFindings(ctx)); err != nil {
		err = fmt.Errorf("probe: %w", err)
	}
	return p.findings, err
}

type probe struct {
	*syncer
	findings []Finding
	articles client.Batch // the first page
	err      error        // ends the probe
}

// ask adds the answer that request returns, or its error, to the findings. After an error
// that ends the probe it does nothing.
func (p *probe) ask(ctx context.Context, question string, request func() (string, error)) {
	if p.err != nil {
		return
	}
	answer, err := request()
	if err = p.classify(ctx, err); isFatal(err) || isBudget(err) {
		p.err = err
		return
	}
	if err != nil {
		if answer = describeAnswer(err); answer == "" {
			answer = err.Error()
		}
	}
	p.findings = append(p.findings, Finding{Question: question, Answer: answer, Shown: true})
}

func (p *probe) date(ctx context.Context) {
	p.ask(ctx, "date", func() (string, error) {
		at, err := p.client.Date(ctx)
		return fmt.Sprintf("%s, %s from the clock here", at.UTC().Format(time.RFC1123), at.Sub(p.Now()).Abs().Round(time.Second)), err
	})
}

func (p *probe) lists(ctx context.Context) {
	for _, kind := range archive.Kinds {
		group := wire.Groups[kind]
		p.ask(ctx, "list "+string(group), func() (string, error) {
			batch, err := p.client.List(ctx, group, client.Query{Top: p.PageSize})
			if err != nil {
				return "", err
			}
			p.source.set(envelopeOf+string(group), batch.Envelope)
			if kind == archive.Article {
				p.articles = batch
			}
			return fmt.Sprintf("%d records, envelope: %s", len(batch.Records), batch.Envelope), nil
		})
	}
}

func (p *probe) pages(ctx context.Context) {
	const top = 1000
	p.ask(ctx, largestTop, func() (string, error) {
		batch, err := p.client.List(ctx, client.Articles, client.Query{Top: top})
		n := len(batch.Records)
		if err == nil && n >= len(p.articles.Records) { // else the list is moving
			p.source.set(largestTop, strconv.Itoa(n))
		}
		return fmt.Sprintf("requested %d, received %d", top, n), err
	})
	if len(p.articles.Records) < 2 {
		return
	}
	p.ask(ctx, "$skip", func() (string, error) {
		batch, err := p.client.List(ctx, client.Articles, client.Query{Top: 1, Skip: 1})
		switch idAt(batch.Records, 0) {
		case "":
			return "no record", err
		case idAt(p.articles.Records, 1):
			return "works", err
		case idAt(p.articles.Records, 0):
			return "ignored", err
		}
		return "the list is moving", err
	})
}

func (p *probe) singles(ctx context.Context) {
	for _, kind := range []archive.Kind{archive.Article, archive.Writer, archive.Folder} {
		group, batch := wire.Groups[kind], p.articles
		if kind != archive.Article && p.err == nil {
			batch, _ = p.client.List(ctx, group, client.Query{Top: 1}) // lists has recorded its error
		}
		if id := idAt(batch.Records, 0); id != "" {
			p.ask(ctx, "single of "+string(group), func() (string, error) {
				raw, err := p.client.Single(ctx, group, id)
				return fmt.Sprintf("%d bytes, its id in the %s", len(raw), p.client.Place(group)), err
			})
		}
	}
	p.ask(ctx, unknownID, func() (string, error) {
		raw, err := p.client.Single(ctx, client.Articles, "00000000")
		if answer := describeAnswer(err); answer != "" {
			p.source.set(unknownID, answer)
		}
		return fmt.Sprintf("a record of %d bytes", len(raw)), err
	})
}

// search looks for the first word of the newest title.
func (p *probe) search(ctx context.Context) {
	var newest client.Article
	if len(p.articles.Records) == 0 || json.Unmarshal(p.articles.Records[0], &newest) != nil {
		return // lists has recorded that
	}
	word, _, _ := strings.Cut(strings.TrimSpace(newest.Title), " ")
	p.ask(ctx, "search", func() (string, error) {
		batch, err := p.client.SearchBatch(ctx, word, client.Query{Top: 10})
		if err != nil {
			return "", err
		}
		p.source.set(envelopeOf+"search", batch.Envelope)
		text := false
		for _, raw := range batch.Records {
			text = text || hasText(raw)
		}
		return fmt.Sprintf("%d hits, envelope: %s, with text: %t", batch.Count, batch.Envelope, text), nil
	})
}

// idAt returns the id of the record at i, "" if the record or its id is missing.
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
