package site

import "slices"

// Format is a feed format.
type Format string

// The feed formats.
const (
	RSS  Format = "rss"  // RSS 2.0
	Atom Format = "atom" // RFC 4287
	JSON Format = "json" // JSON Feed 1.1
)

var (
	mediaTypes  = map[Format]string{RSS: "application/rss+xml", Atom: "application/atom+xml", JSON: "application/feed+json"}
	formatNames = map[Format]string{RSS: "RSS", Atom: "Atom", JSON: "JSON Feed"}
)

// MediaType returns the format's media type.
func (f Format) MediaType() string { return mediaTypes[f] }

// Name returns the format's usual name.
func (f Format) Name() string { return formatNames[f] }

const (
	// MinEntries is the least number of entries of a feed whose list has as many items.
	MinEntries = 30
	// MinTagItems is the least number of items of a tag with feeds.
	MinTagItems = 3
)

// FormatsOf returns the configured formats of the feeds of a kind of lists.
func (s *Settings) FormatsOf(kind ListKind) []Format {
	if s.FeedsOf == nil || slices.Contains(s.FeedsOf, kind) {
		return s.Formats
	}
	return nil
}

// FeedFormats returns the formats of a list's feeds. Feeds of tags have one format,
// because they would be the larger part of a site's bytes in three.
func (s *Settings) FeedFormats(l *List) []Format {
	formats := s.FormatsOf(l.Kind)
	switch {
	case l.NoFeeds:
		return nil
	case l.Kind == OfTags && !l.AllFormats:
		return first(formats, RSS, Atom, JSON)
	}
	return formats
}

// OwnFormats returns the formats of the feeds of a folder without its sub-folders. A
// folder that never had sub-folders has none, because they would equal those of the
// folder.
func (s *Settings) OwnFormats(f *Folder) []Format {
	if !f.OwnFeeds && len(s.FormatsOf(OfFolders)) > 0 {
		return nil
	}
	return s.FormatsOf(OfOwn)
}

// ListsOwn reports whether pages name the feeds of a folder without its sub-folders. They
// do not if these equal those of the folder now.
func (s *Settings) ListsOwn(f *Folder) bool {
	return len(s.OwnFormats(f)) > 0 && (f.Own.Len() < f.Items.Len() || len(s.FormatsOf(OfFolders)) == 0)
}

// MonthFormats returns the format of the feeds of a list's months: Atom, which RFC 5005
// extends, if the site has it. A list whose feed has all items needs none.
func (s *Settings) MonthFormats(l *List) []Format {
	if !l.HasMonths() || l.NoHistory && len(s.FormatsOf(l.Kind)) > 0 {
		return nil
	}
	return first(s.FormatsOf(OfMonths), Atom, RSS, JSON)
}

// BestFormat returns the format that most readers know: RSS, or else Atom.
func BestFormat(formats []Format) Format { return first(formats, RSS, Atom, JSON)[0] }

// first returns the first of the preferred formats that is among formats.
func first(formats []Format, preferred ...Format) []Format {
	for _, format := range preferred {
		if slices.Contains(formats, format) {
			return []Format{format}
		}
	}
	return nil
}
