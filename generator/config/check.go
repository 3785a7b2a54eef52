package config

import (
	"net"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"ayna/archive"
	"ayna/generator/site"
)

// check refuses what is impossible, and fills in what follows from other
// values.
func check(c *Config, p *places) error {
	for _, step := range []func(*Config, *places) error{checkSite, checkSource, checkContent, checkFeeds, checkCompress, checkChoices, checkWidths, checkServe} {
		if err := step(c, p); err != nil {
			return err
		}
	}
	return nil
}

func checkSite(c *Config, p *places) (err error) {
	if strings.TrimSpace(c.Title) == "" {
		return p.errorf("title", "a site needs a title")
	}
	if c.BaseURL == "" {
		return p.errorf("base_url", "is missing: feeds need to know where the site will be served, for example https://example.org/haber/")
	}
	base, err := url.Parse(c.BaseURL)
	if err != nil || base.Host == "" || (base.Scheme != "http" && base.Scheme != "https") || base.User != nil || strings.ContainsAny(c.BaseURL, "?#") {
		return p.errorf("base_url", "%q is no full http or https address", c.BaseURL)
	}
	if !strings.HasSuffix(c.BaseURL, "/") {
		c.BaseURL += "/"
	}
	if _, err := site.WordsFor(c.Language); err != nil {
		return p.errorf("language", "%v", err)
	}
	if c.Location, err = time.LoadLocation(c.Timezone); err != nil || c.Timezone == "" || c.Timezone == "Local" {
		return p.errorf("timezone", "%q is no time zone; write one like Europe/Istanbul", c.Timezone)
	}
	if c.Output == "" {
		return p.errorf("output", "is empty")
	}
	switch {
	case c.Archive != "":
	case c.Source.URL == Sample:
		c.Archive = sampleArchive
	default:
		c.Archive = defaultArchive
	}
	if _, _, err := archive.Places(c.Archive); err != nil {
		return p.errorf("archive", "%v", err)
	}
	return nil
}

func checkSource(c *Config, p *places) error {
	s := &c.Source
	if err := checkKey("source.api_key", &s.APIKey, p); err != nil {
		return err
	}
	s.KeyName = p.named["source.api_key"]
	if s.URL != Sample {
		u, err := url.Parse(s.URL)
		switch {
		case err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https"):
			return p.errorf("source.url", "is no full http or https address, and not %q", Sample)
		case u.User != nil || strings.ContainsAny(s.URL, "?#"):
			return p.errorf("source.url", "must have no user name, password, query or fragment; the key has a setting of its own")
		case u.Scheme == "http" && !isLoopback(u.Hostname()):
			return p.errorf("source.url", "is not encrypted, and the key would travel in clear; use https")
		case strings.HasSuffix(strings.TrimRight(u.Path, "/"), "/v1"):
			return p.errorf("source.url", "ends in /v1; leave that out")
		}
	}
	if s.Site != "" && !isWebAddress(s.Site) {
		return p.errorf("source.site", "%q is no full http or https address", s.Site)
	}
	for _, number := range []struct {
		key             string
		value, min, max int
	}{
		{"source.concurrency", s.Concurrency, 1, 1000},
		{"source.per_second", s.PerSecond, 0, 1_000_000},
		{"source.per_hour", s.PerHour, 0, 1_000_000_000},
		{"source.page_size", s.PageSize, 1, 10_000},
		{"source.max_records", s.MaxRecords, 0, 1_000_000_000},
	} {
		if number.value < number.min || number.value > number.max {
			return p.errorf(number.key, "%d is not between %d and %d", number.value, number.min, number.max)
		}
	}
	if s.Timeout < time.Second || s.Timeout > time.Hour {
		return p.errorf("source.timeout", "%v is not between 1s and 1h", s.Timeout)
	}
	return nil
}

// checkKey takes off what a file or a shell may have put around a key: a line
// end or a byte order mark.
func checkKey(name string, secret *Secret, p *places) error {
	key := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(string(*secret)), "\ufeff"))
	if strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return p.errorf(name, "the key holds a blank, a control character or a letter outside ASCII; look at the environment variable")
	}
	*secret = Secret(key)
	return nil
}

func checkContent(c *Config, p *places) error {
	for _, folders := range []struct {
		key  string
		list []string
	}{{"content.include", c.Content.Include}, {"content.exclude", c.Content.Exclude}} {
		for _, folder := range folders.list {
			if !strings.HasPrefix(folder, "/") {
				return p.errorf(folders.key, "%q is no folder; write it as /spor/", folder)
			}
		}
	}
	kinds := []string{"article", "column", "gallery", "video", "page"}
	for _, kind := range c.Content.Kinds {
		if !slices.Contains(kinds, kind) {
			return p.errorf("content.kinds", "%q is none of %s", kind, strings.Join(kinds, ", "))
		}
	}
	for _, search := range c.Searches {
		if q := strings.TrimSpace(search.Query); q == "" || q == "." || q == ".." {
			return p.errorf("searches", "a saved search needs a word")
		}
	}
	return nil
}

var domain = regexp.MustCompile(`^[0-9a-z]([0-9a-z.-]*[0-9a-z])?$`)

func checkFeeds(c *Config, p *places) error {
	f := &c.Feeds
	for i, format := range f.Formats {
		if format != site.RSS && format != site.Atom && format != site.JSON {
			return p.errorf("feeds.formats", "%q is none of rss, atom, json", format)
		}
		if slices.Contains(f.Formats[:i], format) {
			return p.errorf("feeds.formats", "%s stands there twice", format)
		}
	}
	if err := checkFeedsOf(f, p); err != nil {
		return err
	}
	if err := checkMixes(f, p); err != nil {
		return err
	}
	if f.Items < 1 || f.Items > 1000 {
		return p.errorf("feeds.items", "%d is not between 1 and 1000", f.Items)
	}
	if f.IDAuthority == "" {
		base, _ := url.Parse(c.BaseURL) // checked before
		f.IDAuthority = strings.ToLower(base.Hostname())
	}
	if !domain.MatchString(f.IDAuthority) {
		return p.errorf("feeds.id_authority", "%q is no host name in small ASCII letters", f.IDAuthority)
	}
	if !isIDDate(f.IDDate) {
		return p.errorf("feeds.id_date", "%q is no date; write it as 2026-01-01", f.IDDate)
	}
	if f.Hub != "" && !isWebAddress(f.Hub) {
		return p.errorf("feeds.hub", "%q is no full http or https address", f.Hub)
	}
	return nil
}

func checkFeedsOf(f *Feeds, p *places) error {
	if len(f.Of) == 0 {
		return p.errorf("feeds.of", "names no list; to write no feeds at all, leave feeds.formats empty")
	}
	for _, sort := range f.Of {
		if !slices.Contains(site.Sorts, sort) {
			return p.errorf("feeds.of", "%q is none of %s", sort, words(site.Sorts))
		}
	}
	return nil
}

func checkMixes(f *Feeds, p *places) error {
	for i, mix := range f.Mixes {
		if strings.TrimSpace(mix.Title) == "" {
			return p.errorf("feeds.mixes", "a mix needs a title")
		}
		if slices.ContainsFunc(f.Mixes[:i], func(other Mix) bool { return other.Title == mix.Title }) {
			return p.errorf("feeds.mixes", "two mixes are titled %q; their address is made of it", mix.Title)
		}
		for _, name := range slices.Concat(mix.Include, mix.Exclude) {
			tag, isTag := strings.CutPrefix(name, "tag:")
			id, isWriter := strings.CutPrefix(name, "writer:")
			if !strings.HasPrefix(name, "/") && !(isTag && tag != "") && !(isWriter && id != "") {
				return p.errorf("feeds.mixes", "%q is no list; write /spor/, tag:deprem or writer:ID", name)
			}
		}
	}
	return nil
}

// words lists what a value may be.
func words[T ~string](all []T) string {
	list := make([]string, len(all))
	for i, word := range all {
		list[i] = string(word)
	}
	return strings.Join(list, ", ")
}

func checkCompress(c *Config, p *places) error {
	for i, method := range c.Compress {
		if method != "gzip" && method != "zstd" {
			return p.errorf("compress", "%q is none of gzip, zstd", method)
		}
		if slices.Contains(c.Compress[:i], method) {
			return p.errorf("compress", "%s stands there twice", method)
		}
	}
	return nil
}

func checkChoices(c *Config, p *places) error {
	for _, choice := range []struct {
		key, value string
		allowed    []string
	}{
		{"content.removed", c.Content.Removed, []string{"keep", "drop"}},
		{"canonical", c.Canonical, []string{"source", "mirror"}},
		{"robots", c.Robots, []string{"allow", "deny"}},
		{"media", c.Media, []string{"mirror", "link"}},
	} {
		if !slices.Contains(choice.allowed, choice.value) {
			return p.errorf(choice.key, "%q is none of %s", choice.value, strings.Join(choice.allowed, ", "))
		}
	}
	return nil
}

var hostName = regexp.MustCompile(`^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$`)

func checkServe(c *Config, p *places) error {
	s := &c.Serve
	if err := checkKey("serve.api_key", &s.APIKey, p); err != nil {
		return err
	}
	for _, number := range []struct {
		key        string
		value, max int
	}{
		{"serve.per_second", s.PerSecond, 1_000_000},
		{"serve.per_hour", s.PerHour, 1_000_000_000},
	} {
		if number.value < 0 || number.value > number.max {
			return p.errorf(number.key, "%d is not between 0 and %d", number.value, number.max)
		}
	}
	if p.unset["serve.origins"] != nil {
		s.Origins = nil
	}
	for _, origin := range s.Origins {
		u, err := url.Parse(origin)
		if err != nil || !isWebAddress(origin) || origin != strings.ToLower(u.Scheme+"://"+u.Host) {
			return p.errorf("serve.origins", "%q is no origin; write it as https://example.org, in small letters, with nothing after the host", origin)
		}
	}
	for _, host := range s.Hosts {
		if !hostName.MatchString(host) {
			return p.errorf("serve.hosts", "%q is no host name; write it as api.example.org, in small letters, without scheme and port", host)
		}
	}
	if _, port, err := net.SplitHostPort(s.Metrics); s.Metrics != "" && (err != nil || port == "") {
		return p.errorf("serve.metrics", "%q is no address to listen at; write it as 127.0.0.1:9100", s.Metrics)
	}
	return nil
}

func checkWidths(c *Config, p *places) error {
	const least, largest, most = 16, 4096, 8
	if len(c.Widths) > 0 && c.Media != "mirror" {
		return p.errorf("widths", "smaller pictures are made of mirrored ones; write media: mirror, or leave widths out")
	}
	if len(c.Widths) > most {
		return p.errorf("widths", "%d widths are more than %d", len(c.Widths), most)
	}
	for i, width := range c.Widths {
		if width < least || width > largest {
			return p.errorf("widths", "%d is not between %d and %d", width, least, largest)
		}
		if i > 0 && width <= c.Widths[i-1] {
			return p.errorf("widths", "%d stands behind %d; write them in ascending order, each once", width, c.Widths[i-1])
		}
	}
	return nil
}

// isIDDate reports whether s is a date as RFC 4151 has it in tag: addresses.
func isIDDate(s string) bool {
	for _, layout := range []string{time.DateOnly, "2006-01", "2006"} {
		if _, err := time.Parse(layout, s); err == nil {
			return true
		}
	}
	return false
}

func isWebAddress(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https") && u.User == nil
}

func isLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || (err == nil && ip.IsLoopback())
}
