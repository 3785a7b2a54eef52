// Search asks the search page of a published site the queries of a language, in Chromium and
// from a disk, and counts how often the text that must come first does.
//
//	go run ./bench/search -page DIR/public/arama/index.html -language tr -queries bench/search/queries.txt
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
	flag.Parse()
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
	answers, err := ask(*page, queries)
	if err != nil {
		log.Fatal(err)
	}
	first, ten := 0, 0
	for i, title := range titles {
		at := slices.Index(answers[i], title)
		if at == 0 {
			first++
		}
		if at >= 0 {
			ten++
		}
		if *verbose && at != 0 {
			fmt.Printf("%s: %q is at %d of %q\n", queries[i], title, at+1, answers[i][:min(len(answers[i]), 3)])
		}
	}
	fmt.Printf("%s: of %d queries %d have the text first, %d among ten\n", *language, len(queries), first, ten)
}

// ask returns the titles that the page shows first for each query.
func ask(page string, queries []string) (answers [][]string, err error) {
	encoded, err := json.Marshal(queries)
	if err != nil {
		return nil, err
	}
	path, err := filepath.Abs(page)
	if err != nil {
		return nil, err
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.DisableGPU)
	allocated, stop := chromedp.NewExecAllocator(context.Background(), options...)
	defer stop()
	tab, close := chromedp.NewContext(allocated)
	defer close()
	tab, cancel := context.WithTimeout(tab, 10*time.Minute)
	defer cancel()
	if err := chromedp.Do(tab, chromedp.Navigate("file://"+filepath.ToSlash(path))); err != nil {
		return nil, err
	}
	return chromedp.Run(tab, chromedp.Evaluate[[][]string](strings.Replace(driver, "QUERIES", string(encoded), 1), chromedp.EvalAwaitPromise))
}
