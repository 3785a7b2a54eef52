// Search asks the search page of a published site the queries of a language, in Chromium and
// from a disk, and counts how often the text that must come first does.
//
//	go run ./bench/search -page DIR/public/arama/index.html -language tr -queries bench/search/queries.txt
//	go run ./bench/search -page DIR/public/arama/index.html -cost
//
// The second command measures instead what a query loads, and how long it takes.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/chromedp"
)

// driver asks queries one after the other, and returns the titles on the first pages.
const driver = `(async () => {
	const [form, results] = ["search", "results"].map((id) => document.getElementById(id)), all = [];
	const settled = async () => { do await new Promise((done) => setTimeout(done, 20)); while (results.ariaBusy !== "false"); };
	await settled();
	for (const query of QUERIES) {
		form.q.value = query;
		form.requestSubmit();
		await settled();
		all.push([...results.querySelectorAll("a")].map((a) => a.textContent));
	}
	return all;
})()`

func main() {
	page := flag.String("page", "", "the search `page` of a published site")
	language := flag.String("language", "", "ask the queries of this `language`")
	list := flag.String("queries", "bench/search/queries.txt", "the `file` of the queries")
	verbose := flag.Bool("v", false, "print each query whose text is not first")
	measure := flag.Bool("cost", false, "measure the bytes and the time of queries")
	flag.Parse()
	if *measure {
		if err := printCost(context.Background(), *page); err != nil {
			log.Fatal(err)
		}
		return
	}
	content, err := os.ReadFile(*list)
	if err != nil {
		log.Fatal(err)
	}
	var queries, titles []string
	for line := range strings.Lines(string(content)) {
		query, title, ok := strings.Cut(strings.TrimSpace(line), " = ")
		if query, of := strings.CutPrefix(query, *language+" "); ok && of {
			queries, titles = append(queries, query), append(titles, title)
		}
	}
	found, err := ask(*page, queries)
	if err != nil {
		log.Fatal(err)
	}
	first, ten := 0, 0
	for i, title := range titles {
		at := slices.Index(found[i], title)
		if at == 0 {
			first++
		}
		if at >= 0 {
			ten++
		}
		if *verbose && at != 0 {
			fmt.Printf("%s: %q is at %d of %q\n", queries[i], title, at+1, found[i][:min(len(found[i]), 3)])
		}
	}
	fmt.Printf("%s: of %d queries %d have the text first, %d among ten\n", *language, len(queries), first, ten)
}

// ask returns the titles that the page shows first for each query.
func ask(page string, queries []string) ([][]string, error) {
	path, err := filepath.Abs(page)
	if err != nil {
		return nil, err
	}
	tab, stop := openTab(context.Background())
	defer stop()
	if err := chromedp.Do(tab, chromedp.Navigate("file://"+filepath.ToSlash(path))); err != nil {
		return nil, err
	}
	return answers(tab, queries)
}

// answers asks the page in a tab the queries, and returns the titles that it shows first.
func answers(tab context.Context, queries []string) ([][]string, error) {
	encoded, err := json.Marshal(append([]string{}, queries...))
	if err != nil {
		return nil, err
	}
	return chromedp.Run(tab, chromedp.Evaluate[[][]string](strings.Replace(driver, "QUERIES", string(encoded), 1), chromedp.EvalAwaitPromise))
}

// openTab starts a browser with one tab.
func openTab(ctx context.Context) (tab context.Context, stop func()) {
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.DisableGPU)
	allocated, end := chromedp.NewExecAllocator(ctx, options...)
	tab, close := chromedp.NewContext(allocated)
	tab, cancel := context.WithTimeout(tab, 10*time.Minute)
	return tab, func() { cancel(); close(); end() }
}
