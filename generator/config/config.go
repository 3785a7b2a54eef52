// Package config reads site.yaml. What it returns is checked: every value is
// possible, and every default filled in.
package config

import (
	"slices"
	"time"

	"ayna/generator/site"
)

// Config is a whole site.yaml. Paths in it are as written there, relative to
// the working directory.
type Config struct {
	Title       string   `yaml:"title"`
	Description string   `yaml:"description"`
	BaseURL     string   `yaml:"base_url"`
	Language    string   `yaml:"language"`
	Timezone    string   `yaml:"timezone"`
	Source      Source   `yaml:"source"`
	Content     Content  `yaml:"content"`
	Searches    []Search `yaml:"searches"`
	Feeds       Feeds    `yaml:"feeds"`
	Canonical   string   `yaml:"canonical"`
	Robots      string   `yaml:"robots"`
	Compress    []string `yaml:"compress"` // "gzip", "zstd"
	OwnPages    string   `yaml:"own_pages"`
	Markdown    bool     `yaml:"markdown"`
	Media       string   `yaml:"media"`
	Widths      []int    `yaml:"widths"`  // of smaller pictures that are made of mirrored ones, ascending
	Archive     string   `yaml:"archive"` // "" becomes one of .ayna, by the source
	Output      string   `yaml:"output"`
	Serve       Serve    `yaml:"serve"`
	Templates   string   `yaml:"templates"`
	Assets      string   `yaml:"assets"`

	// Location is Timezone, loaded.
	Location *time.Location `yaml:"-"`

	unset map[string]*UnsetError // by key: values that not every command needs
}

// Source is the service that is mirrored.
type Source struct {
	URL         string        `yaml:"url"` // "sample" is the built-in one
	Name        string        `yaml:"name"`
	Site        string        `yaml:"site"`
	APIKey      Secret        `yaml:"api_key"`
	Concurrency int           `yaml:"concurrency"`
	PerSecond   int           `yaml:"per_second"`
	PerHour     int           `yaml:"per_hour"`
	PageSize    int           `yaml:"page_size"`
	MaxRecords  int           `yaml:"max_records"` // in one list; 0: as many as its size lets expect
	Timeout     time.Duration `yaml:"timeout"`

	// KeyName is the name of the environment variable in api_key.
	KeyName string `yaml:"-" json:"-"`
}

// Sample is the Source.URL of the built-in service.
const Sample = "sample"

// Content says what of the service is mirrored.
type Content struct {
	Include []string `yaml:"include"`
	Exclude []string `yaml:"exclude"`
	Kinds   []string `yaml:"kinds"`
	Removed string   `yaml:"removed"`
}

// Search is a saved search, written as a word or as a title and a query.
type Search struct {
	Title string `yaml:"title"`
	Query string `yaml:"query"`
}

// Feeds says what feeds hold.
type Feeds struct {
	Formats     []site.Format `yaml:"formats"`
	Of          []site.Sort   `yaml:"of"` // lists that have feeds
	Items       int           `yaml:"items"`
	FullText    bool          `yaml:"full_text"`
	IDAuthority string        `yaml:"id_authority"`
	IDDate      string        `yaml:"id_date"`
	Mixes       []Mix         `yaml:"mixes"`
	Hub         string        `yaml:"hub"`
}

// Mix is a list put together of others: folders with their sub-folders,
// "/spor/", tags, "tag:deprem", and writers, "writer:ID".
type Mix struct {
	Title   string   `yaml:"title"`
	Include []string `yaml:"include"` // none is everything
	Exclude []string `yaml:"exclude"`
}

// Serve is for cmd/serve.
type Serve struct {
	APIKey    Secret   `yaml:"api_key"`
	PerSecond int      `yaml:"per_second"` // 0 is no limit
	PerHour   int      `yaml:"per_hour"`
	Origins   []string `yaml:"origins"` // as browsers send them: https://example.org
	Hosts     []string `yaml:"hosts"`   // names in small letters, without a port
	Metrics   string   `yaml:"metrics"` // host:port; "" is none
}

// Secret is a value that must not be printed.
type Secret string

// MarshalText hides the secret.
func (s Secret) MarshalText() ([]byte, error) {
	if s == "" {
		return nil, nil
	}
	return []byte("****"), nil
}

// String hides the secret.
func (Secret) String() string { return "****" }

// GoString hides the secret.
func (Secret) GoString() string { return "****" }

// defaults is a site.yaml with nothing in it.
func defaults() Config {
	return Config{
		Title:    "Ayna",
		Language: "tr",
		Timezone: "Europe/Istanbul",
		Source:   Source{URL: Sample, Concurrency: 8, PerSecond: 5, PerHour: 500, PageSize: 50, Timeout: 30 * time.Second},
		Content: Content{
			Include: []string{"/"},
			Kinds:   []string{"article", "column", "gallery", "video", "page"},
			Removed: "keep",
		},
		Feeds:     Feeds{Formats: []site.Format{site.RSS, site.Atom, site.JSON}, Of: slices.Clone(site.Sorts), Items: 50, FullText: true, IDDate: "2026-01-01"},
		Canonical: "source",
		Robots:    "allow",
		Markdown:  true,
		Media:     "mirror",
		Output:    "public",
	}
}
