package cli

import (
	"bytes"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// heading begins a site.yaml.
const heading = "title: Deneme\nbase_url: https://ayna.example/\n"

// mistaken are files of configuration with one mistake each, and what commands are given.
var mistaken = map[string]string{
	"site.yaml":               heading,
	"unknown.yaml":            heading + "colour: blue\n",
	"deep.yaml":               "source: {url: sample, perhour: 5}\n",
	"indented.yaml":           "source:\n    url: sample\n name: x\n",
	"literal.yaml":            heading + "source: {api_key: s3cret}\n",
	"question.yaml":           heading + "source: {url: \"https://api.example/?\"}\n",
	"wrong.yaml":              heading + "feeds:\n  mixes: [{title: a, include: [\"kind:foto\"]}]\n",
	"variable.yaml":           "title: ${MIRROR_TITLE}\nbase_url: https://ayna.example/\n",
	"key.yaml":                heading + "source:\n  url: http://127.0.0.1:1\n  api_key: ${AYNA_API_KEY}\n",
	"empty.yaml":              heading + "source: {url: \"http://127.0.0.1:1\", api_key: \"${EMPTY_KEY}\"}\n",
	"broken.yaml":             heading + "templates: broken\n",
	"broken/home.html":        `{{define "main"}}{{.NoSuchThing}}{{end}}`,
	"folder.yaml":             heading + "archive: kept\n",
	"kept/note.txt":           "Not an archive.\n",
	"own.yaml":                heading + "own_pages: nowhere\n",
	"frame.yaml":              heading + "icon: i.png\nsnippets: {foot: f.html}\n",
	"around.yaml":             heading + "own_pages: .\n",
	"templates.yaml":          heading + "templates: public\n",
	"assets.yaml":             heading + "assets: public/spor\n",
	"loop.yaml":               heading + "output: loop\n",
	"records.jsonl":           "",
	"folder/note.txt":         "",
	".ayna/sample/archive.db": "nobody opens it",
	"public/index.html":       "published",
	"public/spor/index.html":  "published",
}

// A wrong use is named before anything is done, with what to do instead, and never with a key.
func TestRefusals(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("EMPTY_KEY", "")
	for name, text := range mistaken {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{"linked": ".ayna/sample/archive.db", "link": "records.jsonl", "loop": "pool", "pool": "loop"} {
		if err := os.Symlink(to, name); err != nil {
			t.Skip("SKIPPED: this user may not make links:", err)
		}
	}
	if err := os.Link(".ayna/sample/archive.db", "hard"); err != nil {
		t.Fatal(err)
	}
	before := files(t)
	for _, test := range []struct{ command, says string }{
		{"ayna biuld", `^ayna: unknown command "biuld" for "ayna"\n\nDid you mean this\?\n\tbuild\n`},
		{"ayna build --ofline", `^build: unknown flag: --ofline; nearest: --offline\nbuild: hint: see ayna build --help\n`},
		{"build --nosuchflag", "unknown flag: --nosuchflag\nbuild: hint: see build --help\n"},
		{"build -nosuchflag", "unknown flag: --nosuchflag"},
		{"build -offline", `^build: -offline has one dash; write --offline\n`},

		{"build extra", `unexpected argument "extra"`},
		{"ayna rollback now", `unexpected argument "now"`},
		{"ayna forget", "KIND/ID is missing"},
		{"ayna forget article", `article: write it as article/41010101 or comment/123\nforget: hint: see ayna forget --help\n`},
		{"ayna forget novel/41010101", "novel"},
		{"ayna forget article/41010101 --undo --absent", "--undo"},
		{"ayna import nothing.jsonl", "nothing.jsonl"},
		{"ayna serve --addr nothing", "hint: see ayna serve --help\n"},
		{"ayna export --month soon", `2026-09.*\n.*hint: see ayna export --help\n`},
		{"ayna export --from 2026-10 --to 2026-09-30", `2026-10 is after 2026-09-30: exchange them\n.*hint: see ayna export --help\n`},
		{"ayna pack epub --out x.epub --month 2026-09 --to 2026-10", "--month 2026-09 is a time of its own"},
		{"build --jobs 0", `hint: see build --help\n`},
		{"build --budget -1", "--budget"},
		{"build --allow-delete -1", "--allow-delete"},

		// A command takes only the flags that concern it.
		{"ayna sync --offline", "unknown flag: --offline"},
		{"ayna sync --jobs 1", "unknown flag: --jobs"},
		{"ayna check --allow-delete 1", "unknown flag: --allow-delete"},
		{"ayna forget --allow-delete 1 article/41010101", "unknown flag: --allow-delete"},
		{"ayna import --allow-delete 1 records.jsonl", "unknown flag: --allow-delete"},
		{"ayna rollback --report report.json", "unknown flag: --report"},

		// A key is no flag: everybody could see it in the list of processes.
		{"build -api-key s3cret", "unknown flag: --api-key\n"},
		{"build --api-key=s3cret", "unknown flag: --api-key\n"},
		{"ayna -api-key=s3cret build", "unknown flag: --api-key"},

		{"build --config none.yaml", "none.yaml"},
		{"build --config unknown.yaml", `unknown.yaml:3:1: unknown key "colour"; nearest: .*\n.*hint: see the comments in unknown.yaml\n`},
		{"build --config deep.yaml", `unknown key "perhour"; nearest: per_hour, `},
		{"build --config indented.yaml", "indented.yaml:3:2: .*; look at its quotes and at the blanks before it"},
		{"build --config literal.yaml", "literal.yaml:3: source.api_key"},
		{"build --config question.yaml", "question.yaml:3: source.url"},
		{"build --config wrong.yaml", `wrong.yaml:4: feeds.mixes: "kind:foto" is not a kind; write kind:article`},
		{"build --config variable.yaml --offline", `variable.yaml:1: title: \$\{MIRROR_TITLE\} is not set(.|\n)*hint: export MIRROR_TITLE=`},
		{"build --config key.yaml", `^build: key.yaml:5: source.api_key: \$\{AYNA_API_KEY\} is not set in the environment, or empty\nbuild: hint: export AYNA_API_KEY=`},
		{"build --config empty.yaml --quiet", `source.api_key: \$\{EMPTY_KEY\} is not set`},
		{"build --config broken.yaml", "home.html:1"},
		{"build --config folder.yaml", "archive: kept is a folder; name a file, as kept/archive.db"},
		{"build --config own.yaml", "own.yaml:3: own_pages: open nowhere: no such file or directory; name a folder that can be read, or remove the key"},
		{"build --config frame.yaml --offline", `frame.yaml:3: icon: open i.png: .*; name a file(.|\n)*frame.yaml:4: snippets.foot: `},

		// A place that would overwrite another one.
		{"build --out site.yaml", "site.yaml is not a folder"},
		{"build --out .", "name a folder for the site alone"},
		{"build --out loop", "output: loop"},
		{"build --offline --config loop.yaml", "output: loop cannot be resolved: .*; remove the link"},
		{"build --offline --config templates.yaml", "templates: public is the same as output public; name a folder of its own"},
		{"build --offline --config assets.yaml", "assets: public/spor lies in output public"},
		{"build --offline --config around.yaml", `own_pages: \. holds output public`},
		{"build --report none/report.json", `--report none/report.json cannot be written: folder none: no such file or directory; name another file(.|\n)*hint: see build --help`},
		{"build --report folder", "--report folder cannot be written: .*is a directory"},
		{"build --report .ayna/sample/archive.db", "--report: .ayna/sample/archive.db is the same as archive .ayna/sample/archive.db; name another file"},
		{"build --report linked", "linked is the same as archive"},
		{"build --report hard", "hard is the same as archive"},
		{"build --report .ayna/sample/archive.db-wal", "same as archive"},
		{"build --report .ayna/sample/media/report.json", "lies in"},
		{"build --report site.yaml", "same as --config site.yaml"},
		{"build --report public", "public"},
		{"build --report public/index.html", "lies in output public"},
		{"ayna import records.jsonl --report records.jsonl", "same as FILE"},
		{"ayna export --out .ayna/sample/archive.db", "--out: .ayna/sample/archive.db is the same as archive"},
		{"ayna export --out site.yaml", "same as --config"},
		{"ayna export --out link", "--out link is not a regular file"},
		{"ayna pack zip --out folder", "--out folder is not a regular file"},
		{"ayna pack zip --out public/site.zip", "lies in output public"},
		{"ayna pack zip", "--out"},
		{"ayna pack epub", `hint: see ayna pack --help\n`},
		{"ayna pack rar --out x", "must be one of zip, zim, epub; ayna export writes records"},
		{"ayna pack zip --writer yok --out x", "zip holds the whole site: leave out --path, --month, --from, --to, --writer and --search"},
		{"ayna pack zim --month 2026-09 --out x", "zim holds the whole site"},
	} {
		var out, printed bytes.Buffer
		name, args, _ := strings.Cut(test.command, " ")
		run := Build
		if name == "ayna" {
			run = Ayna
		}
		if code := run(strings.Fields(args), &out, &printed); code != exitUsage {
			t.Errorf("%s: exit code %d, want %d", test.command, code, exitUsage)
		}
		if !regexp.MustCompile(test.says).MatchString(printed.String()) {
			t.Errorf("%s: %s\nwant %s", test.command, &printed, test.says)
		}
		if strings.Contains(printed.String(), "s3cret") || strings.Contains(out.String(), "s3cret") {
			t.Errorf("%s: the key is printed:\n%s%s", test.command, &out, &printed)
		}
	}
	if after := files(t); !maps.Equal(before, after) {
		t.Errorf("files %q, were %q", slices.Sorted(maps.Keys(after)), slices.Sorted(maps.Keys(before)))
	}
}

// files reads what the working directory holds.
func files(t *testing.T) map[string]string {
	t.Helper()
	found := make(map[string]string)
	err := filepath.WalkDir(".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		content, err := os.ReadFile(name)
		found[name] = string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// Help fits a screen and goes to stdout; each command has a usage line and an example.
func TestHelp(t *testing.T) {
	help := func(args ...string) string {
		t.Helper()
		var out, printed bytes.Buffer
		if code := Ayna(args, &out, &printed); code != exitOK || printed.Len() > 0 {
			t.Errorf("%q: exit code %d, stderr %s", args, code, &printed)
		}
		return out.String()
	}
	if text := help("--help"); !strings.Contains(text, "\nusage: ayna COMMAND") || !strings.Contains(text, "\n  forget ") || strings.Count(text, "\n") > 24 {
		t.Errorf("help has %d lines:\n%s", strings.Count(text, "\n"), text)
	}
	for _, cmd := range new(app).root().Commands() {
		if name := cmd.Name(); cmd.IsAvailableCommand() {
			if text := help("help", name); !strings.Contains("\n"+text, "\nusage: ayna "+name) || !cmd.HasSubCommands() && !strings.Contains(text, "\nfor example:") {
				t.Errorf("help of %s:\n%s", name, text)
			}
		}
	}
	for args, want := range map[string]string{
		"version": `^ayna .*go1`, "--version": `^ayna .*go1`, "build --help": "send no request",
	} {
		if text := help(strings.Fields(args)...); !regexp.MustCompile(want).MatchString(text) {
			t.Errorf("%s: %s", args, text)
		}
	}
}
