// Package config reads site.yaml into a [Config], with defaults for missing keys and
// ${NAME} from the environment. Its errors name file, line and key. [Config.CheckPaths]
// prevents that a command overwrites one configured file or directory with another.
//
// Begin with [Load] in read.go. check.go checks the values, path.go the paths.
package config

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"ayna/client"
	"ayna/generator/site"
	"ayna/source/kinds"
)

// Config has the values of site.yaml, with defaults for missing keys. Paths are as
// written, relative to the working directory. docs/configuration.md describes each key.
type Config struct {
	Shown       `yaml:",inline"`
	Source      Source      `yaml:"source"`
	Attachments Attachments `yaml:"attachments"`
	Compress    []string    `yaml:"compress"` // "gzip", "zstd"
	Archive     string      `yaml:"archive"`  // by default defaultArchive or sampleArchive
	Output      string      `yaml:"output"`
	Serve       Serve       `yaml:"serve"`
	Notify      Notify      `yaml:"notify"`

	WordsFile string `yaml:"words"`

	// Warnings are about odd values, which are used nevertheless.
	Warnings []string `yaml:"-"`

	unset map[string]error        // by key; values that are missing and that only some commands need
	at    func(key string) string // returns the place of a key; nil without a file
}

// Shown has the settings that pages and feeds depend on. A site is rendered anew if one
// of them has changed.
type Shown struct {
	Title       string         `yaml:"title"`
	Description string         `yaml:"description"`
	BaseURL     string         `yaml:"base_url"`
	Language    string         `yaml:"language"`
	Timezone    string         `yaml:"timezone"`
	Content     Content        `yaml:"content"`
	Navigation  []string       `yaml:"navigation"` // folders
	Searches    []SavedSearch  `yaml:"searches"`
	Search      SearchIndex    `yaml:"search"`
	Feeds       Feeds          `yaml:"feeds"`
	Canonical   site.Canonical `yaml:"canonical"`
	Robots      site.Robots    `yaml:"robots"`
	OwnPages    string         `yaml:"own_pages"`
	Markdown    bool           `yaml:"markdown"`
	Media       Media          `yaml:"media"`
	Comments    Comments       `yaml:"comments"`
	Widths      []int          `yaml:"widths"` // of smaller copies of mirrored pictures, ascending
	Templates   string         `yaml:"templates"`
	Assets      string         `yaml:"assets"`

	// What the owner puts around pages.
	Logo     string       `yaml:"logo"`   // a picture
	Icon     string       `yaml:"icon"`   // a square PNG
	Accent   string       `yaml:"accent"` // "#96181d"
	Footer   string       `yaml:"footer"` // Markdown
	Menu     []MenuLink   `yaml:"menu"`
	Snippets Snippets     `yaml:"snippets"`
	CSP      site.Sources `yaml:"csp"`

	Words      site.Words     `yaml:"-"` // of Language and of the file words
	SourceName string         `yaml:"-"` // Source.Name
	SourceSite string         `yaml:"-"` // Source.Site
	DateOrder  client.Order   `yaml:"-"` // Source.Dates
	Attached   bool           `yaml:"-"` // Attachments has kinds
	Location   *time.Location `yaml:"-"` // Timezone, loaded
}

// The sample has its own archive, so that the mirror of a real service never contains
// records of it.
const (
	defaultArchive = ".ayna/archive.db"
	sampleArchive  = ".ayna/sample/archive.db"
)

// Source is the service to mirror.
type Source struct {
	URL         string        `yaml:"url"` // "sample" is the built-in one
	Kind        kinds.Name    `yaml:"kind"`
	Dates       client.Order  `yaml:"dates"`   // order of day and month in dates such as 03/04/2026; "" leaves these unread
	Columns     []string      `yaml:"columns"` // of WordPress: slugs of categories and tags whose posts are columns
	Types       []string      `yaml:"types"`   // of WordPress: REST names of custom types
	Feed        bool          `yaml:"feed"`    // of WordPress: read the feed while the REST API is closed
	Sweep       time.Duration `yaml:"sweep"`   // between readings of whole lists; 0 is the source's own
	Name        string        `yaml:"name"`
	Site        string        `yaml:"site"`
	APIKey      Secret        `yaml:"api_key"`
	APIKeyFile  string        `yaml:"api_key_file"` // a file that holds the key alone
	Concurrency int           `yaml:"concurrency"`
	PerSecond   int           `yaml:"per_second"`
	PerHour     int           `yaml:"per_hour"`
	PageSize    int           `yaml:"page_size"`
	MaxRecords  int           `yaml:"max_records"` // in one list; 0 derives it from the list's size
	Timeout     time.Duration `yaml:"timeout"`
	UserAgent   string        `yaml:"user_agent"`

	// KeyFrom is where the key comes from, in words for messages.
	KeyFrom string `yaml:"-" json:"-"`
}

// Sample is the Source.URL of the built-in service.
const Sample = "sample"

// Content selects what to mirror of the service.
type Content struct {
	Include []string `yaml:"include"`
	Exclude []string `yaml:"exclude"`
	Kinds   []string `yaml:"kinds"`
	Removed Removed  `yaml:"removed"`
}

// Removed says what becomes of records that are gone from the source.
type Removed string

const (
	KeepRemoved Removed = "keep"
	DropRemoved Removed = "drop"
)

// Media says where pages show pictures from.
type Media string

const (
	MirrorMedia Media = "mirror" // from copies in the site
	LinkMedia   Media = "link"   // from the source
)

// Comments says whether pages show what readers have written below items at the source.
type Comments string

const (
	MirrorComments Comments = "mirror"
	NoComments     Comments = "none"
)

// MirrorsMedia reports whether the site has copies of pictures.
func (s *Shown) MirrorsMedia() bool { return s.Media == MirrorMedia }

// SavedSearch is written as a word or as {title, query}.
type SavedSearch struct {
	Title string `yaml:"title"`
	Query string `yaml:"query"`
}

// SearchIndex configures the index of the search page.
type SearchIndex struct {
	Texts bool `yaml:"texts"` // search texts, too
}

// Feeds configures the feeds.
type Feeds struct {
	Formats     []site.Format   `yaml:"formats"`
	Of          []site.ListKind `yaml:"of"` // lists that have feeds
	Items       int             `yaml:"items"`
	FullText    bool            `yaml:"full_text"`
	IDAuthority string          `yaml:"id_authority"`
	IDDate      string          `yaml:"id_date"`
	Mixes       []Mix           `yaml:"mixes"`
	Hub         string          `yaml:"hub"`
}

// Mix is a list that the owner composes of folders with their sub-folders ("/spor/"), tags
// ("tag:deprem"), writers ("writer:ID"), kinds ("kind:gallery") and words of the
// full-text index ("word:deprem"). "-tag:deprem" in Include is "tag:deprem" in Exclude.
type Mix struct {
	Title   string   `yaml:"title"`
	Include []string `yaml:"include"` // without one to include, everything
	Exclude []string `yaml:"exclude"`
}

// MenuLink is a link in the masthead, after those to folders.
type MenuLink struct {
	Title string `yaml:"title"`
	URL   string `yaml:"url"` // full, or relative to the root of the site
}

// Snippets are files of HTML that pages hold as they are.
type Snippets struct {
	Head    string `yaml:"head"`    // in the head of each page
	Article string `yaml:"article"` // below each item
	Foot    string `yaml:"foot"`    // at the end of each page
}

// Files returns the names of the files, by key.
func (s *Snippets) Files() map[string]string {
	return map[string]string{"snippets.head": s.Head, "snippets.article": s.Article, "snippets.foot": s.Foot}
}

// Serve configures the server of the Read API (ayna serve).
type Serve struct {
	APIKey    Secret   `yaml:"api_key"`
	PerSecond int      `yaml:"per_second"` // 0 is no limit
	PerHour   int      `yaml:"per_hour"`
	Origins   []string `yaml:"origins"` // as browsers send them: "https://example.org"
	Hosts     []string `yaml:"hosts"`   // lower case, without a port
	Metrics   string   `yaml:"metrics"` // host:port; "" serves no metrics
}

// Notify is the monitor that each run reports to.
type Notify struct {
	URL string `yaml:"url"`
}

// Secret is a string that is printed as ****.
type Secret string

func (s Secret) MarshalText() ([]byte, error) {
	if s == "" {
		return nil, nil
	}
	return []byte("****"), nil
}

func (Secret) String() string   { return "****" }
func (Secret) GoString() string { return "****" }

// defaults returns the configuration of an empty site.yaml.
func defaults() Config {
	return Config{
		Shown: Shown{
			Title:    "Ayna",
			Language: "tr",
			Timezone: "Europe/Istanbul",
			Content: Content{
				Include: []string{"/"},
				Kinds:   []string{"article", "column", "gallery", "video", "page"},
				Removed: KeepRemoved,
			},
			Search: SearchIndex{Texts: true},
			Feeds: Feeds{
				Formats: []site.Format{site.RSS, site.Atom, site.JSON}, Of: slices.Clone(site.ListKinds),
				Items: 50, FullText: true, IDDate: "2026-01-01",
			},
			Canonical: site.CanonicalSource,
			Robots:    site.AllowRobots,
			Markdown:  true,
			Media:     MirrorMedia,
			Comments:  NoComments,
			Widths:    []int{320, 750, 1280},
		},
		Attachments: Attachments{Largest: 50e6, PerRun: 2e9},
		Source:      Source{URL: Sample, Kind: kinds.ReadAPI, UserAgent: "ayna", Concurrency: 8, PerSecond: 5, PerHour: 500, PageSize: 50, Timeout: 30 * time.Second},
		Output:      "public",
	}
}

// Origin identifies the mirrored service: [Sample], or host, port and path of its
// address, with a slash at the end, as in "api.example/". All spellings of an address
// have the same origin. The scheme is left out: one port does not serve two services.
func (s *Source) Origin() string {
	if s.URL == Sample {
		return Sample
	}
	u := parseURL(s.URL)
	port := map[string]string{"http": ":80", "https": ":443"}[u.Scheme]
	host := strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(u.Host), port), ":")
	clean := url.URL{Path: path.Clean("/" + u.Path)}
	return strings.TrimSuffix(host, ".") + strings.TrimSuffix(clean.EscapedPath(), "/") + "/"
}

// Errorf returns an error about a key, with the place of the key.
func (c *Config) Errorf(key, format string, args ...any) error {
	err := fmt.Errorf("%s: %w", key, fmt.Errorf(format, args...))
	if c.at != nil {
		err = fmt.Errorf("%s: %w", c.at(key), err)
	}
	return err
}

// Digest identifies the configuration in reports by 32 hexadecimal digits. Secrets and passwords are
// left out, since short ones could be guessed from the digest.
func (c *Config) Digest() (string, error) {
	public := *c
	for _, address := range []*string{&public.Archive, &public.Feeds.Hub} {
		if u, err := url.Parse(*address); err != nil {
			*address = ""
		} else if u.Scheme != "" {
			*address = (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
		}
	}
	public.Notify = Notify{}             // its address is a secret, and it shapes nothing
	encoded, err := json.Marshal(public) // writes a Secret as ****
	if err != nil {
		return "", fmt.Errorf("digest of the configuration: %w", err)
	}
	sum := sha256.Sum256(encoded)
	return fmt.Sprintf("%x", sum[:16]), nil
}

// UnsetError reports that an environment variable is unset or empty.
type UnsetError struct {
	At   string // file and line
	Key  string // of site.yaml
	Name string // of the variable

	credential string // the empty credential that systemd passed instead, in words; "" if it passed no such one
}

func (e *UnsetError) Error() string {
	return fmt.Sprintf("%s: %s: ${%s} is not set in the environment, or empty", e.At, e.Key, e.Name)
}

// Hint returns the shell command that sets the variable, or names the credential to fill.
func (e *UnsetError) Hint() string {
	hint := "export " + e.Name + "=…"
	if e.credential != "" {
		hint = "write the key into " + e.credential
	}
	if e.Key == "source.api_key" {
		hint += "; or remove source.api_key, if the service asks for no key"
	}
	return hint
}

// Need returns an error if needs reports true for a key whose value is missing: of an unset
// variable an [UnsetError]. Only secrets and the keys of serve and notify may be missing; for
// others [Parse] returns the error.
func (c *Config) Need(needs func(key string) bool) error {
	for _, key := range slices.Sorted(maps.Keys(c.unset)) {
		if needs(key) {
			return c.unset[key]
		}
	}
	return nil
}
