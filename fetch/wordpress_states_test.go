package fetch_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"ayna/fetch"
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// Each state of a post leads on: it is withdrawn and comes back, gets a password and loses
// it, loses its text and gets another one, moves into a folder that is not mirrored and
// back, with and without a new date, while runs have few requests. In the end the archive
// has what is public, as it is now, and nothing else.
func TestWordPressStates(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	const uncategorized = 1
	unwanted := func(paths []string) bool { return strings.HasPrefix(paths[0], "/spor/") }
	for seed := range seeds(1, 60) {
		inVirtualTime(t, fmt.Sprint(seed), func(t *testing.T) {
			random := rand.New(rand.NewPCG(uint64(seed), 1))
			p := openPress(t, fakepaper.Options{Items: 30})
			p.options.Wants = func(paths []string) bool { return !unwanted(paths) }
			sport := 0
			for _, c := range p.Categories() {
				if c.Slug == "spor" {
					sport = c.ID
				}
			}
			words := 0
			changes := []func(*fakepaper.Post){
				func(post *fakepaper.Post) { post.Status = "trash" },
				func(post *fakepaper.Post) { post.Status, post.Protected = "publish", false },
				func(post *fakepaper.Post) { post.Protected = true },
				func(post *fakepaper.Post) { post.Text, post.Modified = "", time.Now() },
				func(post *fakepaper.Post) { post.Categories = []int{sport} },
				func(post *fakepaper.Post) { post.Categories = []int{uncategorized} },
				func(post *fakepaper.Post) { post.Sticky = !post.Sticky },
				func(post *fakepaper.Post) {
					words++
					post.Text, post.Modified = fmt.Sprintf("<p>kelime%dx</p>", words), time.Now()
				},
			}
			var ids []int
			history := make(map[int][]string)
			for _, post := range p.Posts("posts") {
				ids = append(ids, post.ID)
			}
			for round := range 40 {
				for range random.IntN(4) {
					id, change, amend := ids[random.IntN(len(ids))], random.IntN(len(changes)), p.Amend
					if random.IntN(2) == 0 {
						amend = p.Edit
					}
					amend(id, changes[change])
					history[id] = append(history[id], fmt.Sprintf("change %d in round %d", change, round))
				}
				if random.IntN(8) == 0 {
					ids = append(ids, p.Publish(fakepaper.Post{Title: "Yeni", Text: "<p>Yeni</p>", Protected: random.IntN(3) == 0}))
				}
				p.options.Budget = random.IntN(2) * (1 + random.IntN(15))
				if _, err := p.run(t); err != nil && !errors.Is(err, fetch.ErrBudget) {
					t.Fatal(err)
				}
				time.Sleep([]time.Duration{time.Second, time.Minute, time.Hour, 7 * time.Hour, 50 * time.Hour}[random.IntN(5)])
			}
			p.options.Budget = 0
			for range 6 { // a text that is gone while its date stands still is believed after days
				if _, err := p.run(t); err != nil {
					t.Fatal(err)
				}
				time.Sleep(30 * time.Hour)
			}
			public := make(map[int]string)
			for _, post := range p.Posts("posts") {
				if !post.Protected {
					public[post.ID] = post.Text
				}
			}
			for _, id := range ids {
				text, isPublic := public[id]
				if r := p.find(t, id); r == nil && isPublic || r != nil && (r.GoneAt.IsZero() != isPublic ||
					isPublic && !unwanted([]string{r.Path}) && (r.Single == nil || r.FetchDue || r.Recheck || strings.Contains(text, "kelime") && !strings.Contains(string(r.Single), text))) {
					t.Errorf("post %d, public %t, is %+v after %q", id, isPublic, r, history[id])
				}
			}
		})
	}
}

// A cache in front of WordPress repeats a text that was edited meanwhile. The text of now
// comes once the cache has it.
func TestWordPressCachedText(t *testing.T) {
	testrun.NotShort(t)
	withClock(t, func(t *testing.T) {
		p := openPress(t, fakepaper.Options{Items: 30})
		cache := make(map[string]*httptest.ResponseRecorder)
		p.options.Concurrency = 1
		p.options.Hosts[host] = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !r.URL.Query().Has("include") {
				p.ServeHTTP(w, r)
				return
			}
			answer := cache[r.URL.String()]
			if answer == nil {
				answer = httptest.NewRecorder()
				p.ServeHTTP(answer, r)
				cache[r.URL.String()] = answer
			}
			maps.Copy(w.Header(), answer.Header())
			if _, err := w.Write(answer.Body.Bytes()); err != nil {
				t.Error(err)
			}
		})
		id := p.Posts("posts")[3].ID
		for i := range 3 {
			p.Edit(id, func(post *fakepaper.Post) { post.Text = fmt.Sprintf("<p>kelime%dx</p>", i) })
			if _, err := p.run(t); err != nil {
				t.Fatal(err)
			}
			time.Sleep(10 * time.Minute)
		}
		clear(cache)
		time.Sleep(2 * time.Hour)
		p.mustRun(t)
		if r := p.get(t, id); !strings.Contains(string(r.Single), "kelime2x") {
			t.Errorf("%s", r.Single)
		}
	})
}
