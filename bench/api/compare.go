//go:build linux

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// content holds the ids, dates and words for requests.
type content struct {
	random *rand.Rand
	ids    []string
	dates  []string
	words  []string // used from the end, each once; the last are the first found in texts
}

// kind is a kind of request.
type kind struct {
	name string
	slow bool // make only a tenth of the requests
	path func(*content) string
}

var kinds = []kind{
	{"date, which reads nothing", false, func(*content) string { return "/v1/date" }},
	{"single", false, func(c *content) string { return "/v1/articles/" + c.ids[c.random.IntN(len(c.ids))] }},
	{"list of 50", false, func(*content) string { return "/v1/articles" }},
	{"list of 50, random $skip", false, func(c *content) string { return fmt.Sprintf("/v1/articles?$skip=%d", c.random.IntN(len(c.ids))) }},
	{"ten with $select", false, func(*content) string { return "/v1/articles?$top=10&$select=Id,Title,Path" }},
	{"ten, filter by date", false, func(c *content) string {
		return "/v1/articles?$top=10&$filter=ModifiedDate%20ge%20Datetime'" + c.dates[c.random.IntN(len(c.dates))] + "'"
	}},
	{"list of 50, $count", false, func(*content) string { return "/v1/articles?$count=true" }},
	{"search, new word", true, func(c *content) string {
		last := len(c.words) - 1
		word := c.words[last]
		c.words = c.words[:last]
		return "/v1/search/" + word
	}},
}

// gather reads up to 25,000 ids and dates from the list of articles, and words
// from 400 texts.
func gather(ctx context.Context, p *process) (*content, error) {
	c := &content{random: rand.New(rand.NewPCG(1, 2))}
	for {
		body, err := p.get(ctx, fmt.Sprintf("/v1/articles?$select=Id,CreatedDate&$skip=%d", len(c.ids)))
		if err != nil {
			return nil, err
		}
		var page []struct{ ID, CreatedDate string }
		if err := json.Unmarshal(body, &page); err != nil {
			return nil, err
		}
		for _, record := range page {
			c.ids, c.dates = append(c.ids, record.ID), append(c.dates, record.CreatedDate)
		}
		if len(page) == 0 || len(c.ids) >= 25_000 {
			break
		}
	}
	if len(c.ids) == 0 {
		return nil, errors.New("the archive has no articles")
	}
	seen := make(map[string]bool)
	markup := regexp.MustCompile(`<[^>]*>|\\r\\n`)
	for range 400 {
		body, err := p.get(ctx, "/v1/articles/"+c.ids[c.random.IntN(len(c.ids))]+"?$select=Text")
		if err != nil {
			return nil, err
		}
		text := markup.ReplaceAllString(strings.TrimPrefix(string(body), `{"Text":`), " ")
		for _, word := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
			if word = strings.ToLowerSpecial(unicode.TurkishCase, word); !seen[word] {
				seen[word] = true
				c.words = append(c.words, word)
			}
		}
	}
	slices.Reverse(c.words)
	return c, nil
}

// compare prints the CPU time of each kind of request for each server.
func compare(ctx context.Context, servers []*process, s settings) error {
	c, err := gather(ctx, servers[0])
	if err != nil {
		return err
	}
	fmt.Printf("%d articles, %d words; CPU ms a request, medians of %d rounds\n\n| request |", len(c.ids), len(c.words), s.rounds)
	for _, p := range servers {
		fmt.Printf(" %s |", filepath.Base(filepath.Dir(p.program))+"/"+filepath.Base(p.program))
	}
	fmt.Println(" ratio |")
	for _, k := range kinds {
		if !strings.Contains(k.name, s.only) {
			continue
		}
		costs := make([][]float64, len(servers))
		for range s.rounds {
			n := s.requests
			if k.slow {
				n /= 10
				if len(c.words) < n {
					return fmt.Errorf("%d requests: no new words are left; make fewer", s.requests)
				}
			}
			paths := make([]string, n)
			for i := range paths {
				paths[i] = k.path(c)
			}
			for i, p := range servers {
				cost, err := measure(ctx, p, paths)
				if err != nil {
					return err
				}
				costs[i] = append(costs[i], cost)
			}
		}
		fmt.Printf("| %s |", k.name)
		for _, list := range costs {
			slices.Sort(list)
			fmt.Printf(" %.3f |", list[len(list)/2])
		}
		last := costs[len(costs)-1]
		fmt.Printf(" %.3f |\n", last[len(last)/2]/costs[0][len(costs[0])/2])
	}
	for _, p := range servers {
		now, peak, err := p.memory()
		if err != nil {
			return err
		}
		fmt.Printf("\n%s: %.0f MiB, at most %.0f", p.program, now, peak)
	}
	fmt.Println()
	return nil
}

// measure returns the CPU time of a request in milliseconds.
func measure(ctx context.Context, p *process, paths []string) (float64, error) {
	before, err := p.cpu()
	if err != nil {
		return 0, err
	}
	for _, path := range paths {
		if _, err := p.get(ctx, path); err != nil {
			return 0, err
		}
	}
	after, err := p.cpu()
	return (after - before) / float64(len(paths)), err
}
