package server

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"html/template"
	"net/http"
	"strconv"
	"sync"
	"time"

	"ayna/generator/site"
)

var (
	//go:embed building.html
	buildingText     string
	buildingTemplate = template.Must(template.New("building.html").Parse(buildingText))
)

// buildingPolicy is the Content-Security-Policy of the page: it loads nothing.
const buildingPolicy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Building is the page that stands in place of a site until the first build has published it.
// It answers 503, and reloads itself.
type Building struct {
	Title, Language string // of the site
	Words           *site.Words
	// Count returns how many records have arrived, and how many are known; nil shows none.
	Count func(context.Context) (arrived, known int, err error)

	mu      sync.Mutex
	counted time.Time
	count   string // as the page shows it
}

// ServeHTTP implements [http.Handler].
func (b *Building) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	const seconds = 10 // until the page reloads itself
	language := cmp.Or(b.Words.Mark, b.Language)
	var page bytes.Buffer
	err := buildingTemplate.Execute(&page, map[string]any{
		"Language": language, "Direction": site.Direction(language), "Title": b.Title, "Words": b.Words, "Seconds": seconds, "Count": b.progress(r.Context()),
	})
	if err != nil {
		http.Error(w, "the site is not there yet", http.StatusServiceUnavailable) // no title makes it fail
		return
	}
	h := w.Header()
	h.Set("Content-Type", site.ContentType("index.html"))
	h.Set("Content-Security-Policy", buildingPolicy)
	h.Set("Cache-Control", "no-store")
	h.Set("Retry-After", strconv.Itoa(seconds))
	w.WriteHeader(http.StatusServiceUnavailable)
	w.Write(page.Bytes())
}

// progress returns how much has arrived, counted at most every two seconds.
func (b *Building) progress(ctx context.Context) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.Count == nil || time.Since(b.counted) < checkInterval {
		return b.count
	}
	// Other visitors see the count as well, so it goes on if this one leaves.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	b.count = ""
	if arrived, known, err := b.Count(ctx); err == nil && known > 0 {
		b.count = fmt.Sprintf(b.Words.BuildingCount, b.Words.Digits(arrived), b.Words.Digits(known))
	}
	b.counted = time.Now()
	return b.count
}
