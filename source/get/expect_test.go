package get_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"unicode/utf16"

	"ayna/source/get"
)

// A fixedAnswer is the transport of a service that gives one answer.
type fixedAnswer struct {
	status int
	body   string
	header http.Header
}

func (f fixedAnswer) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: f.status, Header: f.header, Body: io.NopCloser(strings.NewReader(f.body))}, nil
}

// answered returns the getter of a service that gives one answer.
func answered(t testing.TB, kind, body string) (*get.Getter, http.Header) {
	t.Helper()
	header := http.Header{"Content-Type": {kind}}
	g, err := get.New(get.Config{BaseURL: "http://127.0.0.1", APIKey: "ayse:gizli anahtar", Basic: true, Transport: fixedAnswer{http.StatusOK, body, header}})
	if err != nil {
		t.Fatal(err)
	}
	return g, header
}

// expect returns the value that an answer has.
func expect(t testing.TB, body string, expected get.Expectation) (string, error) {
	g, _ := answered(t, "text/html", body)
	a, err := g.GetJSON(t.Context(), "/", nil, expected)
	return string(a.Body), err
}

// utf16Text returns a text in UTF-16 with its byte order mark.
func utf16Text(text string) string {
	encoded := []byte{0xff, 0xfe}
	for _, unit := range utf16.Encode([]rune(text)) {
		encoded = append(encoded, byte(unit), byte(unit>>8))
	}
	return string(encoded)
}

// The value is found whatever stands around it, and nothing else is taken for it.
func TestExpectedValue(t *testing.T) {
	const list, object = `[{"id":1,"t":"]["},{"id":"2"}]`, `{"settings":{"title":"a {b"}}`
	notice := "<br />\n<b>Notice</b>:  Undefined index: foo[0] in <b>/srv/{x}.php</b> on line <b>5</b><br />\n"
	page := "<!DOCTYPE html><html><head><title>Dur [1]</title></head><body>"
	for _, test := range []struct {
		name, kind, body string
		want             string // the value; "" is an error
		quotes           string // in the warning, "" is none
		says             string // in the error
	}{
		{"JSON", "application/json", list, list, "", ""},
		{"as HTML", "text/html", list, list, "", ""},
		{"another kind, whole", "text/html", `{"code":"x"}`, `{"code":"x"}`, "", ""},
		{"a byte order mark", "text/html", "\ufeff\ufeff" + list, list, "", ""},
		{"UTF-16", "application/json", utf16Text(list), list, "", ""},
		{"UTF-16 after words", "application/json", utf16Text("Söz " + list), list, "Söz", ""},
		{"a notice", "text/html", notice + list, list, "<br /> <b>Notice</b>: Undefined index: foo[0] in <b>/srv/{x}.php</b> on line <b>", ""},
		{"a line of a log", "text/html", "[27-Nov-2026 10:00:00 UTC] PHP Warning: x\n" + list, list, "[27-Nov-2026", ""},
		{"a comment after it", "application/json", list + "\n<!-- kept by a cache [{\"id\":7}] -->", list, "<!-- kept by a cache", ""},
		{"a browser's page", "text/html", "<html><head></head><body><pre>" + list + "</pre></body></html>", list, "<html>", ""},
		{"a list of another kind before it", "text/html", `[{"a":1}] [5] ["x"] ` + list, list, `[{\"a\":1}]`, ""},
		{"lists in a script", "text/html", page + `<script>var a=[{"id":5}]</SCRIPT>` + list, list, "<!DOCTYPE", ""},
		{"lists in a comment and a tag", "text/html", `<!-- [{"id":5}] --><p data-x='[{"id":6}]'>` + list, list, "<!--", ""},
		{"the key", "text/html", "user ayse:gizli anahtar " + list, list, "user ****", ""},
		{"a list in an object of another kind", "application/json", `x {"data":` + list + `}`, "", "", "cut off or damaged"},
		{"cut off", "application/json", `[{"id":1,"tags":[{"id":5}],"t":"`, "", "", "cut off or damaged"},
		{"cut off after a notice", "text/html", notice + `[{"id":1,"tags":[{"id":5}]`, "", "", "Notice: Undefined index"},
		{"damaged", "application/json", `[{"id":1,"tags":[{"id":5}],,}]`, "", "", "cut off or damaged"},
		{"a page", "text/html", page + "<p>Bir dakika</p>", "", "", "page of HTML"},
		{"a page that says JSON", "application/json", page, "", "", "page of HTML"},
		{"a page with lists in a script alone", "text/html", page + `<script>[{"id":5}]</script>`, "", "", "page of HTML"},
		{"a script that does not end", "text/html", page + `<script>[{"id":5}]`, "", "", "page of HTML"},
		{"a fatal error", "text/html", "<br />\n<b>Fatal error</b>: out of memory", "", "", `damaged: "Fatal error: out of memory"`},
		{"an empty list", "text/html", "[]", "[]", "", ""},
		{"an empty list, then a comment", "text/html", "[]<!-- kept -->", "[]", "<!-- kept", ""},
		{"an empty list in a bare page", "text/html", "<html><body>[ ]</body></html>", "[ ]", "<html>", ""},
		{"an empty list after words", "text/html", notice + "[]", "", "", "Notice"},
		{"an empty list before a script", "text/html", "[]<script>1</script>", "", "", "cut off or damaged"},
		{"an empty list in a page with a script", "text/html", "<html><script>a</script><body>[]", "", "", "page of HTML"},
		{"an empty list in a comment", "text/html", "<html><!-- [] --><body>", "", "", "page of HTML"},
		{"a list after an empty one", "text/html", "Dizi [] " + list, list, "Dizi []", ""},
		{"too much before it", "text/html", strings.Repeat("a", 64<<10+1) + list, "", "", "cut off or damaged"},
		{"much before it", "text/html", strings.Repeat("a", 64<<10) + list, list, "aaaa", ""},
		{"too much after it", "text/html", list + strings.Repeat("a", 4<<10+1), "", "", "cut off or damaged"},
		{"much after it", "text/html", list + strings.Repeat("a", 4<<10), list, "aaaa", ""},
		{"no object", "text/html", "a " + object + " b", "", "", "cut off or damaged"},
	} {
		g, _ := answered(t, test.kind, test.body)
		a, err := g.GetJSON(t.Context(), "/", nil, get.ListOf("id").CountedBy("X-Total"))
		if string(a.Body) != test.want || (err == nil) != (test.want != "") || err != nil && (!errors.Is(err, get.ErrNotJSON) || !strings.Contains(err.Error(), test.says)) {
			t.Errorf("%s: %s, %v", test.name, a.Body, err)
		}
		if e := (*get.Error)(nil); errors.As(err, &e) && e.WebPage != (test.says == "page of HTML") {
			t.Errorf("%s: a page: %t", test.name, e.WebPage)
		}
		warning := g.Warning()
		if strings.Contains(warning, "gizli") || strings.ContainsRune(warning, '\n') || len([]rune(warning)) > 200 ||
			(warning != "") != (test.quotes != "") || !strings.Contains(warning, `: "`+test.quotes) && test.quotes != "" {
			t.Errorf("%s: warning %s", test.name, warning)
		}
	}
	objects := map[string]string{
		"words around it":             "a " + object + " b",
		"an object of another kind":   `{"errors":[{"settings":5}]} ` + object,
		"in words that are like JSON": `{settings: {"x": 1}} ` + object,
	}
	for name, body := range objects {
		if value, err := expect(t, body, get.ObjectWith("settings")); value != object {
			t.Errorf("%s: %s, %v", name, value, err)
		}
	}
	if value, err := expect(t, `a {"settings":[]}`, get.ObjectWith("settings")); err == nil {
		t.Errorf("an empty member after words: %s", value)
	}
	for total, want := range map[string]string{"0": "[]", "7": ""} {
		g, header := answered(t, "text/html", notice+"[]")
		header.Set("X-Total", total)
		if a, _ := g.GetJSON(t.Context(), "/", nil, get.ListOf("id").CountedBy("X-Total")); string(a.Body) != want {
			t.Errorf("an empty list after words, total %s: %s", total, a.Body)
		}
	}
}

// The name of an error is found among other words, and an answer that has one is no page.
func TestErrorAmongWords(t *testing.T) {
	for body, want := range map[string]string{
		`{"code":"rest_forbidden"}`:                                        "rest_forbidden",
		`<b>Notice</b>: foo[0] {"code":"rest_forbidden"}<!-- kept -->`:     "rest_forbidden",
		`Dur {"errors":[{"type":"NotFoundError"}]}`:                        "NotFoundError",
		`<html><script>{"code":"rest_forbidden"}</script><p>{"a":"code"}`:  "",
		`<html><!-- {"code":"rest_forbidden"} --><p title='{"code":"x"}'>`: "",
	} {
		g, err := get.New(get.Config{BaseURL: "http://127.0.0.1", Transport: fixedAnswer{http.StatusForbidden, body, http.Header{"Content-Type": {"text/html"}}}})
		if err != nil {
			t.Fatal(err)
		}
		_, err = g.GetJSON(t.Context(), "/", nil, get.ListOf("id"))
		if e := (*get.Error)(nil); !errors.As(err, &e) || e.Code != want || e.WebPage != (want == "") {
			t.Errorf("%s: %+v", body, e)
		}
	}
}

// Texts that begin many values end soon.
func TestExpectedValueIsFoundSoon(t *testing.T) {
	for _, part := range []string{"[", "{", `["`, `{"a":`, "[]", `[{"id":1}]x`, "<", "<a", "<!--", "<script", "</", `[[1,`} {
		body := strings.Repeat(part, 1<<20/len(part))
		if value, err := expect(t, body, get.ListOf("id")); err == nil {
			t.Errorf("%q: %.40s", part, value)
		}
	}
}

// FuzzExpectedValue finds only values of the expected kind near both ends of a text.
func FuzzExpectedValue(f *testing.F) {
	for _, seed := range []string{`[{"id":1}]`, `<b>a</b>[{"id":"["}]<!-- -->`, `<script>[]</script>[]`, `a[]`, `{"id":1}[[[`, `["`, `<!--[`, "\xff\xfe[\x00]\x00"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		g, _ := answered(t, "text/html", text)
		a, err := g.GetJSON(t.Context(), "/", nil, get.ListOf("id"))
		warning := g.Warning()
		if err != nil {
			if !errors.Is(err, get.ErrNotJSON) || warning != "" {
				t.Errorf("%q: %v, %s", text, err, warning)
			}
			return
		}
		if !json.Valid(a.Body) {
			t.Errorf("%q: no JSON: %q", text, a.Body)
		}
		if json.Valid([]byte(strings.Trim(text, " \t\r\n\v\f\u0085\u00a0\ufeff"))) || warning == "" {
			return
		}
		var list []map[string]json.RawMessage
		if json.Unmarshal(a.Body, &list) != nil {
			t.Errorf("%q: no list of objects: %q", text, a.Body)
		}
		for _, element := range list {
			if _, has := element["id"]; !has {
				t.Errorf("%q: without an id: %q", text, a.Body)
			}
		}
	})
}
