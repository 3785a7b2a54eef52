package site

// Format is a feed format.
type Format string

// The feed formats.
const (
	RSS  Format = "rss"  // RSS 2.0
	Atom Format = "atom" // RFC 4287
	JSON Format = "json" // JSON Feed 1.1
)

// MediaType returns the format's media type.
func (f Format) MediaType() string {
	switch f {
	case RSS:
		return "application/rss+xml"
	case Atom:
		return "application/atom+xml"
	default:
		return "application/feed+json"
	}
}

// Name returns the format's name as readers know it.
func (f Format) Name() string {
	switch f {
	case RSS:
		return "RSS"
	case Atom:
		return "Atom"
	default:
		return "JSON Feed"
	}
}
