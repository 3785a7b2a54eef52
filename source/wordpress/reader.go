package wordpress

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"ayna/source"
	"ayna/source/encode"
	"ayna/source/markup"
)

// readerVersion is that of the rules by which records are made of what WordPress sends. Raise it
// with each change of a record: the next build reads all originals again.
const readerVersion = 8

// ReaderVersion implements [source.Reader]. The slugs of columns and the address
// of the site are settings of the reader.
func (s *Source) ReaderVersion() string {
	return fmt.Sprintf("%d-%.8x", readerVersion, sha256.Sum256([]byte(strings.Join(s.lexicon.columns, ",")+" "+s.lexicon.site)))
}

var errProtected = errors.New("it has a password")

// Read implements [source.Reader].
func (s *Source) Read(ctx context.Context, originals []source.Original) ([]source.Reading, error) {
	readings, posts := make([]source.Reading, len(originals)), make([]post, len(originals))
	var folders []term
	taxonomies := s.knownTaxonomies()
	for i, o := range originals {
		switch {
		case o.Type == categoryOf:
			t, _ := encode.Read[term](o.Data) // nameRecord has the error
			folders = append(folders, t)
		case s.named[o.Type] == nil:
			posts[i], readings[i].Err = readPost(o.Data)
			posts[i].rest, posts[i].terms = o.Type, termsIn(o.Data, taxonomies)
		}
	}
	l, err := s.lexiconOf(ctx, posts, folders)
	if err != nil {
		return nil, err
	}
	for i, o := range originals {
		r, p := &readings[i], posts[i]
		switch {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case r.Err != nil:
		case s.named[o.Type] != nil:
			r.List, r.Err = l.nameRecord(o.Type, o.Data)
			r.Single = r.List
		case p.isProtected():
			r.Err = errProtected
		default:
			single, notes := l.single(p)
			r.List, r.Single, r.Wants, r.Notes = encode.Encode(l.list(p)), encode.Encode(single), lacksOne(l.media, picturesOf(p)), notes
		}
	}
	return readings, nil
}

// nameRecord returns the record of a category or user.
func (l *lexicon) nameRecord(name string, raw json.RawMessage) (json.RawMessage, error) {
	if name == users {
		u, err := encode.Read[user](raw)
		u.Link = markup.Resolve(l.site, u.Link)
		return writerRecord(u), err
	}
	t, err := encode.Read[term](raw)
	t.Link = markup.Resolve(l.site, t.Link)
	return l.folder(t), err
}

// lexiconOf returns what the archive knows of all that posts name, and that folders are in.
func (s *Source) lexiconOf(ctx context.Context, posts []post, folders []term) (*lexicon, error) {
	l := newLexicon(s.lexicon.columns, s.lexicon.site)
	var tagIDs, userIDs, pictures, categoryIDs []number
	for _, p := range posts {
		tagIDs, userIDs, pictures = append(tagIDs, p.Tags.IDs...), append(userIDs, p.Author.ID), append(pictures, picturesOf(p)...)
		categoryIDs = append(categoryIDs, p.Categories.IDs...)
	}
	for _, t := range folders {
		categoryIDs = append(categoryIDs, t.ID, t.Parent)
	}
	for name, ids := range map[string][]number{tags: tagIDs, users: userIDs, mediaOf: pictures} {
		if err := s.recallInto(ctx, l, name, ids); err != nil {
			return nil, err
		}
	}
	if err := s.recallCoauthors(ctx, l, posts); err != nil {
		return nil, err
	}
	for depth := 0; depth < maxDepth && len(categoryIDs) > 0; depth++ {
		if err := s.recallInto(ctx, l, categoryOf, categoryIDs); err != nil {
			return nil, err
		}
		var parents []number
		for _, id := range categoryIDs {
			if parent := l.categories[id].Parent; parent > 0 && lacksOne(l.categories, []number{parent}) {
				parents = append(parents, parent)
			}
		}
		categoryIDs = parents
	}
	return l, nil
}

// recallInto adds elements that the archive knows to a lexicon.
func (s *Source) recallInto(ctx context.Context, l *lexicon, name string, ids []number) error {
	wanted := make(map[string]bool)
	for _, id := range ids {
		if id > 0 {
			wanted[id.String()] = true
		}
	}
	if s.originals == nil || len(wanted) == 0 {
		return nil
	}
	some, err := s.originals.Some(ctx, name, slices.Sorted(maps.Keys(wanted)))
	if err != nil {
		return fmt.Errorf("%s of the archive: %w", name, err)
	}
	l.add(name, some)
	return nil
}

// picturesOf returns the ids of what a post shows, or leads to.
func picturesOf(p post) (ids []number) {
	if p.Picture.ID > 0 {
		ids = append(ids, p.Picture.ID)
	}
	return append(ids, attachments(p.Content.Text)...)
}

// kept returns a post as the archive keeps it: without the fields that no record needs, and that
// hold the source's key, or the address of an avatar, which has a hash of an e-mail address.
func (s *Source) kept(raw json.RawMessage) json.RawMessage {
	if !bytes.Contains(raw, []byte("gravatar")) && !bytes.Contains(raw, []byte(`authors"`)) && !s.getter.KeyGuard().InJSON(raw) {
		return raw
	}
	isChanged := false
	change := func(name string, value json.RawMessage) json.RawMessage {
		if isByline(name, value) {
			isChanged, value = true, keptAuthors(value)
		}
		if !isSingleField(name) && (bytes.Contains(value, []byte("gravatar")) || s.getter.KeyGuard().InJSON(value)) {
			isChanged = true
			return nil
		}
		return value
	}
	if changed := encode.Change(raw, change); isChanged {
		return changed
	}
	return raw
}
