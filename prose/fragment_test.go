package prose_test

import (
	"html/template"
	"reflect"
	"strings"
	"testing"

	"ayna/generator/compiled"
	"ayna/prose"
)

func TestFragments(t *testing.T) {
	type view struct{ Href, Srcset, Title string }
	pattern := compile[view](template.Must(template.New("").Parse(
		`<a href="{{.Href}}" title="{{.Title}}"><img src="{{.Href}}"{{with .Srcset}} srcset="{{.}}" sizes="100vw, ayna-root/"{{end}} alt="{{.Title}}"></a>{{.Title}}`)))
	at := prose.FragmentAddress
	for _, test := range []struct {
		name string
		view
		want string
	}{
		{"link", view{at("a.html"), "", "x"},
			`<a href="../a.html" title="x"><img src="../a.html" alt="x"></a>x`},
		{"one candidate", view{at("a"), at("m/a-1.jpg") + " 1w", "x"},
			`<a href="../a" title="x"><img src="../a" srcset="../m/a-1.jpg 1w" sizes="100vw, ayna-root/" alt="x"></a>x`},
		{"candidates", view{at("a"), at("m/a-1.jpg") + " 1w, " + at("m/a-2.jpg") + " 2w, " + at("m/a.jpg") + " 3w", "x"},
			`<a href="../a" title="x"><img src="../a" srcset="../m/a-1.jpg 1w, ../m/a-2.jpg 2w, ../m/a.jpg 3w" sizes="100vw, ayna-root/" alt="x"></a>x`},
		{"a title that looks like one", view{at("a"), "", `x, ayna-root/ srcset="ayna-root/, ayna-root/`},
			`<a href="../a" title="x, ayna-root/ srcset=&#34;ayna-root/, ayna-root/"><img src="../a" alt="x, ayna-root/ srcset=&#34;ayna-root/, ayna-root/"></a>x, ayna-root/ srcset=&#34;ayna-root/, ayna-root/`},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, err := prose.NewFragment(pattern, test.view)
			if err != nil {
				t.Fatal(err)
			}
			for _, root := range []string{"../", ""} {
				got := string(prose.JoinFragments(root, []prose.Fragment{s, s}).HTML())
				want := strings.ReplaceAll(test.want, "../", root)
				if got != want+want {
					t.Errorf("root %q:\ngot  %s\nwant %s", root, got, want+want)
				}
			}
		})
	}
}

func compile[V any](source *template.Template) *compiled.Template {
	return compiled.Compile(source, reflect.TypeFor[V]())
}
