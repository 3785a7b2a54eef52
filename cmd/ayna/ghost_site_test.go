package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"ayna/testrun"
)

// A realGhost is a Ghost that .ci/ghost/start has filled.
type realGhost struct{ dir, address string }

func openRealGhost(t *testing.T) *realGhost {
	t.Helper()
	testrun.NeedsSlow(t, "mirrors a real Ghost")
	dir := os.Getenv("AYNA_GHOST")
	if dir == "" {
		t.Skip("needs Ghost: AYNA_GHOST names the folder of .ci/ghost/start, as in .ci/run ghost")
	}
	address, err := os.ReadFile(filepath.Join(dir, "address"))
	if err != nil {
		t.Fatal(err)
	}
	return &realGhost{dir, strings.TrimSpace(string(address))}
}

// run runs code as an editor, and decodes what it returns.
func (g *realGhost) run(t *testing.T, value any, format string, args ...any) {
	t.Helper()
	c := exec.Command(filepath.Join(g.dir, "node"), filepath.Join("..", "..", ".ci", "ghost", "run.mjs"), g.dir, fmt.Sprintf(format, args...))
	var errors strings.Builder
	c.Stderr = &errors
	out, err := c.Output()
	if err == nil && value != nil {
		err = json.Unmarshal(out, value)
	}
	if err != nil {
		t.Fatalf("%v\n%s%s", err, out, errors.String())
	}
}

// mirror begins a mirror with init.
func (g *realGhost) mirror(t *testing.T) *workdir {
	t.Helper()
	p := &workdir{dir: t.TempDir()}
	c := p.startCommand(t, "ayna", "init", g.address, "--yes")
	if code := c.wait(t, time.Minute); code != exitOK {
		t.Fatalf("exit code %d\n%s%s", code, c.out, c.err)
	}
	p.configure(t,
		"  per_second: 2\n", "  per_second: 0\n",
		`title: "Zeytin Postası"`, `title: "Zeytin Postası"`,
		`description: "Zeytin üreticisinin gazetesi"`, `description: "Zeytin üreticisinin gazetesi"`,
		`language: "tr"`, `language: "tr"`,
		`timezone: "Europe/Istanbul"`, `timezone: "Europe/Istanbul"`,
		`navigation: ["/ekonomi/","/spor/"]`, `navigation: ["/ekonomi/","/spor/"]`,
		`accent: "#4b7f2b"`, `accent: "#4b7f2b"`)
	return p
}

// build is buildLogged, by Ghost's log.
func (g *realGhost) build(t *testing.T, p *workdir, args ...string) (requests []string, out string) {
	t.Helper()
	return p.buildLogged(t, filepath.Join(g.dir, "requests.log"), " /content/", args...)
}

// page returns the page with a title, or "".
func (p *workdir) page(t *testing.T, title string) string {
	t.Helper()
	for name, content := range p.tree(t, "public") {
		if strings.HasSuffix(name, ".html") && regexp.MustCompile(`<h1[^>]*>`+regexp.QuoteMeta(title)+`</h1>`).MatchString(content) {
			return content
		}
	}
	return ""
}
