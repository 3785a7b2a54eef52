package ghost

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"

	"ayna/source"
	"ayna/source/encode"
)

// readerVersion is that of the rules by which records are made of what Ghost sends. Raise it with
// each change of a record: the next build reads all originals again.
const readerVersion = 7

// ReaderVersion implements [source.Reader]. The paper's host is a setting of the reader.
func (s *Source) ReaderVersion() string {
	return fmt.Sprintf("%d-%.8x", readerVersion, sha256.Sum256([]byte(s.home())))
}

var errNoRecord = errors.New("it has no id, or no record is made of it")

// Read implements [source.Reader].
func (s *Source) Read(ctx context.Context, originals []source.Original) ([]source.Reading, error) {
	readings, home := make([]source.Reading, len(originals)), s.home()
	for i, o := range originals {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		readings[i] = read(o, home)
	}
	return readings, nil
}

func read(o source.Original, home string) (r source.Reading) {
	for _, l := range namedLists() {
		if l.name == o.Type {
			if r.List = l.recordOf(o.Data); r.List == nil {
				r.Err = errNoRecord
			}
			r.Single = r.List
			return r
		}
	}
	p, err := encode.Read[post](o.Data)
	if err == nil && !isID(p.ID) {
		err = errNoRecord
	}
	if err != nil {
		return source.Reading{Err: err}
	}
	p.isPage = o.Type == typeName(true)
	single, notes := singleRecord(p, o.Data, home)
	return source.Reading{List: encode.Encode(listRecord(p.entry)), Single: encode.Encode(single), Notes: notes}
}

// needed are the fields of posts of which records are made.
var needed = []string{
	"id", "slug", "title", "url", "updated_at", "visibility", "html", "custom_excerpt", "published_at", "access", "feature_image",
	"feature_image_alt", "feature_image_caption", "featured", "reading_time", "canonical_url", "comment_id", "tags", "primary_tag", "authors", "primary_author",
}

// kept returns a post as the archive keeps it: without addresses of avatars, and without the
// fields that no record needs, and that hold the configured key.
func (s *Source) kept(raw json.RawMessage) json.RawMessage {
	if s.guard.InJSON(raw) {
		raw = encode.Without(raw, func(name string, value json.RawMessage) bool {
			return !slices.Contains(needed, name) && s.guard.InJSON(value)
		})
	}
	return withoutAvatars(raw)
}

// avatar is the picture of an author at Gravatar. Its address has a hash of an e-mail address.
var avatar = regexp.MustCompile(`("profile_image"\s*:\s*)"(?:[^"\\]|\\.)*gravatar\.com(?:[^"\\]|\\.)*"`)

func withoutAvatars(raw json.RawMessage) json.RawMessage {
	if !bytes.Contains(raw, []byte("gravatar.com")) {
		return raw
	}
	return avatar.ReplaceAll(raw, []byte("${1}null"))
}
