package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/chromedp/chromedp"
)

// mostWords is the number of words of the longest query whose cost is measured.
const mostWords = 3

// costQueries is the number of queries of each length.
const costQueries = 20

// printCost prints what queries of one word and more cost a browser that has nothing of the
// site in its cache: the bytes of the index that it loads, and the time until the results
// stand there. The queries are the first words of headlines on the home page.
func printCost(ctx context.Context, page string) error {
	root, name, err := siteOf(page)
	if err != nil {
		return err
	}
	var served atomic.Int64
	files := http.FileServerFS(os.DirFS(root))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		files.ServeHTTP(&counted{w, &served}, r)
	}))
	defer server.Close()
	tab, stop := openTab(ctx)
	defer stop()
	if err := chromedp.Do(tab, chromedp.Navigate(server.URL+"/index.html")); err != nil {
		return err
	}
	headlines, err := chromedp.Run(tab, chromedp.Evaluate[[]string](`[...document.querySelectorAll("main a")].map((a) => a.textContent.trim())`))
	if err != nil {
		return err
	}
	headlines = slices.DeleteFunc(headlines, func(text string) bool { return len(strings.Fields(text)) < mostWords })
	headlines = headlines[:min(len(headlines), costQueries)]
	fmt.Println("| words | queries | kB, median | most | ms, median | most |\n|--:|--:|--:|--:|--:|--:|")
	for words := 1; words <= mostWords; words++ {
		var bytes, times []float64
		for _, text := range headlines {
			query, err := json.Marshal(strings.Join(strings.Fields(text)[:words], " "))
			if err != nil {
				return err
			}
			if err := chromedp.Do(tab, chromedp.Navigate(server.URL+"/"+name)); err != nil {
				return err
			}
			if _, err := answers(tab, nil); err != nil { // waits until the page is ready
				return err
			}
			before := served.Load()
			took, err := chromedp.Run(tab, chromedp.Evaluate[float64](fmt.Sprintf(timer, query), chromedp.EvalAwaitPromise))
			if err != nil {
				return err
			}
			bytes, times = append(bytes, float64(served.Load()-before)/1000), append(times, took)
		}
		if len(times) == 0 {
			return fmt.Errorf("the home page of %s has no headline of %d words", root, mostWords)
		}
		fmt.Printf("| %d | %d | %.0f | %.0f | %.0f | %.0f |\n", words, len(times), median(bytes), slices.Max(bytes), median(times), slices.Max(times))
	}
	return nil
}

// timer asks a query, and returns the milliseconds until the results stand there.
const timer = `(async () => {
	const [form, results] = ["search", "results"].map((id) => document.getElementById(id));
	const start = performance.now();
	form.q.value = %s;
	form.requestSubmit();
	do await new Promise((done) => setTimeout(done, 1)); while (results.ariaBusy !== "false");
	return performance.now() - start;
})()`

func median(values []float64) float64 {
	values = slices.Sorted(slices.Values(values))
	return values[len(values)/2]
}

// siteOf returns the folder of the site to which a search page belongs, and the page's name
// in it.
func siteOf(page string) (root, name string, err error) {
	if page, err = filepath.Abs(page); err != nil {
		return "", "", err
	}
	root = filepath.Dir(filepath.Dir(page))
	name, err = filepath.Rel(root, page)
	return root, filepath.ToSlash(name), err
}

// counted counts the bytes of an answer.
type counted struct {
	http.ResponseWriter
	n *atomic.Int64
}

func (c *counted) Write(p []byte) (int, error) {
	c.n.Add(int64(len(p)))
	return c.ResponseWriter.Write(p)
}
