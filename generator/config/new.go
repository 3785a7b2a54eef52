package config

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"ayna/client"
	"ayna/source/kinds"
)

// Outline is what a new site.yaml says of its owner's site; the rest has defaults.
type Outline struct {
	Title, BaseURL, Language, Timezone string
	URL                                string // of the source, without /v1
	Kind                               kinds.Name
	Description                        string
	Columns                            []string     // categories that look like columns, for a comment
	Name                               string       // of the source
	Dates                              client.Order // "" writes no key
	DatesReason                        string       // why that order, for a comment
	KeyName                            string       // environment variable with the API key; "" is none
	KeyFile                            string       // file with the API key, instead of KeyName; "" is none
	Include                            []string     // folders to mirror
	Folders                            []string     // that the source has, for a comment
	Navigation                         []string     // folders, in the order of the source's own menu
	Look                               Look
	KeepRemoved                        bool // of a paper; a Read API's records are kept
	Comments                           bool // the source shows those of its readers
	Feed                               bool // the source is read by its feed
}

// Drops reports whether records that are gone from the source go from the mirror, too.
func (o Outline) Drops() bool { return !o.KeepRemoved && o.Kind != kinds.ReadAPI }

// Look is what a source has around its own pages.
type Look struct {
	Logo, Icon string // files
	Accent     string
	Menu       [][2]string // titles and addresses of links to no folder
}

// lines returns the look as lines of site.yaml.
func (l Look) lines() string {
	keys := ""
	for _, key := range [][3]string{
		{"logo", l.Logo, "The picture in the masthead, in place of the title."}, {"icon", l.Icon, "The site's icon in browsers, on phones and in feeds: a square PNG."},
	} {
		if key[1] != "" {
			keys += "\n\n# " + key[2] + "\n" + key[0] + ": " + quote(key[1])
		}
	}
	if l.Accent != "" {
		keys += "\n\n# The colour of links and rules.\naccent: " + quote(l.Accent)
	}
	menu, links := "", 0
	for _, link := range l.Menu {
		if links < maxMenu && strings.TrimSpace(link[0]) != "" && isMenuURL(link[1]) {
			links++
			menu += "\n  - {title: " + quote(link[0]) + ", url: " + quote(link[1]) + "}"
		}
	}
	if menu != "" {
		keys += "\n\n# Links in the masthead, after those to folders. Those to pages that are mirrored lead to these.\nmenu:" + menu
	}
	return keys
}

//go:embed new.yaml
var newConfig string

// Write returns the site.yaml of an outline, with comments. Its values are not
// checked: [Parse] does that.
func Write(o Outline) []byte {
	key := "  # The service asks for no API key."
	switch {
	case o.KeyFile != "":
		key = "  # A file that holds the API key and nothing else.\n  api_key_file: " + quote(o.KeyFile)
	case o.KeyName != "":
		key = fmt.Sprintf("  # The environment variable with the API key; never the key itself.\n  api_key: ${%s}", o.KeyName)
	}
	source := "  # Requests in any second, and in any hour over all runs. 0 means no limit.\n  per_second: 5\n  per_hour: 500"
	removed := KeepRemoved
	if o.Drops() {
		removed = DropRemoved
	}
	const asPapers = "  # Name this mirror and a contact: the site's owner sees it in the log.\n  user_agent: ayna\n" +
		"  # Requests in any second, and in any hour over all runs. 0 means no limit.\n  per_second: 2\n  per_hour: 0\n  page_size: 100"
	if kind := kinds.Of(o.Kind); o.Kind != kinds.ReadAPI {
		if source = "  kind: " + string(o.Kind) + "\n"; o.Feed {
			source += "  # The site closes its REST API. Its feed is read, until the API opens.\n  feed: true\n"
		}
		source += strings.ReplaceAll(kind.Lines, "@columns@", suggestion(o.Columns)) + asPapers
		if kind.Key.OnPage != "" && o.KeyName == "" && o.KeyFile == "" {
			key = "  # " + kind.Key.OnPage
		}
	}
	if o.Dates != "" {
		source += "\n  # Day and month in dates such as 03/04/2026: " + oneLine(o.DatesReason) + ".\n  dates: " + string(o.Dates)
	}
	files, readers := "", ""
	if o.Kind != kinds.ReadAPI {
		files = "# Documents and sounds that texts link or play; add video for films. Files above largest stay at\n" +
			"# the source, and a run fetches at most per_run.\nattachments: {kinds: [document, audio], largest: 50MB, per_run: 2GB}\n"
	}
	if o.Comments {
		readers = "# Comments of readers below their posts, with names and dates; none leaves them at the source.\ncomments: mirror\n"
	}
	folders := ""
	if len(o.Folders) > 0 {
		folders = " The source has:" + comment(o.Folders)
	}
	return []byte(strings.NewReplacer(
		"@host@", oneLine(parseURL(o.URL).Host), "@title@", quote(o.Title), "@base@", quote(o.BaseURL),
		"@language@", quote(o.Language), "@timezone@", quote(o.Timezone),
		"@url@", quote(o.URL), "@name@", quote(o.Name), "@key@", key, "@source@", source, "@removed@", string(removed), "@files@", files, "@readers@", readers, "@description@", quote(o.Description),
		"@include@", quote(o.Include), "@folders@", folders,
		"@navigation@", quote(append([]string{}, o.Navigation...)), "@look@", o.Look.lines(),
	).Replace(newConfig))
}

// quote writes a text or a list of texts as JSON, which is YAML as well.
func quote[T string | []string](value T) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(value) // texts cannot fail
	return strings.TrimSuffix(b.String(), "\n")
}

// comment writes names of folders as lines of a comment, at most sixty of them.
func comment(folders []string) string {
	const most, perLine = 60, 4
	var b strings.Builder
	for names := range slices.Chunk(folders[:min(len(folders), most)], perLine) {
		b.WriteString("\n  #")
		for _, name := range names {
			b.WriteString(" " + oneLine(name))
		}
	}
	if len(folders) > most {
		fmt.Fprintf(&b, "\n  # and %d more", len(folders)-most)
	}
	return b.String()
}

// suggestion writes slugs as a comment beside an empty list.
func suggestion(slugs []string) string {
	if len(slugs) == 0 {
		return ""
	}
	return " # perhaps " + oneLine(quote(slugs))
}

// oneLine removes what would end a comment.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
