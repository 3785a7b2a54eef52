package fetch_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"ayna/archive"
	"ayna/fetch"
	"ayna/record"
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// An altering answers as another handler, with other texts in its answers: in all of them, or in
// those alone that name fields.
type altering struct {
	next http.Handler
	with *strings.Replacer
	late bool
}

func (a altering) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	recorded := httptest.NewRecorder()
	a.next.ServeHTTP(recorded, r)
	for name, values := range recorded.Header() {
		w.Header()[name] = values
	}
	w.Header().Del("Content-Length")
	w.WriteHeader(recorded.Code)
	body := recorded.Body.String()
	if !a.late || r.URL.Query().Has("_fields") {
		body = a.with.Replace(body)
	}
	w.Write([]byte(body))
}

// original returns the original of a post, nil if the archive has no original of it.
func (c *copied) original(t *testing.T, typ string, id int) *archive.Original {
	t.Helper()
	found, err := c.archive.Originals.Get(t.Context(), typ, record.SinglePart, []string{strconv.Itoa(id)})
	if err != nil {
		t.Fatal(err)
	}
	if o, has := found[strconv.Itoa(id)]; has {
		return &o
	}
	return nil
}

// Of each record nearly all fields are kept that the site has, and none that holds the key, or
// where a person's e-mail address may be guessed.
func TestOriginalsOfWordPress(t *testing.T) {
	const meta = `"meta":{"footnotes":""}`
	for name, test := range map[string]struct{ meta, with, without string }{
		"as it is":               {meta, `"meta":{"footnotes":""}`, ""},
		"more fields":            {meta + `,"acf":{"a":[1,"ğ"]},"b":null`, `"acf":{"a":[1,"ğ"]}`, ""},
		"heads and links":        {`"yoast_head":"<x>","yoast_head_json":{},"class_list":[],"rank_math_x":1,"aioseo_y":2,"jetpack-related-posts":[],"author_avatar":"x"`, "", "yoast class_list rank_math aioseo related avatar _links"},
		"a field with an avatar": {`"who":{"img":"https:\/\/secure.gravatar.com\/avatar\/0123"}`, "", "gravatar"},
		"an avatar in a post":    {`"meta":{"img":"https:\/\/secure.gravatar.com\/avatar\/0123"}`, "", "gravatar"},
		"the key":                {`"meta":["user:\u0061 secret key"]`, "", "secret"},
	} {
		inVirtualTime(t, name, func(t *testing.T) {
			p := openPress(t, fakepaper.Options{Items: 20, Key: "user:a secret key"})
			p.options.Hosts = map[string]http.Handler{host: altering{p, strings.NewReplacer(meta, test.meta), strings.HasPrefix(test.meta, `"meta":`) && test.with == ""}}
			p.mustRun(t)
			for _, typ := range []string{"posts", "pages"} {
				post := p.Posts(typ)[1]
				o := p.original(t, typ, post.ID)
				if o == nil {
					t.Fatalf("no original of %s %d", typ, post.ID)
				}
				if !json.Valid(o.Data) || !bytes.Contains(o.Data, []byte(`"status":"publish"`)) || !bytes.Contains(o.Data, []byte(test.with)) {
					t.Errorf("%s: %s lacks %s", typ, o.Data, test.with)
				}
				for _, without := range strings.Fields(test.without) {
					if bytes.Contains(o.Data, []byte(without)) {
						t.Errorf("%s: %s has %s", typ, o.Data, without)
					}
				}
			}
		})
	}
}

// Of posts of Ghost all fields are kept, and no avatar.
func TestOriginalsOfGhost(t *testing.T) {
	withClock(t, func(t *testing.T) {
		p := openGhost(t, fakepaper.Options{Items: 20})
		p.options.Hosts = map[string]http.Handler{host: altering{p, strings.NewReplacer(
			`"profile_image":null`, `"profile_image":"\/\/www.gravatar.com\/avatar\/0123?s=250"`, `"feature_image_alt"`, `"codeinjection_head":"<b>gravatar.com</b>","feature_image_alt"`), false}}
		p.mustRun(t)
		var all []byte
		for _, part := range []struct{ typ, part string }{{"posts", record.SinglePart}, {"pages", record.SinglePart}, {"authors", record.ListPart}} {
			n := 0
			for o, err := range p.archive.Originals.All(t.Context(), part.typ, part.part) {
				if err != nil {
					t.Fatal(err)
				}
				n++
				all = append(all, o.Data...)
			}
			if n == 0 {
				t.Errorf("no originals of %s", part.typ)
			}
		}
		if bytes.Contains(all, []byte("avatar/")) || bytes.Contains(all, []byte(`avatar\/`)) {
			t.Error("an avatar is kept")
		}
		if !bytes.Contains(all, []byte(`"codeinjection_head":"<b>gravatar.com</b>"`)) || !bytes.Contains(all, []byte(`"profile_image":null`)) {
			t.Errorf("kept: %.3000s", all)
		}
	})
}

// A site that does not answer with a whole post has originals with what records need.
func TestOriginalsWithoutFields(t *testing.T) {
	for name, fault := range map[string]*fakepaper.Fault{
		"closed": fakepaper.Status(http.StatusForbidden), "broken": fakepaper.Status(http.StatusInternalServerError), "empty": {Body: "[]"}, "another shape": {Body: `[{"id":[]}]`},
	} {
		inVirtualTime(t, name, func(t *testing.T) {
			p := openPress(t, fakepaper.Options{Items: 20})
			p.options.Hosts = map[string]http.Handler{host: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if strings.HasSuffix(r.URL.Path, "/posts") && !r.URL.Query().Has("_fields") {
					w.Header().Set("Content-Type", "application/json")
					w.WriteHeader(max(fault.Status, http.StatusOK))
					w.Write([]byte(fault.Body))
					return
				}
				p.ServeHTTP(w, r)
			})}
			p.mustRun(t)
			id := p.Posts("posts")[2].ID
			if o := p.original(t, "posts", id); o == nil || !bytes.Contains(o.Data, []byte(`"content"`)) || bytes.Contains(o.Data, []byte(`"status"`)) {
				t.Errorf("original %+v", o)
			}
		})
	}
}

// An original that cannot be read leaves its record as it was. The report names it, once, and the
// next run brings another one.
func TestUnreadableOriginal(t *testing.T) {
	large := (testrun.Counts{Plain: 2 << 20, Slow: archive.MaxOriginal, Long: archive.MaxOriginal}).Now()
	for name, data := range map[string]string{
		"no object": `[]`, "null": `null`, "no id": `{"title":"x"}`, "an odd id": `{"id":{"a":1}}`, "another id": `{"id":999999,"type":"post"}`,
		"a password": `{"id":%,"content":{"protected":true}}`, "deep": `{"id":%,"content":` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + `}`,
		"the key": `{"id":%,"content":{"rendered":"user:\u0061 secret key"}}`, "large": `{"id":%,"content":{"rendered":"` + strings.Repeat("<b>su ", (large-100)/6) + `"}}`,
	} {
		inVirtualTime(t, name, func(t *testing.T) {
			p := openPress(t, fakepaper.Options{Items: 12, Key: "user:a secret key"})
			p.mustRun(t)
			id := p.Posts("posts")[2].ID
			before := p.held(t)
			o := *p.original(t, "posts", id)
			good := o.Data
			o.Reader, o.Data = "0", []byte(strings.ReplaceAll(data, "%", strconv.Itoa(id)))
			if err := p.archive.Update(t.Context(), func(tx *archive.Tx) error { return tx.Originals.Keep(o, true) }); err != nil {
				t.Fatal(err)
			}
			again, err := fetch.ReadAgain(t.Context(), p.archive, p.options)
			if err != nil {
				t.Fatal(err)
			}
			if name == "deep" || name == "large" { // it is read, without what is odd in it
				if len(again.Stale) > 0 || again.Records != 1 {
					t.Errorf("read again: %+v", again)
				}
				return
			}
			if len(again.Stale) != 1 || again.Stale[0].ID != strconv.Itoa(id) || again.Stale[0].Kind == "" || again.Records > 0 {
				t.Errorf("read again: %+v", again)
			}
			if !slices.Equal(p.held(t), before) {
				t.Error("the records differ")
			}
			if again, err := fetch.ReadAgain(t.Context(), p.archive, p.options); again != nil || err != nil {
				t.Errorf("once more: %+v, %v", again, err)
			}
			time.Sleep(time.Hour)
			if r := p.mustRun(t); sum(r).Fetched != 1 || sum(r).Changed > 0 {
				t.Errorf("the next run: %+v", sum(r))
			}
			if o := p.original(t, "posts", id); !bytes.Equal(o.Data, good) {
				t.Errorf("the original is %s", o.Data)
			}
			if !slices.Equal(p.held(t), before) {
				t.Error("the records differ after the next run")
			}
		})
	}
}

// A picture that a reader finds, and the archive lacks, is fetched by the next run.
func TestReaderWantsMore(t *testing.T) {
	withClock(t, func(t *testing.T) {
		p := openPress(t, fakepaper.Options{Items: 12})
		p.mustRun(t)
		before := p.held(t)
		var id int
		for _, post := range p.Posts("posts") {
			if post.Picture > 0 && len(post.Gallery) == 0 {
				id = post.ID
				break
			}
		}
		o := *p.original(t, "posts", id)
		o.Reader = "0"
		if err := p.archive.Update(t.Context(), func(tx *archive.Tx) error {
			for _, post := range p.Posts("posts") {
				if err := tx.Originals.Delete("media", strconv.Itoa(post.Picture)); err != nil {
					return err
				}
			}
			return tx.Originals.Keep(o, true)
		}); err != nil {
			t.Fatal(err)
		}
		if again, err := fetch.ReadAgain(t.Context(), p.archive, p.options); err != nil || again.Wanting != 1 || again.Records != 1 {
			t.Errorf("read again: %+v, %v", again, err)
		}
		time.Sleep(time.Hour)
		p.mustRun(t)
		if diff := firstDifference(p.held(t), before); diff != "" {
			t.Errorf("the archive holds: %s", diff)
		}
	})
}

// Records of an archive of before have no originals. Runs fetch them again within their limits,
// the newest first, and change nothing; the first one says how many they are.
func TestArchiveWithoutOriginals(t *testing.T) {
	withClock(t, func(t *testing.T) {
		p := openPress(t, fakepaper.Options{Items: 450})
		p.mustRun(t)
		before := p.held(t)
		posts := append(p.Posts("posts"), p.Posts("pages")...)
		if err := p.archive.Update(t.Context(), func(tx *archive.Tx) error {
			for _, post := range posts {
				if err := tx.Originals.Delete(cmp.Or(post.Type, "posts"), strconv.Itoa(post.ID)); err != nil {
					return err
				}
			}
			return tx.State.Set(archive.OriginalsState, "")
		}); err != nil {
			t.Fatal(err)
		}
		p.options.Budget = 40
		lacking := func() (n int) {
			isNewer := true
			for _, post := range p.Posts("posts") {
				has := p.original(t, "posts", post.ID) != nil
				if !has {
					n++
				}
				if has && !isNewer {
					t.Errorf("post %d has an original, and a newer one has none", post.ID)
				}
				isNewer = has
			}
			return n
		}
		all := lacking()
		for run, left := 0, all; left > 0; run++ {
			time.Sleep(time.Hour)
			r := p.mustRun(t)
			if isTold := len(r.Warnings) == 1 && strings.HasPrefix(r.Warnings[0], strconv.Itoa(all+len(p.Posts("pages")))+" records came before"); isTold != (run == 0) {
				t.Errorf("run %d: warnings %q", run, r.Warnings)
			}
			if sum(r).Changed > 0 || r.Requests.Sent > 40 {
				t.Errorf("run %d: %d changed, %d requests", run, sum(r).Changed, r.Requests.Sent)
			}
			now := lacking()
			if now == left || run == 0 && now == 0 {
				t.Fatalf("run %d: %d lack originals, %d before", run, now, left)
			}
			left = now
		}
		if diff := firstDifference(p.held(t), before); diff != "" {
			t.Errorf("the archive holds %s", diff)
		}
		time.Sleep(time.Hour)
		p.mustRun(t)
		time.Sleep(time.Hour)
		if r := p.mustRun(t); r.Requests.Sent > 8 || sum(r).Fetched > 0 {
			t.Errorf("afterwards: %d requests, %d fetched", r.Requests.Sent, sum(r).Fetched)
		}
	})
}

// The original of an edit that empties a text is kept with it.
func TestOriginalOfEmptiedText(t *testing.T) {
	withClock(t, func(t *testing.T) {
		p := openPress(t, fakepaper.Options{Items: 12})
		p.mustRun(t)
		time.Sleep(time.Hour)
		id := p.Posts("posts")[2].ID
		p.Edit(id, func(post *fakepaper.Post) { post.Text = "" })
		p.mustRun(t)
		if o := p.original(t, "posts", id); o == nil || !bytes.Contains(o.Data, []byte(`"content":{"protected":false,"rendered":""}`)) {
			t.Errorf("the original is %s", o.Data)
		}
	})
}
