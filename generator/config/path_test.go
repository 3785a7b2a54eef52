package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ayna/generator/config"
)

func TestCheckPlaces(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, folder := range []string{"real", ".ayna/media"} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile("file", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(".", filepath.Join(dir, "self")); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	for _, test := range []struct {
		output string
		ok     bool
	}{
		{"public", true}, {"real", true}, {filepath.Join(dir, "public"), true}, {"real/../public", true}, {"../elsewhere", true},
		{"/", false}, {"//", false}, {".", false}, {"..", false}, {dir, false}, {"file", false}, {"self", false},
		{".ayna", false}, {".ayna/media", false}, {".ayna/media/x", false}, {".ayna/public", true}, {".ayna2", true},
	} {
		c := &config.Config{Output: test.output, Archive: ".ayna/archive.db"}
		if err := c.CheckPaths("site.yaml"); (err == nil) != test.ok {
			t.Errorf("output %q: %v", test.output, err)
		}
	}
}

// Whatever a run replaces must not be, hold or lie in what it reads or keeps.
func TestPlacesInEachOthersWay(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, folder := range []string{"public/theme", ".ayna/media", "theme", "words"} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []string{"site.yaml", ".ayna/archive.db", "public/index.html", "records.jsonl"} {
		if err := os.WriteFile(file, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll("deep/er", 0o755); err != nil {
		t.Fatal(err)
	}
	for name, target := range map[string]string{
		"down": "deep/er", "deep/public": "../public", "loop": "pool", "pool": "loop", "round": "none/../round", "linked": ".ayna/archive.db", "later": "none/../.ayna/archive.db-wal", "site": "public", "site.yaml.link": "site.yaml",
	} {
		if err := os.Symlink(target, name); err != nil {
			t.Skip("no symbolic links here:", err)
		}
	}
	if err := os.Link(".ayna/archive.db", "hard"); err != nil {
		t.Skip("no hard links here:", err)
	}
	report := func(name string) []config.NamedPath { return []config.NamedPath{config.Written("--report", name)} }
	for _, test := range []struct {
		name string
		c    config.Config
		more []config.NamedPath
		want string // "" is no error
	}{
		{"all apart", config.Config{Shown: config.Shown{Templates: "theme", Assets: "theme", OwnPages: "words"}}, report("report.json"), ""},
		{"a report that is there", config.Config{}, report("records.jsonl"), ""},
		{"a report on a device", config.Config{}, report(os.DevNull), ""},

		{"report: archive", config.Config{}, report(".ayna/archive.db"), "--report: .ayna/archive.db is the same as archive .ayna/archive.db; name another file"},
		{"report: archive by another way", config.Config{}, report("theme/../.ayna/../.ayna/archive.db"), "same as archive"},
		{"report: link to the archive", config.Config{}, report("linked"), "--report: linked is the same as archive"},
		{"report: hard link to the archive", config.Config{}, report("hard"), "--report: hard is the same as archive"},
		{"report: log of the archive", config.Config{}, report(".ayna/archive.db-wal"), "same as archive .ayna/archive.db-wal"},
		{"report: link to the log that does not exist yet", config.Config{}, report("later"), "same as archive .ayna/archive.db-wal"},
		{"report: memory of the archive", config.Config{}, report(".ayna/archive.db-shm"), "same as archive"},
		{"report: lock of the archive", config.Config{}, report(".ayna/archive.db.lock"), "same as archive"},
		{"report: log of a linked archive", config.Config{Archive: "linked"}, report(".ayna/archive.db-wal"), "same as archive"},
		{"report: pictures", config.Config{}, report(".ayna/media/report.json"), "lies in the archive's pictures .ayna/media"},
		{"report: configuration", config.Config{}, report("site.yaml"), "--report: site.yaml is the same as --config site.yaml"},
		{"report: link to the configuration", config.Config{}, report("site.yaml.link"), "same as --config"},
		{"report: page", config.Config{}, report("public/index.html"), "--report: public/index.html lies in output public; name another file, outside of it"},
		{"report: new in the site", config.Config{}, report("public/new/report.json"), "lies in output"},
		{"report: in the site by a link", config.Config{}, report("site/report.json"), "lies in output"},
		{"report: up from a link", config.Config{}, report("down/../public/report.json"), "lies in output"},
		{"report: in a site that does not exist yet", config.Config{Output: "new"}, report("new/report.json"), "lies in output new"},
		{"report: in a site that does not exist yet, in capitals", config.Config{Output: "new"}, report("NEW/report.json"), "lies in output new"},
		{"report: work tree", config.Config{}, report(".public.ayna/report.json"), "lies in output"},
		{"report: template", config.Config{Shown: config.Shown{Templates: "theme"}}, report("theme/home.html"), "lies in templates theme"},
		{"report: what is read", config.Config{}, append([]config.NamedPath{config.Read("FILE", "records.jsonl")}, report("records.jsonl")...), "same as FILE"},
		{"report: loop", config.Config{}, report("loop"), "--report: loop cannot be resolved: "},
		{"report: loop by what does not exist", config.Config{}, report("round"), "--report: round cannot be resolved: too many links"},

		{"templates: output", config.Config{Shown: config.Shown{Templates: "public"}}, nil, "templates: public is the same as output public; name a folder of its own"},
		{"templates: in the output", config.Config{Shown: config.Shown{Templates: "public/theme"}}, nil, "templates: public/theme lies in output public"},
		{"templates: around the output", config.Config{Shown: config.Shown{Templates: ".."}}, nil, "templates: .. holds output public"},
		{"assets: link to the output", config.Config{Shown: config.Shown{Assets: "site"}}, nil, "assets: site is the same as output public"},
		{"own_pages: the folder of all", config.Config{Shown: config.Shown{OwnPages: "."}}, nil, "own_pages: . holds output public"},
		{"own_pages: work tree", config.Config{Shown: config.Shown{OwnPages: ".public.ayna"}}, nil, "own_pages: .public.ayna is the same as output"},
		{"templates: loop", config.Config{Shown: config.Shown{Templates: "loop"}}, nil, "templates: loop cannot be resolved: "},
		{"output: loop", config.Config{Output: "loop"}, nil, "output: loop cannot be resolved: "},
		{"archive: loop", config.Config{Archive: "pool"}, nil, "archive: pool cannot be resolved: "},
		{"archive: configuration", config.Config{Archive: "site.yaml"}, nil, "archive: site.yaml is the same as --config site.yaml"},
		{"archive: in the output", config.Config{Archive: "public/archive.db"}, nil, "output: public holds archive public/archive.db"},
		{"output: template folder", config.Config{Output: "theme", Shown: config.Shown{Templates: "theme"}}, nil, "templates: theme is the same as output theme"},
		{"output: pictures of PostgreSQL", config.Config{Archive: "postgres://u@h/d?media=pictures", Output: "pictures/site"}, nil, "lies in the archive's pictures pictures"},
		{"output: around the pictures of PostgreSQL", config.Config{Archive: "postgres://u@h/d?media=a/pictures", Output: "a"}, nil, "output: a holds the archive's pictures a/pictures"},
		{"output: smaller pictures", config.Config{Output: ".ayna/sizes"}, nil, "same as the archive's pictures"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := test.c
			if c.Archive == "" {
				c.Archive = ".ayna/archive.db"
			}
			if c.Output == "" {
				c.Output = "public"
			}
			err := c.CheckPaths("site.yaml", test.more...)
			if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q", err, test.want)
			}
		})
	}
}

// Spellings of one address are one origin, and the sample's archive is its
// own unless one is named.
func TestOriginAndArchive(t *testing.T) {
	for _, test := range []struct{ url, archive, origin, want string }{
		{"sample", "", "sample", ".ayna/sample/archive.db"},
		{"sample", "x.db", "sample", "x.db"},
		{"https://API.Example", "", "api.example/", ".ayna/archive.db"},
		{"https://api.example:443/", `""`, "api.example/", ".ayna/archive.db"},
		{"https://api.example.//", "null", "api.example/", ".ayna/archive.db"},
		{"https://api.example:8443/a/B/", "x.db", "api.example:8443/a/B/", "x.db"},
		{"https://api.example/a//b/../c", "", "api.example/a/c/", ".ayna/archive.db"},
		{"https://api.example/ş%2F", "", "api.example/%C5%9F/", ".ayna/archive.db"},
		{"http://localhost:80", "", "localhost/", ".ayna/archive.db"},
		{"https://localhost", "", "localhost/", ".ayna/archive.db"},
		{"http://127.0.0.1:8080/v", "", "127.0.0.1:8080/v/", ".ayna/archive.db"},
		{"http://[::1]:8080", "", "[::1]:8080/", ".ayna/archive.db"},
		{"https://sample", "", "sample/", ".ayna/archive.db"},
	} {
		text := "base_url: https://ayna.example/\nsource: {url: \"" + test.url + "\"}\n"
		if test.archive != "" {
			text += "archive: " + test.archive + "\n"
		}
		c, err := load(t, text, nil)
		if err != nil {
			t.Errorf("%s: %v", test.url, err)
			continue
		}
		if c.Source.Origin() != test.origin || c.Archive != test.want {
			t.Errorf("%s: %s in %s, want %s in %s", test.url, c.Source.Origin(), c.Archive, test.origin, test.want)
		}
	}
}
