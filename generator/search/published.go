package search

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"ayna/generator/site"
)

// readFile reads the arguments of a file's call after its name. The file is in a directory
// of a published tree.
func readFile(tree fs.FS, dir, name string, arguments ...any) error {
	content, err := fs.ReadFile(tree, path.Join(dir, fileName(name)))
	if err != nil {
		return fmt.Errorf("read the search index: %w", err)
	}
	inner, ok := bytes.CutPrefix(content, []byte("ayna("))
	inner, ok2 := bytes.CutSuffix(inner, []byte(");\n"))
	var found string
	all := append([]any{&found}, arguments...)
	want := len(all)
	err = json.Unmarshal(slices.Concat([]byte{'['}, inner, []byte{']'}), &all)
	if !ok || !ok2 || err != nil || len(all) != want || found != name {
		return damaged(dir, name)
	}
	return nil
}

func damaged(dir, name string) error {
	return fmt.Errorf("read the search index: %s is damaged: run ayna check", path.Join(dir, fileName(name)))
}

// published is what the beginning of a published file tells of it.
type published struct {
	version string // "" if there is no such file
	whole   bool   // all of the texts that it was made of could be read
}

// publishedVersion reads the beginning of a published file.
func (r *Renderer) publishedVersion(name string) (p published) {
	if r.published == nil {
		return p
	}
	file, err := r.published.Open(site.SearchFile(r.words, fileName(name)))
	if err != nil {
		return p
	}
	defer file.Close()
	head := make([]byte, 64)
	n, _ := io.ReadFull(file, head)
	rest, found := bytes.CutPrefix(head[:n], fmt.Appendf(nil, "ayna(%q,\"", name))
	version, rest, _ := bytes.Cut(rest, []byte(`",`))
	if found {
		p.version, p.whole = string(version), bytes.HasPrefix(rest, []byte("0,"))
	}
	return p
}

// entry is a term with its lists, as a file has it: "TERM TITLE SPOT TEXT".
type entry struct {
	term  string
	lists []string
}

// readTerms returns the terms in a file of a segment, without those that stand for others
// that begin alike.
func readTerms(tree fs.FS, dir, name, version string) (terms []entry, err error) {
	var found, entries string
	var sum uint32
	if err := readFile(tree, dir, name, &found, &entries, &sum); err != nil {
		return nil, err
	}
	if found != version || sum != checksum(entries) {
		return nil, damaged(dir, name)
	}
	for text := range strings.SplitSeq(entries, "|") {
		term, lists, _ := strings.Cut(text, " ")
		if term != "" && !strings.HasSuffix(term, prefixSign) {
			terms = append(terms, entry{term, strings.SplitN(lists, " ", fields)})
		}
	}
	return terms, nil
}

// checksum returns the CRC-32 of a file's terms.
func checksum(entries string) uint32 { return crc32.ChecksumIEEE([]byte(entries)) }
