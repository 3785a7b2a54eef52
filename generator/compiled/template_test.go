package compiled_test

import (
	"errors"
	"fmt"
	"html/template"
	"reflect"
	"strings"
	"testing"

	"ayna/generator/compiled"
)

type named string

type told string

func (t told) String() string { return "told " + string(t) }

type formatted string

func (f formatted) Format(s fmt.State, _ rune) { fmt.Fprintf(s, "<formatted %s>", string(f)) }

type inner struct {
	Title string
	Note  *inner
}

// bold is Markup.
type bold string

func (b bold) AppendHTML(out []byte) []byte {
	return append(append(append(out, "<b>"...), b...), "</b>"...)
}

func (b bold) HTML() template.HTML { return template.HTML(b.AppendHTML(nil)) }

// hollow is Markup without anything in it.
type hollow struct{}

func (hollow) AppendHTML(out []byte) []byte { return out }
func (hollow) HTML() template.HTML          { return "" }

// Loud is promoted to the view.
func (i inner) Loud() string { return strings.ToUpper(i.Title) }

func (i *inner) ByPointer() string { return i.Title }

type view struct {
	inner
	A, B, Href, Set string
	Named           named
	Told            told
	Formatted       formatted
	HTML            template.HTML
	URL             template.URL
	Markup, None    compiled.HTML
	Made            compiled.HTML
	Width           int
	Size            int64
	On              bool
	Any             any
	List            []inner
	Pointers        []*inner
	Map             map[string]string
	Error           error
}

// Tried may fail.
func (v view) Tried() (template.HTML, error) { return "<b>" + template.HTML(v.Title) + "</b>", v.Error }

var whole = view{
	inner: inner{Title: "İsmail'in & <Işık>", Note: &inner{Title: `"+not`}},
	A:     "bir", Href: "../spor/haber-1/index.html", Set: "a.jpg 1w, b.jpg 2w", Named: "<adlı>", Told: "x", Formatted: "x",
	HTML: "<i>eğik & düz</i>", URL: "javascript:1", Markup: bold("koyu"), Made: template.HTML("<u>"), Width: 640, Size: 3, On: true, Any: "x<y",
	List:     []inner{{Title: "ilk", Note: &inner{Title: "<1>"}}, {Title: "son"}},
	Pointers: []*inner{{Title: "gösterilen"}}, Map: map[string]string{"k": "v"},
}

// shown is a view as html/template knows it.
func shown(v any) any {
	if pointer, ok := v.(*view); ok {
		v := *pointer
		v.Markup = v.Markup.(compiled.Markup).HTML()
		return &v
	}
	return *shown(new(v.(view))).(*view)
}

// Each template gives what html/template gives, whether it is compiled or not.
func TestTemplates(t *testing.T) {
	failing, empty := whole, view{Markup: hollow{}}
	failing.Error = errors.New("cannot be made")
	for _, c := range []struct {
		name, text string
		compiled   bool
	}{
		{"text", `<p>{{.A}}{{.Title}}</p><title>{{.Title}}</title>`, true},
		{"attributes", `<p title="{{.Title}}" class='{{.A}}'>`, true},
		{"addresses", `<a href="{{.Href}}"></a><img src="{{.Href}}"><a href="#{{.A}}"><a href="feed:{{.A}}">`, true},
		{"srcset", `<img srcset="{{.Set}}" sizes="{{.A}}">`, true},
		{"safe HTML", `<p>{{.HTML}}</p>`, true},
		{"safe HTML elsewhere", `<p title="{{.HTML}}"><title>{{.HTML}}</title><a href="{{.HTML}}">`, true},
		{"markup", `<p>{{.Markup}}{{.Made}}{{.None}}</p>`, true},
		{"markup under conditions", `{{with .Markup}}{{.}} {{.}}{{$.Made}}{{end}}{{if .None}}some{{else}}none{{end}}{{with .None}}some{{else}}{{$.Markup}}{{end}}{{len .Markup}}`, true},
		{"markup of two", `{{$a := .Markup}}{{$b := .Made}}{{or .None .Markup}}{{$b}}{{$a}}`, true},
		{"markup elsewhere", `<p title="{{.Markup}}">{{.Made}}`, false},
		{"markup beside what is not known", `{{with .Markup}}{{.}}{{end}}{{.Made}}{{.None}}{{.Any}}`, false},
		{"markup is no text", `{{if eq .Markup "x"}}x{{end}}`, false},
		{"safe address", `<a href="{{.URL}}">{{.URL}}</a>`, true},
		{"numbers", `<img width="{{.Width}}">{{.Width}}`, true},
		{"named type", `{{.Named}}`, true},
		{"fields of fields", `{{with .Note}}{{.Title}}{{end}}{{.Note.Title}}`, true},
		{"through nil", `{{range .List}}{{.Note.Title}}{{end}}`, true},
		{"methods", `{{.Loud}}{{range .List}}{{.Loud}}{{end}}`, true},
		{"method that may fail", `{{.Tried}}`, true},
		{"if and with", `{{if .A}}a{{else}}b{{end}}{{with .B}}b{{else}}{{.A}}{{end}}{{if .On}}on{{end}}{{if .Width}}w{{end}}{{with .Pointers}}p{{end}}`, true},
		{"else if", `{{if .B}}b{{else if .On}}{{.A}}{{else}}c{{end}}`, true},
		{"range", `{{range .List}}<li>{{.Title}} {{$.A}}</li>{{else}}nothing{{end}}`, true},
		{"range with index", `{{range $i, $x := .List}}{{if $i}}, {{end}}{{$x.Title}}{{.Title}}{{end}}`, true},
		{"range with element", `{{range $x := .Pointers}}{{$x.Title}}{{end}}`, true},
		{"variables", `{{$a := .A}}{{with $b := .Title}}{{$a}}{{$b}}{{.}}{{end}}{{$a := .Title}}{{$a}}`, true},
		{"or and and", `{{or .B .A}}{{and .A .Title}}{{if or .B .Pointers .Width}}x{{end}}{{if and .B .On}}y{{end}}{{if not .B}}z{{end}}`, true},
		{"comparisons", `{{if eq .Width 640}}a{{end}}{{if ne .A "bir"}}b{{end}}{{if gt (len .List) 1}}c{{end}}{{if lt .Width 2}}d{{end}}`, true},
		{"included", `{{define "x"}}<b>{{.Title}}{{$.Title}}</b>{{end}}{{range .List}}{{template "x" .}}{{end}}{{with .Note}}{{template "x" .}}{{end}}`, true},
		{"included in two types", `{{define "x"}}{{.Title}}{{end}}{{template "x" .}}{{range .Pointers}}{{template "x" .}}{{end}}`, true},
		{"trimmed", "<p>\n{{- .A -}}\n</p>", true},
		{"comment", "<p>{{/* nothing */}}</p>", true},

		{"included in an attribute", `{{define "x"}}{{.A}}{{end}}<p title="{{template "x" .}}">`, false},
		{"includes itself", `{{define "x"}}{{.Title}}{{with .Note}}{{template "x" .}}{{end}}{{end}}{{range .List}}{{template "x" .}}{{end}}`, false},
		{"script", `<script>var a = {{.A}};</script>`, false},
		{"style", `<p style="color: {{.A}}">`, false},
		{"unquoted", `<p title={{.Title}}>`, false},
		{"any type", `{{.Any}}`, false},
		{"stringer", `{{.Told}}`, false},
		{"formatter", `<p title="{{.Formatted}}">{{.Formatted}}`, false},
		{"any type as a condition", `{{if .Any}}a{{else}}b{{end}}`, false},
		{"any type as the dot", `{{with .Any}}a{{else}}b{{end}}`, false},
		{"any type in a variable", `{{if $x := .Any}}a{{else}}b{{end}}`, false},
		{"any type, negated", `{{if not .Any}}a{{else}}b{{end}}`, false},
		{"range over a map", `{{range .Map}}{{.}}{{end}}`, false},
		{"key of a map", `{{.Map.k}}`, false},
		{"markup and a method of the pointer", `{{.Markup}}{{.ByPointer}}{{.Any}}`, false},
		{"method of a pointer", `{{with .Note}}{{.ByPointer}}{{end}}`, false},
		{"other function", `{{printf "%s" .A}}`, false},
		{"piped", `{{.A | len}}`, false},
		{"long number", `{{.Size}}`, false},
		{"break", `{{range .List}}{{.Title}}{{break}}{{end}}`, false},
		{"assignment", `{{$a := .A}}{{$a = .Title}}{{$a}}`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			source := template.Must(template.New("t.html").Parse(c.text))
			compiled := compile[view](source)
			if got := compiled.NotCompiled() == nil; got != c.compiled {
				t.Errorf("compiled: %t, want %t (%v)", got, c.compiled, compiled.NotCompiled())
			}
			views := []any{whole, &whole, empty, failing, &failing}
			for _, hollow := range []any{"", 0, false, []string{}} {
				views = append(views, view{Markup: empty.Markup, Any: hollow})
			}
			for _, v := range views {
				var got, want strings.Builder
				errGot, errWant := compiled.Execute(&got, v), source.Execute(&want, shown(v))
				if (errGot == nil) != (errWant == nil) {
					t.Fatalf("error %v, want %v", errGot, errWant)
				}
				if errWant == nil && got.String() != want.String() {
					t.Errorf("got  %q\nwant %q", got.String(), want.String())
				}
			}
		})
	}
}

// Views of other types are refused, and errors of views are returned.
func TestOtherViews(t *testing.T) {
	source := template.Must(template.New("t.html").Parse(`{{.Title}}`))
	compiled := compile[view](source)
	var b strings.Builder
	for _, other := range []any{nil, map[string]string{"Title": "<başka>"}} {
		if err := compiled.Execute(&b, other); err == nil || b.Len() > 0 {
			t.Errorf("%v: %q, %v", other, b.String(), err)
		}
	}
	failed := errors.New("cannot be made")
	made := compile[view](template.Must(template.New("made.html").Parse(`a{{.Tried}}`)))
	b.Reset()
	wrong := compile[view](template.Must(template.New("wrong.html").Parse(`{{.Made}}`)))
	if err := wrong.Execute(&b, view{Made: "<script>"}); err == nil || b.Len() > 0 {
		t.Errorf("a text as HTML: %q, %v", b.String(), err)
	}
	if err := made.Execute(&b, view{Error: failed}); !errors.Is(err, failed) || !strings.Contains(err.Error(), "made.html") || b.Len() > 0 {
		t.Errorf("%q, %v", b.String(), err)
	}
}

// FuzzTemplate compares templates with html/template in every context.
func FuzzTemplate(f *testing.F) {
	for _, seed := range []string{
		"", "düz yazı", `<script>alert(1)</script>`, `"' onload=x`, "a\x00b+c", "\xff\xfe", "javascript:alert(1)", "https://a.example/?a=b&c=ö",
		"//x", "l-42", "https%3A%2f%2Fa.example%2", "mailto:a@b", "HTTPS://x", "a b", "%41%zz", "data:text/html,x", "a.jpg 2x, javascript:1 3x", "\u2028\ufeff", "ayna:b", "./a:b", "#a",
	} {
		f.Add(seed, false)
		f.Add(seed, true)
	}
	source := template.Must(template.New("t.html").Parse(
		`<title>{{.A}}</title><meta name="description" content="{{.A}}"><p title="{{.A}}" class='{{.A}}'>{{.A}}{{.HTML}}</p><b title="{{.HTML}}"></b>` +
			`<a href="{{.A}}">x</a><a href='{{.A}}'>x</a><a href="#{{.A}}">x</a><a href="feed:{{.A}}">x</a><img src="{{.A}}" srcset="{{.A}}" alt="{{.A}}"><a href="{{.URL}}"></a>`))
	compiled := compile[view](source)
	if compiled.NotCompiled() != nil {
		f.Fatal(compiled.NotCompiled())
	}
	f.Fuzz(func(t *testing.T, text string, web bool) {
		if web {
			text = "https://" + text
		}
		v := view{A: text, HTML: template.HTML(text), URL: template.URL(text)}
		var got, want strings.Builder
		if err := compiled.Execute(&got, v); err != nil {
			t.Fatal(err)
		}
		if err := source.Execute(&want, v); err != nil {
			t.Fatal(err)
		}
		if got.String() != want.String() {
			t.Errorf("got  %q\nwant %q", got.String(), want.String())
		}
	})
}

func BenchmarkTemplate(b *testing.B) {
	source := template.Must(template.New("t.html").Parse(`<h1>{{.Title}}</h1>{{range .List}}<li><a href="{{$.Href}}">{{.Title}}</a></li>{{end}}`))
	compiled := compile[view](source)
	for name, execute := range map[string]func(*strings.Builder) error{
		"compiled":      func(s *strings.Builder) error { return compiled.Execute(s, &whole) },
		"html-template": func(s *strings.Builder) error { return source.Execute(s, &whole) },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				var s strings.Builder
				if err := execute(&s); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func compile[V any](source *template.Template) *compiled.Template {
	return compiled.Compile(source, reflect.TypeFor[V]())
}
