// Package wordpress reads a paper that is published with WordPress, by its public REST
// API, and returns the records of a Content Publishing Read API: list records without
// texts, single records with them, categories as folders and users as writers.
//
//	s, err := wordpress.New(wordpress.Config{BaseURL: "https://kiyi.example"})
//	...
//	batch, err := s.List(ctx, wordpress.Posts, source.Query{Top: 100})
//	answers, err := s.Fetch(ctx, wordpress.Posts, ids)
//
// What is not public does not come: drafts, private and scheduled posts are in no list of
// WordPress, and posts with a password are left out here.
//
// Begin with source.go. request.go finds the REST API and classifies its errors. list.go,
// posts.go, changes.go and sticky.go read lists, fetch.go records by their ids, and prover.go
// asks whether they are gone. names.go and lexicon.go have what posts name by ids, coauthor.go the
// several authors of plug-ins, taxonomy.go the terms of other taxonomies; lack.go keeps what cannot
// be read. reader.go makes records of originals again, fields.go has which fields originals have.
// post.go and shape.go have what WordPress answers; record.go makes records of it, folder.go
// folders, content.go, picture.go and attachment.go clean texts. discover.go finds WordPress at an
// address.
//
// A paper that closes its REST API may be read by its Atom feed instead: feed_way.go decides it,
// feed.go and feed_list.go read the feed, entry.go makes posts of its entries, feed_id.go finds
// their ids.
package wordpress

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"ayna/source"
	"ayna/source/get"
)

// perPage is the most that WordPress gives in one answer.
const perPage = 100

// Config describes a paper. Only BaseURL is required.
type Config struct {
	// BaseURL is the address of the paper's home page.
	BaseURL string
	// APIKey is "user:application password" for a paper that closes its REST API.
	APIKey string
	// Columns are slugs of categories and tags whose posts are columns.
	Columns []string
	// Types are the REST names of custom types that are read beside posts.
	Types []string
	// Feed has the feed read while the paper closes its REST API.
	Feed bool
	source.Connection
}

// A Source reads one paper. It is safe for use by several goroutines.
type Source struct {
	getter *get.Getter
	types  []string // REST names, posts first, standing pages last

	earlier   map[string]string // what earlier runs have found
	originals source.Originals  // nil keeps nothing
	named     map[string]*named // lists of what posts name, by REST name; the map never changes

	taxonomyMu     sync.Mutex          // held while taxonomies are read
	taxonomiesRead bool                // guarded by taxonomyMu
	fieldsMu       sync.Mutex          // held while the fields of a type are read
	fields         map[string][]string // of posts that no record needs, see fieldsFor, by REST name
	guestMu        sync.Mutex          // held while guests are read
	guestsAsked    map[string]bool     // by their slugs, in this run
	isSweep        atomic.Bool         // the beginning of the list of posts was read
	changesMu      sync.Mutex          // held while changes are read
	mayFeed        bool                // the feed may be read
	hasKey         bool                // there is a password
	isFeed         atomic.Bool         // this run reads it, and not the REST API
	feedMu         sync.Mutex          // held while the feed is read
	feed           feed

	mu         sync.Mutex
	route      string // of the REST API below the base URL, "" if unknown
	most       int    // records in one answer
	found      map[string]string
	lexicon    lexicon
	recalled   *lexicon           // all users of the archive, once originals with several authors were read
	taxonomies []string           // fields of posts, see taxonomyFields
	lists      map[string]*extent // what answers have shown of lists of posts, by REST name
	changes    *changes           // of the latest query
	sticky     []json.RawMessage  // the page of sticky posts, or none
	stickyRead bool
	title      string // of the paper
	lacks      lacks
	knowsWords bool // an earlier run has warned of words around JSON
}

// New returns a source. Its errors are those of [get.New].
func New(c Config) (*Source, error) {
	read, err := get.New(get.Config{
		BaseURL: c.BaseURL, APIKey: c.APIKey, Basic: true, Transport: c.Transport, Timeout: c.Timeout, UserAgent: c.UserAgent, Gate: c.Gate,
		SameSite: true,
	})
	if err != nil {
		return nil, err
	}
	s := &Source{
		getter: read, types: append(append([]string{"posts"}, c.Types...), standing), earlier: c.Found, originals: c.Originals,
		route: c.Found[routeFound], most: perPage, found: make(map[string]string), lists: make(map[string]*extent), named: newNamed(c.Found), knowsWords: c.Found[wordsFound] != "",
		taxonomies: earlierTaxonomies(c.Found), lexicon: *newLexicon(c.Columns, c.BaseURL), fields: make(map[string][]string),
		guestsAsked: make(map[string]bool),
	}
	s.mayFeed, s.hasKey = c.Feed, c.APIKey != ""
	s.feed = feed{posts: make(map[number]json.RawMessage), folders: make(map[string]string), links: make(map[number]uint64)}
	if s.feed.home, err = url.Parse(strings.TrimSpace(c.BaseURL)); err != nil {
		return nil, fmt.Errorf("base URL: %w", err)
	}
	if n, err := strconv.Atoi(c.Found[mostFound]); err == nil && n >= fewest && n < perPage {
		s.limit(n)
	}
	return s, nil
}

// Posts is the list of all posts, whatever their kind, then of those of custom types, and
// then of standing pages.
const Posts source.Group = "posts"

// standing is the REST name of standing pages.
const standing = "pages"

// Facts returns the facts of WordPress: one list of posts with all kinds of items, and a
// page of sticky posts. A sweep costs a request for each hundred posts.
func (s *Source) Facts() source.Facts {
	if s.isFeed.Load() {
		return feedFacts()
	}
	return source.Facts{
		Lists: []source.List{
			{Group: Posts, Holds: []source.Group{source.Articles, source.Columns, source.Galleries, source.Videos}, Dated: true},
			{Group: source.Pages, Holds: []source.Group{source.Pages}, MayBeEmpty: true},
			{Group: source.Writers, Holds: []source.Group{source.Writers}},
			{Group: source.Paths, Holds: []source.Group{source.Paths}},
		},
		Sweep: 6 * time.Hour, EditsShow: true, SinceIsWhole: true, Describes: true, NamesEachRun: true, Bulk: perPage,
	}
}

// KeyGuard returns the guard of the application password.
func (s *Source) KeyGuard() *get.KeyGuard { return s.getter.KeyGuard() }

// Questions of [Source.Found].
const (
	routeFound      = "REST API"
	mostFound       = "most records in an answer"
	taxonomiesFound = "taxonomies"
	longFound       = "length of " // and the name of a list
	isLong          = "long"
	wordsFound      = "words around JSON" // answers have such words
)

// Found returns where the REST API is, what it gives, and what names are doubted.
func (s *Source) Found() map[string]string {
	if s.getter.Warning() != "" {
		s.note(wordsFound, "left out")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	found := maps.Clone(s.found)
	for _, n := range s.named {
		if text := n.memory.String(); text != "" || s.earlier[n.question()] != "" {
			found[n.question()] = text
		}
		if n.isLong {
			found[longFound+n.name] = isLong
		} else if s.earlier[longFound+n.name] != "" {
			found[longFound+n.name] = ""
		}
	}
	return found
}

func (s *Source) note(question, answer string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.found[question] = answer
}
