package wordpress

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"hash/maphash"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"ayna/source"
	"ayna/source/encode"
	"ayna/source/get"
	"ayna/source/names"
)

// guids is the type of originals that have the ids of posts by digests of what their entries have
// instead, and 0 for a guid that several posts have.
const guids = "guids"

// A postID is such an original.
type postID struct {
	ID number `json:"id"`
}

// identify returns the ids of the posts of entries, 0 for those that name none. The id is in the
// guid of a post that was a draft first. Other posts are asked for it once.
func (s *Source) identify(ctx context.Context, entries []entry) ([]number, error) {
	ids, keys := make([]number, len(entries)), []string{}
	for _, e := range entries {
		keys = append(keys, digestOf(e.ID), digestOf(e.ID, e.link()))
	}
	known := make(map[string]json.RawMessage)
	if s.originals != nil {
		var err error
		if known, err = s.originals.Some(ctx, guids, keys); err != nil {
			return nil, fmt.Errorf("ids of posts of the archive: %w", err)
		}
	}
	for i, e := range entries {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		shared, own := keys[2*i], keys[2*i+1]
		id := cmp.Or(s.idIn(e.ID), s.idIn(e.link()))
		if id > 0 && known[shared] == nil {
			hash := maphash.String(seed, own)
			if first, has := s.feed.links[id]; !has || first == hash {
				s.feed.links[id], ids[i] = hash, id
				continue
			}
			if err := s.keepID(ctx, shared, 0); err != nil {
				return nil, err
			}
		}
		if raw, has := known[own]; has {
			stored, _ := encode.Read[postID](raw)
			ids[i] = stored.ID
			continue
		}
		id, err := s.askID(ctx, e)
		if err == nil && id > 0 {
			err = s.keepID(ctx, own, id)
		}
		if err != nil && !names.IsOfList(err) {
			return nil, err
		}
		ids[i] = id
	}
	return ids, nil
}

var seed = maphash.MakeSeed()

// digestOf returns a key for what an entry has.
func digestOf(texts ...string) string {
	return fmt.Sprintf("%.16x", sha256.Sum256([]byte(strings.Join(texts, "\n"))))
}

func (s *Source) keepID(ctx context.Context, key string, id number) error {
	if s.originals == nil {
		return nil
	}
	return s.originals.Put(ctx, []source.Original{{Type: guids, ID: key, Operation: feedRoute, Data: encode.Encode(postID{id})}})
}

// askID asks for the feed of a post alone, whose header has its id.
func (s *Source) askID(ctx context.Context, e entry) (number, error) {
	u, err := s.feed.home.Parse(e.link())
	if err != nil || e.link() == "" {
		return 0, nil
	}
	u.Scheme = s.feed.home.Scheme
	path, isInside := strings.CutPrefix(u.EscapedPath(), strings.TrimSuffix(s.feed.home.EscapedPath(), "/"))
	if !get.IsSameSite(s.feed.home, u) || !isInside || !strings.HasPrefix(path, "/") {
		return 0, nil
	}
	page, a, err := s.ask(ctx, path, url.Values{"feed": {"atom"}, "withoutcomments": {"1"}}, nil)
	if err != nil || len(page.entries) != 1 || page.entries[0].link() != e.link() {
		return 0, err
	}
	return idInHeader(a.Header), nil
}

// idIn returns the id in an address of the site, as /?p=12; 0 if it has none.
func (s *Source) idIn(address string) number {
	u, err := s.feed.home.Parse(strings.TrimSpace(address))
	if err != nil || address == "" {
		return 0
	}
	if u.Scheme = s.feed.home.Scheme; !get.IsSameSite(s.feed.home, u) {
		return 0
	}
	return positive(u.Query().Get("p"))
}

func positive(text string) number {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 {
		return 0
	}
	return number(n)
}

// ownLink is a link of a post to its short address, or to its record of the REST API.
var ownLink = regexp.MustCompile(`<[^>]*(?:[?&]p=|/wp/v2/posts/|%2Fwp%2Fv2%2Fposts%2F)(\d+)>; *rel="?(?:shortlink|alternate)`)

// idInHeader returns the id of the post that an answer is about; 0 if it does not say it.
func idInHeader(h http.Header) number {
	for _, value := range h.Values("Link") {
		if m := ownLink.FindStringSubmatch(value); m != nil {
			return positive(m[1])
		}
	}
	return 0
}
