package generator

import (
	"context"
	"errors"
	"io/fs"
	"net/http"
	"time"

	"ayna/archive"
	"ayna/fetch"
	"ayna/generator/arrange"
	"ayna/generator/config"
	"ayna/generator/site"
)

// ErrConfig marks a mistake in the configuration or in what it names: templates,
// assets, own pages, the archive of another service. It is reported before the
// first request.
var ErrConfig = errors.New("configuration")

// Options are the settings of a command.
type Options struct {
	Config      *config.Config
	Offline     bool   // Build makes no request
	NoSite      bool   // fill the archive only
	Full        bool   // list and fetch all records again, over several runs if the limits require it
	Moved       bool   // the service has moved: keep using the archive of its old address
	AllowDelete int    // number of records of a kind that may disappear at once
	Budget      int    // requests at most; 0 is no limit
	Jobs        int    // files rendered side by side
	Check       bool   // check the archive before the build, and the whole site after it
	Command     string // the archive keeps its runs by this name
	Version     string // digest of the program: another one may render files differently

	// Hosts are handlers in this process that answer instead of the network, by
	// host name: the built-in sample service.
	Hosts map[string]http.Handler
	// SampleURL is the address of the source named config.Sample.
	SampleURL string
	// LoadEarlier fills a new archive of the sample with what a mirror would have
	// received before; nil leaves it empty.
	LoadEarlier func(ctx context.Context, a *archive.Archive, base string) error

	Templates fs.FS // built-in templates
	Assets    fs.FS // built-in assets

	ExitCode func(*Report, error) int // of the command; nil keeps no run

	Now      func() time.Time  // nil is time.Now
	Progress func(Progress)    // may be nil; called from any goroutine
	Counted  func(records int) // may be nil; called before a site is made, with the records of the archive
}

// Progress is the progress of a stage of a build.
type Progress = fetch.Progress

// A Stage of a build makes progress of its own.
type Stage = fetch.Stage

// The stages of a build; the first five are those of the synchronization.
const (
	Read         Stage = "read"
	List         Stage = "list"
	Fetch        Stage = "fetch"
	Pictures     Stage = "pictures"
	Attachments  Stage = "attachments"
	Arrange      Stage = "arrange"
	Clean        Stage = "clean"
	Sizes        Stage = "sizes"
	Publish      Stage = "publish"
	CheckArchive Stage = "check archive"
	CheckSite    Stage = "check site"
)

// progress reports the progress of a stage that makes no requests.
func (o *Options) progress(stage Stage, done, total int) {
	if o.Progress != nil {
		o.Progress(Progress{Stage: stage, Done: done, Total: total, Left: -1})
	}
}

// now returns the time in UTC, in seconds.
func (o *Options) now() time.Time { return o.clock().UTC().Truncate(time.Second) }

func (o *Options) clock() time.Time {
	if o.Now != nil {
		return o.Now()
	}
	return time.Now()
}

// measure starts to time a stage; end adds the time to the report.
func (o *Options) measure(report *Report, stage string) (end func()) {
	start := o.clock()
	return func() { report.Seconds[stage] += o.clock().Sub(start).Round(time.Millisecond).Seconds() }
}

// arrangement returns the settings of the site.
func arrangement(c *config.Shown) *arrange.Options {
	o := &arrange.Options{
		Settings: site.Settings{
			Title: c.Title, Description: c.Description, BaseURL: c.BaseURL,
			Language: c.Language, Words: c.Words, Location: c.Location, DateOrder: string(c.DateOrder),
			SourceName: c.SourceName, SourceHome: c.SourceSite,
			Canonical: c.Canonical, Robots: c.Robots, Formats: c.Feeds.Formats, FeedsOf: c.Feeds.Of, FeedItems: c.Feeds.Items, Markdown: c.Markdown,
		},
		Include: c.Content.Include, Exclude: c.Content.Exclude, DropGone: c.Content.Removed == config.DropRemoved, Navigation: c.Navigation,
		Mirror: c.MirrorsMedia() || c.Attached, Comments: c.Comments == config.MirrorComments,
	}
	for _, kind := range c.Content.Kinds {
		o.Kinds = append(o.Kinds, site.Kind(kind))
	}
	for _, search := range c.Searches {
		o.Searches = append(o.Searches, arrange.Search{Title: search.Title, Query: search.Query})
	}
	for _, mix := range c.Feeds.Mixes {
		o.Mixes = append(o.Mixes, arrange.Mix{Title: mix.Title, Include: mix.Include, Exclude: mix.Exclude})
	}
	return o
}
