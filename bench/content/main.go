// Command content shows how much of real sites' texts a mirror keeps. Each argument is a folder
// of recorded answers of a WordPress's REST API or a Ghost's Content API, in files of JSON:
//
//	go run ./bench/content [-v] [-keep DIR] DIR...
//
// It serves each folder as a site, mirrors it, and compares the HTML of each record with the
// page made of it. The table has the shares kept: words, pictures, links, players and embeds,
// and the named attributes of shortcodes. -v lists what is lost, with its record.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

func main() {
	verbose := flag.Bool("v", false, "list what is lost")
	keep := flag.String("keep", "", "build the sites in this `folder`, and leave them there")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, flag.Args(), *keep, *verbose); err != nil {
		fmt.Fprintln(os.Stderr, "content:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, folders []string, keep string, verbose bool) error {
	dir, err := os.MkdirTemp("", "content")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "ayna")
	if err := command(ctx, ".", "go", "build", "-o", program, "ayna/cmd/ayna"); err != nil {
		return err
	}
	if keep == "" {
		keep = dir
	}
	fmt.Printf("| site | records | %s |\n|---|--:|%s\n", strings.Join(kinds[:], " | "), strings.Repeat("--:|", len(kinds)))
	for _, folder := range folders {
		s, err := load(folder)
		if err != nil {
			return err
		}
		name := filepath.Base(folder)
		if err := s.mirror(ctx, program, filepath.Join(keep, name)); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		t, err := s.compare(filepath.Join(keep, name, "public"))
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		fmt.Printf("| %s | %d of %d |%s\n", name, t.records, len(s.texts), t)
		if verbose {
			for _, lost := range t.lost {
				fmt.Println("  ", lost)
			}
		}
	}
	return nil
}

var settings = regexp.MustCompile(`(?m)^( *)(per_second|media|canonical|language):.*`)

// mirror makes a site of what the server has in an empty folder.
func (s *site) mirror(ctx context.Context, program, dir string) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	server := httptest.NewServer(s)
	defer server.Close()
	s.address = server.URL
	if err := command(ctx, dir, program, "init", server.URL, "--yes"); err != nil {
		return err
	}
	file := filepath.Join(dir, "site.yaml")
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	values := map[string]string{"per_second": "0", "media": "link", "canonical": "source", "language": "en"}
	text = settings.ReplaceAllFunc(text, func(line []byte) []byte {
		m := settings.FindSubmatch(line)
		return []byte(string(m[1]) + string(m[2]) + ": " + values[string(m[2])])
	})
	if err := os.WriteFile(file, text, 0o644); err != nil {
		return err
	}
	if err := command(ctx, dir, program, "build"); err != nil {
		return err
	}
	return command(ctx, dir, program, "export", "--format", "redirects", "--server", "netlify", "--out", "moved")
}

// command runs a program, whose exit code 3 says that some records failed.
func command(ctx context.Context, dir, program string, args ...string) error {
	c := exec.CommandContext(ctx, program, args...)
	var out bytes.Buffer
	c.Dir, c.Stdout, c.Stderr = dir, &out, &out
	err := c.Run()
	if err != nil && c.ProcessState.ExitCode() != 3 {
		return fmt.Errorf("%s %s: %w\n%s", program, strings.Join(args, " "), err, out.Bytes())
	}
	return nil
}

// A table has the counts of a site by kind.
type table struct {
	records    int
	all, found [5]int
	lost       []string
}

var kinds = [5]string{"words", "pictures", "links", "players", "attributes"}

const (
	words = iota
	pictures
	links
	players
	attributes
)

// count counts a thing, and notes it if it is lost.
func (t *table) count(kind int, isFound bool, address, what string) {
	t.all[kind]++
	if isFound {
		t.found[kind]++
	} else {
		t.lost = append(t.lost, fmt.Sprintf("%s: %s: %q", kinds[kind], address, what))
	}
}

// String returns the shares kept.
func (t *table) String() string {
	var b strings.Builder
	for i := range kinds {
		switch {
		case t.all[i] == 0:
			b.WriteString(" |")
		case t.all[i] == t.found[i]:
			fmt.Fprintf(&b, " 100 of %d |", t.all[i])
		default:
			fmt.Fprintf(&b, " %.2f of %d |", math.Floor(1e4*float64(t.found[i])/float64(t.all[i]))/100, t.all[i])
		}
	}
	slices.Sort(t.lost)
	return b.String()
}
