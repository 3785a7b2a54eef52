package cli

import (
	"bytes"
	"net/http"
	"os"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// doctor names each problem with what to do about it, examines the rest all the same, and
// ends as a build would. It publishes nothing.
func TestDoctor(t *testing.T) {
	testrun.NotShort(t)
	t.Chdir(t.TempDir())
	s := fakepaper.Listen(t, fakepaper.Options{Items: 4})
	right := "title: Deneme\nbase_url: https://ayna.example/\nsource: {url: \"" + s.Base + "\", per_second: 0, per_hour: 0}\n"
	keyed := strings.Replace(right, "per_hour: 0", "per_hour: 0, api_key_file: key.txt", 1)
	every := func(f *fakepaper.Fault) func(fakepaper.Call) *fakepaper.Fault {
		return func(fakepaper.Call) *fakepaper.Fault { return f }
	}
	write := func(name, text string, mode os.FileMode) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		name, yaml, args string
		faults           func(fakepaper.Call) *fakepaper.Fault
		prepare          func()
		code             int
		says             []string
		lacks            string
	}{
		{name: "no configuration", code: exitUsage, says: []string{`configuration +FAIL +.*open site.yaml: no such file`, `→ write one with ayna init URL`}},
		{name: "all is well", yaml: right, says: []string{
			`configuration +ok +site.yaml: Deneme, at https://ayna.example/`, `API key +ok +none`, `source +ok +answers with \d+ articles`,
			`archive +ok +none yet`, `output +ok +public can be written`, `disk `,
		}, lacks: "FAIL"},
		{name: "a page of HTML", yaml: right, faults: every(fakepaper.HTML()), code: exitDown,
			says: []string{`source +FAIL +.*page of HTML`, `output +ok`}, lacks: "nothing was published"},
		{name: "no list", yaml: right, faults: every(fakepaper.Body("[]")), code: exitShape,
			says: []string{`source +FAIL +.*nothing to publish`, `→ check that source.url in site.yaml is the address of a Read API`}},
		{name: "refused", yaml: right, faults: every(fakepaper.Status(http.StatusUnauthorized)), code: exitKey, says: []string{`source +FAIL +.*refuses the API key`}},
		{name: "busy", yaml: right, faults: every(fakepaper.Status(http.StatusTooManyRequests)), code: exitBudget,
			says: []string{`source +FAIL +.*the request budget is used up`, `→ its limit of requests is reached`}},
		{name: "down", yaml: strings.Replace(right, s.Base, "http://127.0.0.1:1", 1), code: exitDown,
			says: []string{`source +FAIL`, `→ check source.url in site.yaml, and whether this machine reaches it`}, lacks: "nothing was published"},
		{name: "not asked", yaml: strings.Replace(right, s.Base, "http://127.0.0.1:1", 1), args: "--offline", says: []string{`source +ok +not asked`}},
		{name: "all faults of the configuration", args: "--config faulty.yaml", code: exitUsage, prepare: func() {
			write("faulty.yaml", "base_url: https://ayna.example/\ncolour: blue\nlanguage: xx-klingon\nsource:\n  per_second: 0.5\n  api_key: ${NO_SUCH_KEY}\n  url: https://api.example/\n", 0o644)
		}, says: []string{
			`configuration +FAIL +faulty.yaml:2:1: unknown key "colour"`, `configuration +FAIL +faulty.yaml:5:15: source.per_second: write a whole number`,
			`configuration +FAIL +faulty.yaml:3: language: "xx-klingon" is not a language tag of BCP 47, such as tr, de or pt-BR; nearest: `,
			`API key +FAIL +faulty.yaml:6: source.api_key: \$\{NO_SUCH_KEY\} is not set`, `source +warn +not asked`, `archive +ok +none yet`,
		}},
		{name: "files that are not there", yaml: right + "icon: i.png\nlogo: l.png\nown_pages: own\nassets: assets\ntemplates: theme\nwords: w.yaml\nsnippets: {head: h.html, article: a.html, foot: f.html}\n",
			args: "--offline", code: exitUsage, prepare: func() {
				if err := os.Mkdir("theme", 0o755); err != nil {
					t.Fatal(err)
				}
				write("theme/home.html", `{{define "main"}}{{.NoSuchThing}}{{end}}`, 0o644)
			}, says: []string{
				`FAIL +site.yaml:4: icon: open i.png: no such file or directory; name a file that can be read, or remove the key`, `site.yaml:5: logo: open l.png: .*; name a file`,
				`site.yaml:6: own_pages: open own: .*; name a folder`, `site.yaml:7: assets: assets is not a readable folder; name one, or remove the key`,
				`site.yaml:8: templates: .*home.html:1`, `site.yaml:9: words: open w.yaml: .*; name a file`,
				`site.yaml:10: snippets.head: open h.html: `, `site.yaml:10: snippets.article: open a.html: `, `site.yaml:10: snippets.foot: open f.html: `, `output +ok`,
			}, lacks: "configuration: "},
		{name: "a key that others can read", yaml: strings.Replace(keyed, "https://ayna.example/", "http://127.0.0.1:8080/", 1), prepare: func() {
			write("key.txt", "gizli\n", 0o644)
		}, says: []string{`API key +ok +is set`, `API key +warn +others can read key.txt`, `→ chmod 600 key.txt`, `base_url +warn +http://127.0.0.1:8080/ is this machine`}},
		{name: "no key in its place", yaml: strings.Replace(keyed, "key.txt", "none.txt", 1), code: exitUsage, says: []string{`API key +FAIL +site.yaml:\d+: source.api_key_file`}},
		{name: "another file than an archive, and than a folder", yaml: right + "archive: a/archive.db\n", args: "--offline", code: exitUsage, prepare: func() {
			if err := os.Mkdir("a", 0o755); err != nil {
				t.Fatal(err)
			}
			write("a/archive.db", "Bu bir arşiv değil.\n", 0o644)
			write("public", "", 0o644)
		}, says: []string{`archive +FAIL`, `output: public is not a folder`}},
		{name: "no archive can be there", yaml: right + "archive: /proc/none/archive.db\n", args: "--offline", code: exitUsage, says: []string{
			`archive +FAIL +archive /proc/none/archive.db cannot be written: folder /proc: `,
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.name == "no archive can be there" && runtime.GOOS != "linux" {
				t.Skip("SKIPPED: the system has no /proc")
			}
			if test.yaml != "" {
				write("site.yaml", test.yaml, 0o644)
			}
			if test.prepare != nil {
				test.prepare()
			}
			s.SetFaults(test.faults)
			var out, printed bytes.Buffer
			if code := Ayna(strings.Fields("doctor "+test.args), &out, &printed); code != test.code {
				t.Errorf("exit code %d, want %d\n%s%s", code, test.code, &out, &printed)
			}
			for _, says := range test.says {
				if !regexp.MustCompile(says).MatchString(out.String()) {
					t.Errorf("it lacks %s:\n%s", says, &out)
				}
			}
			if test.lacks != "" && strings.Contains(out.String(), test.lacks) {
				t.Errorf("it has %s:\n%s", test.lacks, &out)
			}
		})
	}
}
