package ghost

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ayna/source/encode"
)

var update = flag.Bool("update", false, "write the golden files anew")

// answerOf reads the elements of a recorded answer.
func answerOf[T any](t *testing.T, file, name string) (all []T) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", file+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var object map[string]json.RawMessage
	var list []json.RawMessage
	if err := json.Unmarshal(data, &object); err != nil {
		t.Fatal(file, err)
	}
	if err := json.Unmarshal(object[name], &list); err != nil {
		t.Fatal(file, err)
	}
	for _, raw := range list {
		value, err := encode.Read[T](raw)
		if err != nil {
			t.Fatal(file, err)
		}
		all = append(all, value)
	}
	return all
}

// TestRecorded makes records of the answers of a real Ghost: each card of its editor, posts
// for members, pages, tags and authors.
func TestRecorded(t *testing.T) {
	var b strings.Builder
	write := func(raw []byte) {
		var indented bytes.Buffer
		if err := json.Indent(&indented, raw, "", "\t"); err != nil {
			t.Fatal(err)
		}
		b.WriteString(indented.String() + "\n")
	}
	for _, file := range []string{"posts-cards", "posts-members", "posts-textless", "pages"} {
		name, _, _ := strings.Cut(file, "-")
		for i, p := range answerOf[post](t, file, name) {
			b.WriteString("== " + p.Slug + "\n")
			p.isPage = file == "pages"
			write(encode.Encode(listRecord(p.entry)))
			single, notes := singleRecord(p, answerOf[json.RawMessage](t, file, name)[i], "127.0.0.1")
			write(encode.Encode(single))
			b.WriteString("notes: " + notes.String() + "\n")
		}
	}
	for _, tag := range answerOf[tag](t, "tags", "tags") {
		if tag.isPublic() {
			write(folder(tag))
		}
	}
	for _, a := range answerOf[author](t, "authors", "authors") {
		write(writer(a))
	}
	const golden = "testdata/records.golden"
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || b.String() != string(want) {
		t.Errorf("%v: the records differ from %s; look at them with -update", err, golden)
	}
}

// The list of all posts at once and the paged one give the same list records.
func TestListRecords(t *testing.T) {
	at := make(map[string]string)
	for _, e := range answerOf[entry](t, "search-index-posts", "posts") {
		at[e.ID] = string(encode.Encode(listRecord(e)))
	}
	for _, want := range at {
		if strings.Contains(want, "excerpt") || !strings.Contains(want, `"ModifiedDate":"2026-11-23T`) {
			t.Error(want)
		}
	}
}

// The picture of a sound stands before its player, a card without a player stays as it is, and
// captions and headings keep their links.
func TestCards(t *testing.T) {
	for _, test := range [][2]string{
		{`<div class="kg-card kg-audio-card"><img src="/a.jpg" alt="audio-thumbnail" class="kg-audio-thumbnail"><div class="kg-audio-title">Söz</div><audio src="/a.mp3"></audio></div>`,
			`<div><img src="https://e.example/a.jpg"/><audio src="https://e.example/a.mp3" title="Söz" preload="none" controls=""></audio></div>`},
		{`<div class="kg-card kg-audio-card"><img src="" class="kg-audio-thumbnail kg-audio-hide"><audio src="/a.mp3"></audio></div>`,
			`<div><audio src="https://e.example/a.mp3" title="a.mp3" preload="none" controls=""></audio></div>`},
		{`<figure class="kg-card kg-video-card"><video src="/a.mp4"></video><figcaption>Film: <a href="/b/">B</a></figcaption></figure>`,
			`<figure><video src="https://e.example/a.mp4" title="a.mp4" preload="none" controls=""></video><figcaption>Film: <a href="https://e.example/b/">B</a></figcaption></figure>`},
		{`<figure class="kg-card kg-bookmark-card"><a class="kg-bookmark-container" href="/c/"><div class="kg-bookmark-title">C</div></a><figcaption>Bkz. <a href="/b/">B</a></figcaption></figure>`,
			`<figure><p><strong><a href="https://e.example/c/">C</a></strong><br/>Bkz. <a href="https://e.example/b/">B</a></p></figure>`},
		{`<div class="kg-card kg-toggle-card"><div class="kg-toggle-heading"><h4 class="kg-toggle-heading-text">Bu <a href="/b/">B</a> mi?</h4></div><div class="kg-toggle-content">Evet</div></div>`,
			`<details><summary>Bu <a href="https://e.example/b/">B</a> mi?</summary><div>Evet</div></details>`},
		{`<p class="kg-audio-card"><a href="/a/" class="kg-audio-title">Söz</a></p>`, `<p><a href="https://e.example/a/">Söz</a></p>`},
	} {
		if got, _ := cleanText(test[0], "e.example", "https://e.example/b/"); got != test[1] {
			t.Errorf("%s\nbecomes\n%s, want\n%s", test[0], got, test[1])
		}
	}
}
