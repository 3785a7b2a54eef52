package fetch_test

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"ayna/fetch"
	"ayna/source/get"
	"ayna/source/ghost"
	"ayna/source/homepage"
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// Each way to close a site has an error of its own, and a wrong key is not sent twice.
func TestGhostClosed(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	page := func(status int) *fakepaper.Fault {
		return &fakepaper.Fault{Status: status, Body: "<!DOCTYPE html><title>Dur</title>", Header: http.Header{"Content-Type": {"text/html"}}}
	}
	for name, test := range map[string]struct {
		change func(*ghostPaper)
		want   []error
		most   int // requests
	}{
		"hidden key":      {func(p *ghostPaper) { p.HiddenKey = true }, []error{fetch.ErrKey, ghost.ErrHidden}, 1},
		"private":         {func(p *ghostPaper) { p.Private = true }, []error{fetch.ErrKey, ghost.ErrPrivate}, 2},
		"wrong key":       {func(p *ghostPaper) { p.key = strings.Repeat("ab", 13) }, []error{fetch.ErrKey, ghost.ErrRefused}, 1},
		"private, key":    {func(p *ghostPaper) { p.Private, p.key = true, fakepaper.GhostKey }, nil, 12},
		"hidden, key":     {func(p *ghostPaper) { p.HiddenKey, p.key = true, fakepaper.GhostKey }, nil, 12},
		"API elsewhere":   {func(p *ghostPaper) { p.APIBase = "https://admin.example" }, nil, 12},
		"API, no https":   {func(p *ghostPaper) { p.APIBase = "http://admin.example" }, nil, 12},
		"a web page, 403": {func(p *ghostPaper) { p.SetFaults(func(fakepaper.Call) *fakepaper.Fault { return page(403) }) }, []error{fetch.ErrDown, homepage.ErrProtected}, 9},
		"a web page, 200": {func(p *ghostPaper) { p.SetFaults(func(fakepaper.Call) *fakepaper.Fault { return page(200) }) }, []error{fetch.ErrShape, ghost.ErrNone}, 9},
		"API, a password before it": {func(p *ghostPaper) {
			p.SetFaults(func(c fakepaper.Call) *fakepaper.Fault {
				if c.Operation == "page" {
					return nil
				}
				return page(401)
			})
		}, []error{fetch.ErrDown, get.ErrGateway}, 9},
		"API protected": {func(p *ghostPaper) {
			p.SetFaults(func(c fakepaper.Call) *fakepaper.Fault {
				if c.Operation == "page" {
					return nil
				}
				return page(503)
			})
		}, []error{fetch.ErrDown, homepage.ErrProtected}, 9},
	} {
		inVirtualTime(t, name, func(t *testing.T) {
			p := openGhost(t, fakepaper.Options{Items: 20})
			test.change(p)
			r, err := p.run(t)
			for _, want := range test.want {
				if !errors.Is(err, want) {
					t.Errorf("%v, want %v", err, want)
				}
			}
			if err != nil && test.want == nil || len(p.Requests()) > test.most {
				t.Errorf("%v after %d requests: %+v", err, len(p.Requests()), r.Failed)
			}
			if err == nil && strings.Contains(strings.Join(p.held(t), ""), fakepaper.GhostKey) {
				t.Error("the key is stored")
			}
		})
	}
}

// A refused key is not sent again, by no later run of a day, and another one is.
func TestGhostRefusedKey(t *testing.T) {
	withClock(t, func(t *testing.T) {
		p := openGhost(t, fakepaper.Options{Items: 20})
		p.key = strings.Repeat("ab", 13)
		sent := 0
		for range 5 {
			if _, err := p.run(t); !errors.Is(err, ghost.ErrRefused) {
				t.Errorf("%v", err)
			}
			sent += len(p.Requests())
			time.Sleep(time.Hour)
		}
		if sent != 1 {
			t.Errorf("the wrong key was sent %d times", sent)
		}
		p.key = fakepaper.GhostKey
		p.mustRun(t)
	})
}

// A paper keeps its mirror under another title, and one with another id is another paper.
func TestGhostAnotherPaper(t *testing.T) {
	testrun.NotShort(t)
	withClock(t, func(t *testing.T) {
		p := openGhost(t, fakepaper.Options{Items: 60})
		p.mustRun(t)
		time.Sleep(time.Hour)
		p.Rename("Yeni ad")
		if r := p.mustRun(t); r.Requests.Sent > 6 {
			t.Errorf("another title: %d requests", r.Requests.Sent)
		}
		before := p.held(t)
		time.Sleep(time.Hour)
		p.Replace("Yeni ad")
		if _, err := p.run(t); !errors.Is(err, fetch.ErrAnother) || !slices.Equal(p.held(t), before) {
			t.Errorf("another paper of this title: %v", err)
		}
	})
}
