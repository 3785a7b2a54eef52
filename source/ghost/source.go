// Package ghost reads a paper that is published with Ghost, by its Content API, and returns
// the records of a Content Publishing Read API: list records without texts, single records
// with them, tags as folders and authors as writers.
//
//	s, err := ghost.New(ghost.Config{BaseURL: "https://zeytin.example"})
//	...
//	batch, err := s.List(ctx, ghost.Posts, source.Query{Top: 100})
//	answers, err := s.Fetch(ctx, ghost.Posts, ids)
//
// The key of the API stands on the paper's own pages. Each source reads it there anew, and
// stores it nowhere. Posts for members come with what everybody may read of them.
//
// Tags are folders alone, and not in the field Tags. That one has names without ids: a tag
// that is renamed changes no date of its posts, so all of them would have to be fetched
// again, and pages would show each tag twice.
//
// Begin with source.go. key.go finds the key, request.go sends requests and classifies
// their errors; list.go has all posts and pages with their dates, paged.go reads them page by
// page, fetch.go reads records by their ids; post.go has what Ghost answers, record.go makes
// records of it, reader.go makes them again; text.go and card.go clean texts.
package ghost

import (
	"maps"
	"sync"
	"time"

	"ayna/source"
	"ayna/source/get"
	"ayna/source/homepage"
	"ayna/source/names"
)

// perPage is the most that Ghost gives in one answer.
const perPage = 100

// Config describes a paper. Only BaseURL is required.
type Config struct {
	// BaseURL is the address of the paper's home page.
	BaseURL string
	// APIKey is the content API key of a paper whose pages hide it. The pages are not read
	// then.
	APIKey string
	source.Connection
}

// A Source reads one paper. It is safe for use by several goroutines.
type Source struct {
	config Config
	guard  *get.KeyGuard

	opening sync.Mutex  // held while the key is read
	api     *get.Getter // nil until the key is known
	key     string
	refusal error // of the key; it is not sent again

	listing     sync.Mutex      // held while posts and pages are listed
	entries     []entry         // of all posts and pages, nil until they are read whole
	isPage      map[string]bool // has the ids of pages
	pages       []entry         // standing pages, nil until they are read
	pageTries   int             // how often they were asked for
	pagesFailed error           // why they could not be read, else nil
	date        time.Time       // of the answer with the posts
	latest      part            // of a list that is read page by page
	before      part            // the one before it

	naming sync.Mutex // held while tags or authors are read
	lists  map[source.Group]*namedList

	mu     sync.Mutex
	found  map[string]string
	closed []string // lists that it does not show
}

// New returns a source. Its errors are those of [get.New].
func New(c Config) (*Source, error) {
	checked, err := get.New(get.Config{BaseURL: c.BaseURL, APIKey: c.APIKey})
	if err != nil {
		return nil, err
	}
	return &Source{config: c, guard: checked.KeyGuard(), lists: namedLists(), found: maps.Clone(c.Found)}, nil
}

// Posts is the list of all posts, and then of standing pages.
const Posts source.Group = "posts"

// Facts returns the facts of Ghost: one list of posts and pages, which one request reads
// whole unless the paper is large or its Ghost is old. Its records lack folders, dates of
// publication and names.
func (s *Source) Facts() source.Facts {
	t := source.Facts{
		Lists: []source.List{
			{Group: Posts, Holds: []source.Group{source.Articles}, Dated: true},
			{Group: source.Writers, Holds: []source.Group{source.Writers}},
			{Group: source.Paths, Holds: []source.Group{source.Paths}},
		},
		EditsShow: true, SinceIsWhole: true, Describes: true, NamesEachRun: true, Brief: true, Bulk: perPage,
	}
	if s.isPageWise() {
		t.Sweep = 6 * time.Hour
	}
	return t
}

// KeyGuard returns the guard of [Config.APIKey]. A key that stands on the paper's pages is
// no secret.
func (s *Source) KeyGuard() *get.KeyGuard { return s.guard }

const (
	// listFound is how all posts are listed.
	listFound = "list of posts"
	pageWise  = "page by page"
	noList    = "page by page, for want of another list"
	atOnce    = "at once"
	// refusedFound is the digest of a key that was refused, and when.
	refusedFound = "refused key"
	// hostFound is the paper's host, which Ghost adds to links to other sites (?ref=HOST).
	hostFound = "host"
	// wordsFound is that answers have other words around their JSON.
	wordsFound = "words around JSON"
)

// Warnings returns which lists the paper does not show, and what its owner may want to mend.
// Words around JSON are named by the first run that meets them: they may differ in each answer.
func (s *Source) Warnings() (warnings []string) {
	if warning := s.surroundings(); warning != "" && s.config.Found[wordsFound] == "" {
		warnings = append(warnings, warning)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, name := range s.closed {
		warnings = append(warnings, "this site does not show its "+name+"; those that the mirror has stay as they are")
	}
	return warnings
}

func (s *Source) surroundings() string {
	s.opening.Lock()
	defer s.opening.Unlock()
	if s.api == nil {
		return ""
	}
	return s.api.Warning()
}

// Failures returns the lists that could not be read beside the posts.
func (s *Source) Failures() map[string]error {
	s.listing.Lock()
	defer s.listing.Unlock()
	if s.pagesFailed == nil || names.IsClosed(s.pagesFailed) {
		return nil
	}
	return map[string]error{typeName(true): s.pagesFailed}
}

// Found returns how the posts are listed, which key was refused, and whether answers have
// other words around their JSON.
func (s *Source) Found() map[string]string {
	if s.surroundings() != "" {
		s.note(wordsFound, "left out")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.found)
}

func (s *Source) note(question, answer string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.found == nil {
		s.found = make(map[string]string)
	}
	s.found[question] = answer
}

func (s *Source) answer(question string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.found[question]
}

// isPageWise reports whether the list of posts is read page by page: the paper has more posts
// than one request lists, or its Ghost lacks that list.
func (s *Source) isPageWise() bool {
	how := s.answer(listFound)
	return how == pageWise || how == noList
}

// reader reads the home page.
func (s *Source) reader() homepage.Reader {
	return homepage.Reader{Transport: s.config.Transport, Timeout: s.config.Timeout, UserAgent: s.config.UserAgent, Gate: s.config.Gate, SameSite: true}
}
