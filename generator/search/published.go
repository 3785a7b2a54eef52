package search

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/klauspost/compress/flate"
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

// readItems returns the items in a file of them.
func readItems(tree fs.FS, dir string, number int) (rows []row, err error) {
	var version, packed string
	var unreadable int
	name := itemsName(number)
	if err := readFile(tree, dir, name, &version, &unreadable, &packed); err != nil {
		return nil, err
	}
	unpacked := flate.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(packed)))
	if err := json.NewDecoder(unpacked).Decode(&rows); err != nil {
		return nil, damaged(dir, name)
	}
	return rows, nil
}

// UnmarshalJSON reads an item as packRows writes it.
func (r *row) UnmarshalJSON(data []byte) error {
	fields := r.fields()
	want := len(fields)
	err := json.Unmarshal(data, &fields)
	if err == nil && len(fields) != want {
		err = fmt.Errorf("%d fields", len(fields))
	}
	return err
}

// readTerms returns the terms in a file of a segment, without those that stand for others
// that begin alike.
func readTerms(tree fs.FS, dir, name, version string) (terms []encodedTerm, err error) {
	var found, entries string
	if err := readFile(tree, dir, name, &found, &entries); err != nil {
		return nil, err
	}
	if found != version {
		return nil, damaged(dir, name)
	}
	for text := range strings.SplitSeq(entries, "|") {
		if term, _, _ := strings.Cut(text, " "); term != "" && !strings.HasSuffix(term, prefixSign) {
			terms = append(terms, encodedTerm{term, text})
		}
	}
	return terms, nil
}

// positions returns where the items of a term are in their segment, times fields, plus the
// field; rising.
func (e encodedTerm) positions() (all []int) {
	for i, list := range strings.SplitN(e.text, " ", 1+fields)[1:] {
		eachPosition(list, func(position int) { all = append(all, position*fields+i) })
	}
	slices.Sort(all)
	return all
}
