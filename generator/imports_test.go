package generator_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// floors are the packages of the module, a floor a line, from the top: a package imports only
// packages of lower floors. "*" stands for packages that have no place of their own.
var floors = [13]string{
	"cmd/ayna cmd/build packaging/manual",
	"cli",
	"generator",
	"generator/arrange generator/page generator/feed generator/search generator/config export export/epub export/importer server",
	"fetch generator/story generator/check generator/corrections export/lines server/sample source/kinds",
	"source/* generator/output server/filter",
	"archive source/names",
	"archive/query archive/schedule archive/runstate",
	"archive/database",
	"record source source/homepage",
	"client prose picture generator/site generator/swap generator/cache generator/compiled",
	"slug attachment source/get source/markup archive/analysis durable templates assets .",
	"source/encode source/note",
}

// forTests are the packages that only tests and measurements use.
var forTests = []string{"ayna/generator/page/browser", "ayna/source/sourcetest", "ayna/testrun", "ayna/testrun/attack", "ayna/testrun/chromium", "ayna/testrun/disk", "ayna/testrun/fakepaper", "ayna/testrun/postgrestest"}

// strangers are imports that the floors would allow and the design does not.
var strangers = map[string][]string{
	"ayna/generator/page":   {"ayna/client", "ayna/record"},
	"ayna/generator/feed":   {"ayna/client", "ayna/record"},
	"ayna/generator/search": {"ayna/client", "ayna/record"},
	"ayna/server":           {"ayna/generator"},
	"ayna/prose":            {"ayna/generator/compiled"},
	"ayna/source":           {"ayna/client"},
	"ayna/source/*":         {"ayna/client"},
	"ayna/source/readapi":   nil,
}

// homes names the one package that may use a module, and change with it.
var homes = map[string][]string{
	"golang.org/x/sync":                            {"ayna/fetch", "ayna/generator/story", "ayna/generator/output", "ayna/generator", "ayna/picture", "ayna/server"},
	"github.com/microcosm-cc/bluemonday":           {"ayna/prose"},
	"github.com/JohannesKaufmann/html-to-markdown": {"ayna/prose"},
	"github.com/blevesearch/snowballstem":          {"ayna/generator/search"},
	"golang.org/x/image":                           {"ayna/picture"},
	"github.com/yuin/goldmark":                     {"ayna/prose"},
	"github.com/gorilla/feeds":                     {"ayna/generator/feed"},
	"modernc.org/sqlite":                           {"ayna/archive/database"},
	"github.com/lib/pq":                            {"ayna/archive/database"},
	"database/sql":                                 {"ayna/archive", "ayna/archive/database", "ayna/archive/runstate", "ayna/archive/schedule"},
	"github.com/gosimple/slug":                     {"ayna/server/sample", "ayna/slug"},
	"github.com/klauspost/compress":                {"ayna/archive", "ayna/generator/output", "ayna/generator/search", "ayna/server"},
	"github.com/spf13/cobra":                       {"ayna/cli", "ayna/packaging/manual"},
	"github.com/spf13/pflag":                       {"ayna/cli"},
	"github.com/VictoriaMetrics/metrics":           {"ayna/server"},
	"golang.org/x/crypto":                          {"ayna/cli"},
	"golang.org/x/term":                            {"ayna/cli"},
	"github.com/cpuguy83/go-md2man":                {"ayna/packaging/manual"},
	"golang.org/x/sys":                             {"ayna/generator/swap"},
	"text/template":                                {},
	"text/template/parse":                          {"ayna/generator/page", "ayna/generator/compiled"},
	"unsafe":                                       {},
}

func TestImportsPointDown(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}}{{range .Imports}} {{.}}{{end}}`, "ayna/...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	floor := make(map[string]int) // counted from the top
	for i, packages := range floors {
		for _, p := range strings.Fields(packages) {
			floor[path.Join("ayna", p)] = i
		}
	}
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		name, imports := fields[0], fields[1:]
		if slices.Contains(forTests, name) || strings.HasPrefix(name, "ayna/bench") {
			continue
		}
		own, known := placeOf(floor, name)
		if !known {
			t.Errorf("%s has no place in the table of floors", name)
			continue
		}
		for _, imported := range imports {
			if slices.Contains(forTests, imported) {
				t.Errorf("%s imports %s, which is for tests", name, imported)
			}
			if other, ours := placeOf(floor, imported); ours && other <= own {
				t.Errorf("%s imports %s, which is not below it", name, imported)
			}
			if strange, _ := placeOf(strangers, name); slices.Contains(strange, imported) {
				t.Errorf("%s imports %s", name, imported)
			}
			for module, allowed := range homes {
				inside := strings.HasPrefix(imported, module+"/") && homes[imported] == nil
				if (imported == module || inside) && !slices.Contains(allowed, name) {
					t.Errorf("%s imports %s, whose home is %v", name, imported, allowed)
				}
			}
		}
	}
}

// placeOf returns what a table has of a package, or of all beside it.
func placeOf[V any](table map[string]V, name string) (value V, known bool) {
	if value, known = table[name]; !known {
		value, known = table[path.Dir(name)+"/*"]
	}
	return value, known
}

// TestOneHouseOfHTML: what html/template writes without escaping is made in
// package prose alone.
func TestOneHouseOfHTML(t *testing.T) {
	makes := regexp.MustCompile(`template\.(HTML|HTMLAttr|JS|JSStr|CSS|URL|Srcset)\([^)]|func \([^)]*\) AppendHTML\(`)
	found := 0
	err := filepath.WalkDir("..", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return err
		}
		source, err := os.ReadFile(file)
		if err != nil || !makes.Match(source) {
			return err
		}
		found++
		if filepath.Dir(file) != filepath.Join("..", "prose") {
			t.Errorf("%s: %s", file, makes.Find(source))
		}
		return nil
	})
	if err != nil || found == 0 {
		t.Fatalf("%d files make HTML, %v", found, err)
	}
}

// THIRD_PARTY.md names every module that the programs and tests are built from,
// in its version: it is made anew when one of them changes.
func TestLicencesOfAllModules(t *testing.T) {
	page, err := os.ReadFile("../THIRD_PARTY.md")
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "list", "-deps", "-test", "-f", `{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}{{end}}{{end}}`, "ayna/...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	listed := make(map[string]bool) // module or package, and version
	for line := range strings.Lines(string(page)) {
		if cells := strings.Split(line, " | "); len(cells) == 3 {
			listed[strings.TrimPrefix(cells[0], "| ")+" "+cells[1]] = true
		}
	}
	modules := 0
	for line := range strings.Lines(string(out)) {
		module, version, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok {
			continue
		}
		modules++
		found := false
		for name := range listed {
			other, v, _ := strings.Cut(name, " ")
			found = found || v == version && (other == module || strings.HasPrefix(other, module+"/"))
		}
		if !found {
			t.Errorf("THIRD_PARTY.md lacks %s %s: make it anew, as it says", module, version)
		}
	}
	if modules < 20 {
		t.Errorf("only %d modules could be listed", modules)
	}
}
