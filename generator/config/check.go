package config

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"ayna/archive/analysis"
	"ayna/archive/database"
	"ayna/attachment"
	"ayna/client"
	"ayna/generator/site"
	"ayna/source/kinds"
)

// checker checks the values of a configuration.
type checker struct{ *reader }

// rule is what a key allows: some words, or numbers of a range.
type rule struct {
	words       []string
	least, most *int
}

func (c *checker) require(ok bool, key, format string, args ...any) {
	if !ok {
		c.fault(key, c.errorf(key, format, args...))
	}
}

func (c *checker) between(key string, value, least, most int) {
	c.rules[key] = rule{least: &least, most: &most}
	c.require(least <= value && value <= most, key, "%d is not between %d and %d", value, least, most)
}

func (c *checker) webAddress(key, address string) {
	u := parseURL(address)
	advice := ""
	if hostName.MatchString(address) {
		advice = "; write https://" + address + "/"
	}
	c.require(isWeb(u) && u.User == nil, key, "%q is not a full http or https address%s", address, advice)
}

func oneOf[T ~string](c *checker, key string, value T, allowed ...T) {
	allOf(c, key, []T{value}, allowed...)
}

func allOf[T ~string](c *checker, key string, values []T, allowed ...T) {
	list := make([]string, len(allowed))
	for i, word := range allowed {
		list[i] = string(word)
	}
	c.rules[key] = rule{words: list}
	for _, value := range values {
		c.require(slices.Contains(allowed, value), key, "%q is not one of %s", value, strings.Join(list, ", "))
	}
}

func once[T ~string](c *checker, key string, values []T) {
	for i, value := range values {
		c.require(!slices.Contains(values[:i], value), key, "%s is listed twice; remove one", value)
	}
}

// check adds faults about impossible values, and sets defaults that depend on other
// values.
func check(config *Config, r *reader) {
	c := &checker{r}
	c.site(config)
	c.source(&config.Source)
	c.ofKind(config.Source.Kind, "comments", config.Comments != MirrorComments)
	config.SourceName, config.SourceSite, config.DateOrder = config.Source.Name, config.Source.Site, config.Source.Dates
	c.content(config)
	c.feeds(&config.Feeds, parseURL(config.BaseURL).Hostname())
	c.pictures(config)
	c.attachments(&config.Attachments)
	config.Attached = len(config.Attachments.Kinds) > 0
	c.branding(config)
	c.serve(&config.Serve)
	if config.Notify.URL != "" {
		// The message does not print the address, which is a secret.
		u := parseURL(config.Notify.URL)
		c.require(isWeb(u), "notify.url", "is not a full http or https address")
	}
}

func (c *checker) site(s *Config) {
	c.require(strings.TrimSpace(s.Title) != "", "title", "is empty; write the name of the site")
	c.require(s.BaseURL != "", "base_url", "is missing: feeds need to know where the site will be served, for example https://example.org/haber/")
	c.webAddress("base_url", s.BaseURL)
	c.require(!strings.ContainsAny(s.BaseURL, "?#"), "base_url", "%q must have no query or fragment", s.BaseURL)
	if !strings.HasSuffix(s.BaseURL, "/") {
		s.BaseURL += "/"
	}
	c.words(s)
	var err error
	s.Location, err = time.LoadLocation(s.Timezone)
	c.require(err == nil && s.Timezone != "" && s.Timezone != "Local", "timezone", "%q is not a time zone; write one like Europe/Istanbul", s.Timezone)
	c.require(s.Output != "", "output", "is empty; name a folder for the site")
	if s.Archive == "" {
		s.Archive = defaultArchive
		if s.Source.URL == Sample {
			s.Archive = sampleArchive
		}
	}
	_, _, err = database.Locate(s.Archive)
	c.require(err == nil, "archive", "%v", err)
	allOf(c, "compress", s.Compress, "gzip", "zstd")
	once(c, "compress", s.Compress)
	oneOf(c, "canonical", s.Canonical, site.CanonicalSource, site.CanonicalMirror)
	oneOf(c, "robots", s.Robots, site.AllowRobots, site.DenyRobots)
	oneOf(c, "media", s.Media, MirrorMedia, LinkMedia)
	oneOf(c, "comments", s.Comments, MirrorComments, NoComments)
}

// words loads the words of the language.
func (c *checker) words(s *Config) {
	tag, err := site.ParseLanguage(s.Language)
	if err != nil {
		c.fault("language", c.errorf("language", "%w", err))
		s.Words, _ = site.WordsFor(defaults().Language)
		return
	}
	s.Language = tag.String()
	var own []byte
	if s.WordsFile != "" {
		if own, err = os.ReadFile(s.WordsFile); err != nil {
			c.fault("words", c.errorf("words", "%w; name a file that can be read, or remove the key", err))
			own = nil
		}
	}
	var missing []string
	if s.Words, missing, err = site.ReadWords(s.Language, own); err != nil {
		c.fault("words", c.errorf("words", "%s: %w", s.WordsFile, err))
		s.Words, _ = site.WordsFor(s.Language)
	}
	if len(missing) > 0 {
		s.Warnings = append(s.Warnings, fmt.Sprintf("words: %s lacks %s; the site has the English words", s.WordsFile, strings.Join(missing, ", ")))
	}
}

// source checks the group source. Its errors omit the address, which may hold a password.
func (c *checker) source(s *Source) {
	kind := kinds.Of(s.Kind)
	c.trimKey("source.api_key", &s.APIKey, kind.Key.Blanks)
	c.require(s.APIKeyFile == "" || c.keys["source.api_key"] == nil, "source.api_key_file", "stands beside source.api_key; write one of the two")
	c.require(s.URL != Sample || s.Kind == kinds.ReadAPI, "source.kind", "%s needs source.url, the address of the site", s.Kind)
	if s.URL != Sample {
		u := parseURL(s.URL)
		c.require(isWeb(u), "source.url", "is not a full http or https address, and not %q", Sample)
		c.require(u.User == nil && !strings.ContainsAny(s.URL, "?#"), "source.url",
			"must have no user name, password, query or fragment; the key has a setting of its own")
		c.require(u.Scheme != "http" || isLoopback(u.Hostname()) || s.Kind != kinds.ReadAPI && s.APIKey == "", "source.url", "is not encrypted, and the key would travel in clear; use https")
		c.require(!strings.HasSuffix(strings.TrimRight(u.Path, "/"), "/v1"), "source.url", "ends in /v1; leave that out")
	}
	if s.Site != "" {
		c.webAddress("source.site", s.Site)
	}
	c.require(s.UserAgent != "" && !strings.ContainsFunc(s.UserAgent, func(r rune) bool { return r < ' ' || r > '~' }), "source.user_agent",
		"%q is not a line of ASCII letters; write it as ayna (+https://example.org/about)", s.UserAgent)
	oneOf(c, "source.kind", s.Kind, kinds.Names()...)
	allOf(c, "source.dates", slices.DeleteFunc([]client.Order{s.Dates}, func(order client.Order) bool { return order == "" }), client.DayFirst, client.MonthFirst)
	c.require(kind.Key.Form == nil || s.APIKey == "" || kind.Key.Form.MatchString(string(s.APIKey)), "source.api_key", "%s", kind.Key.Wrong)
	c.ofKind(s.Kind, "source.columns", len(s.Columns) == 0)
	c.ofKind(s.Kind, "source.types", len(s.Types) == 0)
	c.ofKind(s.Kind, kinds.FeedKey, !s.Feed)
	for _, name := range s.Types {
		c.require(name != "" && name != "posts" && !strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || strings.ContainsRune("/?#%", r) }),
			"source.types", "%q is not the REST name of a custom type, as /wp-json/wp/v2/types lists them", name)
	}
	c.require(s.Sweep == 0 || time.Minute <= s.Sweep && s.Sweep <= 365*24*time.Hour, "source.sweep", "%v is not between 1m and 8760h", s.Sweep)
	c.between("source.concurrency", s.Concurrency, 1, 1000)
	c.between("source.per_second", s.PerSecond, 0, 1_000_000)
	c.between("source.per_hour", s.PerHour, 0, 1_000_000_000)
	c.between("source.page_size", s.PageSize, 1, 10_000)
	c.between("source.max_records", s.MaxRecords, 0, 1_000_000_000)
	c.require(time.Second <= s.Timeout && s.Timeout <= time.Hour, "source.timeout", "%v is not between 1s and 1h", s.Timeout)
}

// ofKind requires that a key of some kinds alone is empty for others.
func (c *checker) ofKind(name kinds.Name, key string, isEmpty bool) {
	for _, kind := range kinds.All {
		if slices.Contains(kind.Keys, key) {
			c.require(isEmpty || kind.Name == name, key, "needs source.kind: %s", kind.Name)
		}
	}
}

// trimKey removes the line end or byte order mark that a file or shell may add to a key.
func (c *checker) trimKey(name string, secret *Secret, blanks bool) {
	key := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(string(*secret)), "\ufeff"))
	c.require(!strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' && !(blanks && r == ' ') || r > '~' }), name,
		"the key holds a blank, a control character or a letter outside ASCII; look where it comes from")
	*secret = Secret(key)
}

func (c *checker) content(s *Config) {
	for _, folder := range s.Content.Include {
		c.require(strings.HasPrefix(folder, "/"), "content.include", "%q is not a folder; write it as /spor/", folder)
	}
	for _, folder := range s.Content.Exclude {
		c.require(strings.HasPrefix(folder, "/"), "content.exclude", "%q is not a folder; write it as /spor/", folder)
	}
	for _, folder := range s.Navigation {
		c.require(strings.HasPrefix(folder, "/") && strings.Trim(folder, "/") != "", "navigation", "%q is not a folder; write it as /spor/", folder)
	}
	once(c, "navigation", s.Navigation)
	allOf(c, "content.kinds", s.Content.Kinds, "article", "column", "gallery", "video", "page")
	oneOf(c, "content.removed", s.Content.Removed, KeepRemoved, DropRemoved)
	for _, search := range s.Searches {
		word := strings.TrimSpace(search.Query)
		c.require(word != "" && word != "." && word != "..", "searches", "a saved search needs a word")
	}
}

var (
	domain   = regexp.MustCompile(`^[0-9a-z]([0-9a-z.-]*[0-9a-z])?$`)
	hostName = regexp.MustCompile(`^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$`)
)

func (c *checker) feeds(f *Feeds, host string) {
	allOf(c, "feeds.formats", f.Formats, site.RSS, site.Atom, site.JSON)
	once(c, "feeds.formats", f.Formats)
	c.require(len(f.Of) > 0, "feeds.of", "names no list; to write no feeds at all, leave feeds.formats empty")
	allOf(c, "feeds.of", f.Of, site.ListKinds...)
	titles := make(map[string]bool)
	for _, mix := range f.Mixes {
		c.require(strings.TrimSpace(mix.Title) != "", "feeds.mixes", "a mix needs a title")
		c.require(!titles[mix.Title], "feeds.mixes", "two mixes are titled %q; their address is made of it", mix.Title)
		titles[mix.Title] = true
		c.mix(&mix)
	}
	c.between("feeds.items", f.Items, 1, 1000)
	if f.IDAuthority == "" {
		f.IDAuthority = strings.ToLower(host)
	}
	// Without a host, base_url has a fault of its own.
	c.require(host == "" || domain.MatchString(f.IDAuthority), "feeds.id_authority", "%q is not a host name in small ASCII letters", f.IDAuthority)
	isDate := slices.ContainsFunc([]string{time.DateOnly, "2006-01", "2006"}, func(layout string) bool { // as RFC 4151 has it
		_, err := time.Parse(layout, f.IDDate)
		return err == nil
	})
	c.require(isDate, "feeds.id_date", "%q is not a date; write it as 2026-01-01", f.IDDate)
	if f.Hub != "" {
		c.webAddress("feeds.hub", f.Hub)
	}
}

// mix checks the names in a mix.
func (c *checker) mix(mix *Mix) {
	const key = "feeds.mixes"
	words := 0
	for _, name := range mix.Exclude {
		c.require(!strings.HasPrefix(name, "-"), key, "%q in exclude is left out anyway; write it without the hyphen", name)
	}
	for _, name := range slices.Concat(mix.Include, mix.Exclude) {
		bare := strings.TrimPrefix(name, "-")
		prefix, value, _ := strings.Cut(bare, ":")
		switch {
		case strings.HasPrefix(bare, "/"):
		case prefix == "kind":
			c.require(slices.Contains(site.Kinds, site.Kind(value)), key, "%q is not a kind; write kind:article, kind:column, kind:gallery or kind:video", name)
		case prefix == "word":
			c.require(len(analysis.Words(value)) > 0, key, "%q has no word; write a letter or digit, as in word:deprem", name)
			words++
		default:
			c.require((prefix == "tag" || prefix == "writer") && value != "", key,
				"%q is not a list; write /spor/, tag:deprem, writer:ID, word:deprem or kind:gallery, with a hyphen before it to exclude it", name)
		}
	}
	c.require(words <= maxMixWords, key, "%q has %d entries with word:, which is more than %d", mix.Title, words, maxMixWords)
}

// maxMixWords bounds the entries of a mix that search the full-text index.
const maxMixWords = 32

func (c *checker) pictures(s *Config) {
	const most = 8
	c.require(len(s.Widths) <= most, "widths", "%d widths are more than %d", len(s.Widths), most)
	for i, width := range s.Widths {
		c.between("widths", width, 16, 4096)
		if i > 0 {
			before := s.Widths[i-1]
			c.require(before < width, "widths", "%d follows %d; write them in ascending order, each once", width, before)
		}
	}
	if !s.MirrorsMedia() {
		s.Widths = nil
	}
}

func (c *checker) attachments(a *Attachments) {
	allOf(c, "attachments.kinds", a.Kinds, attachment.Kinds...)
	once(c, "attachments.kinds", a.Kinds)
	c.require(a.Largest <= a.PerRun, "attachments.largest", "%s is more than attachments.per_run, %s; such a file would never be fetched", a.Largest, a.PerRun)
}

func (c *checker) serve(s *Serve) {
	c.trimKey("serve.api_key", &s.APIKey, false)
	c.between("serve.per_second", s.PerSecond, 0, 1_000_000)
	c.between("serve.per_hour", s.PerHour, 0, 1_000_000_000)
	if c.unset["serve.origins"] != nil {
		s.Origins = nil
	}
	for _, origin := range s.Origins {
		u := parseURL(origin)
		c.require(isWeb(u) && origin == strings.ToLower(u.Scheme+"://"+u.Host), "serve.origins",
			"%q is not an origin; write it as https://example.org, in small letters, with nothing after the host", origin)
	}
	for _, host := range s.Hosts {
		c.require(hostName.MatchString(host), "serve.hosts", "%q is not a host name; write it as api.example.org, in small letters, without scheme and port", host)
	}
	_, port, err := net.SplitHostPort(s.Metrics)
	c.require(s.Metrics == "" || err == nil && port != "", "serve.metrics", "%q is not an address to listen at; write it as 127.0.0.1:9100", s.Metrics)
}

// parseURL returns an empty URL for an address that cannot be parsed.
func parseURL(address string) *url.URL {
	u, err := url.Parse(address)
	if err != nil {
		return new(url.URL)
	}
	return u
}

func isWeb(u *url.URL) bool { return u.Host != "" && (u.Scheme == "http" || u.Scheme == "https") }

func isLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || (err == nil && ip.IsLoopback())
}
