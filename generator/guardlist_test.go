package generator_test

// guards has a row for each marker. They are the guards of docs/faults.md and
// SECURITY.md that a single line is. Where two guards stand one behind the other, as
// the sanitizer and the writer of a text do, the one that decides has the marker.
var guards = []guard{
	// Text
	{name: "element", becomes: `"marquee": {kind: flow}, "p": {kind: passing}, "div": {kind: passing},`, tests: "./generator/prose EveryElement|Hostile"},
	{name: "attribute-value", becomes: always, tests: "./generator/prose Hostile|EveryElement"},
	{name: "script-content", becomes: deleted, tests: "./generator/prose ."},
	{name: "text-depth", becomes: `maxDepth = 256000`, tests: "./generator/prose ."},
	{name: "text-length", becomes: never, tests: "./generator/prose ."},
	{name: "plain-text", becomes: `b.WriteString("<p>" + balanceDirections(p) + "</p>\n")`, tests: "./generator/prose ."},
	{name: "markdown-cost", becomes: never, tests: "./generator/prose MarkdownD33"},
	{name: "markdown-text", becomes: `lines[i] = line[:len(line)-len(rest)] + mark + rest`, tests: "./generator/prose Markdown"},
	{name: "address-quotes", becomes: `f.out = append(f.out, value...)`, tests: "./generator/prose ."},
	{name: "alt-quotes", becomes: `f.out = append(f.out, alt...)`, tests: "./generator/prose ."},
	{name: "address-scheme", becomes: deleted, tests: "./generator/prose Hostile|Address|SafeURL"},
	{name: "address-user", becomes: deleted, tests: "./generator/prose Hostile|Address|SafeURL"},
	{name: "address-length", becomes: `const maxAddress = 2000000`, tests: "./generator/prose ."},
	{name: "control-characters", becomes: deleted, tests: "./generator/prose ."},
	{name: "noncharacters", becomes: `false:`, tests: "./generator/prose ."},
	{name: "broken-utf8", becomes: `return strings.Map(allowedInXML, s)`, tests: "./generator/prose ."},
	{name: "title-directions", becomes: deleted, tests: "./generator/prose ."},
	{name: "template-text", becomes: `'<': "<",`, tests: "./generator/fasttemplate ."},
	{name: "template-address", becomes: `continue`, tests: "./generator/fasttemplate ."},
	{name: "markdown-title", becomes: deleted, tests: "./generator/page Markdown|Golden"},
	{name: "front-matter", becomes: `func (q quoted) MarshalYAML() ([]byte, error) { return append([]byte(q), strconv.Quote("")[2:]...), nil }`, tests: "./generator/page Markdown|Golden"},
	{name: "page-policy", becomes: `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'">`, tests: "./generator/page ."},
	{name: "feed-tags", becomes: `if false ||`, tests: "./generator/feed D61"},
	{name: "feed-references", becomes: `false {`, tests: "./generator/feed D61"},
	{name: "rss-summary", becomes: `func asHTML(text string) string { return text }`, tests: "./generator/feed D61"},
	{name: "excluded-names", becomes: `case false,`, tests: "./generator/arrange B15"},
	{name: "forgotten-names", becomes: `return nil`, tests: "./generator B15"},
	{name: "result-titles", becomes: `link.innerHTML = item.title; head.append(link);`, tests: "./generator/page/browser Attacks/search",
		script: "assets/search.js", line: `head.append(marked(link, item.title, marksOf(item.title, wants)));`},
	{name: "viewer-captions", becomes: `caption.innerHTML = `, tests: "./generator/page/browser Attacks/without",
		script: "assets/gallery.js", line: `caption.textContent = `},

	// Paths
	{name: "folder-depth", becomes: `maxSegments = 1600`, tests: "./generator/site ."},
	{name: "name-length", becomes: `const maxSlug = 720`, tests: "./generator/site Slug"},
	{name: "device-names", becomes: `false {`, tests: "./generator/site ."},
	{name: "site-directories", becomes: `case`, tests: "./generator/site ."},
	{name: "file-names", becomes: never, tests: "./generator/site ."},
	{name: "id-names", becomes: always, tests: "./generator/site ."},
	{name: "served-links", becomes: never, tests: "./server Preview"},
	{name: "hidden-files", becomes: `false {`, tests: "./server Preview"},

	// Addresses of pictures
	{name: "picture-connect", becomes: `return nil`, tests: "./generator/sync D47"},
	{name: "picture-resolved", tests: "./generator/sync T40", becomes: `_ = public
		at, err := net.ResolveTCPAddr(network, address)
		if err == nil {
			err = checkPublic(at.String())
		}
		if err != nil {
			return nil, err
		}
		return plain.DialContext(ctx, network, address)`},
	{name: "shared-addresses", becomes: deleted, tests: "./generator/sync D47"},
	{name: "private-ipv6", becomes: deleted, tests: "./generator/sync D47"},
	{name: "ipv4-in-ipv6", becomes: deleted, tests: "./generator/sync D47"},
	{name: "picture-redirects", becomes: `return nil`, tests: "./generator/sync D47"},
	{name: "picture-redirect-count", becomes: never, tests: "./generator/sync D47"},
	{name: "picture-ports", becomes: never, tests: "./generator/sync D47"},
	{name: "picture-pixels", becomes: `false {`, tests: "./generator/sync D47"},
	{name: "picture-bytes", becomes: never, tests: "./generator/sync D47"},

	// The way to the service
	{name: "service-redirects", becomes: never, tests: "./client Redirect"},
	{name: "service-redirect-count", becomes: `maxRedirects = 300`, tests: "./client Redirect"},
	{name: "key-in-messages", becomes: `runes := []rune(strings.Join(strings.Fields(text), " "))`, tests: "./client ."},
	{name: "key-in-records", becomes: never, tests: "./client ."},
	{name: "refused-key", becomes: never, tests: "./generator/sync S10|S12|T25"},
	{name: "first-request", becomes: `default:`, tests: "./generator/sync S12"},
	{name: "unset-key", becomes: never, tests: "./cmd/build Scripts/unset"},
	{name: "report-place", becomes: `case true:`, tests: "./generator/config L26"},
	{name: "linked-places", becomes: `return a == b && infoA != nil && infoB != nil`, tests: "./generator/config L26"},
	{name: "other-loggers", becomes: `log.SetOutput(a.stderr); _ = io.Discard`, tests: "./cmd/build S11"},
	{name: "message-characters", becomes: never, tests: "./client ."},
	{name: "key-in-clear", becomes: never, tests: "./client ."},
	{name: "answer-bytes", becomes: never, tests: "./client ."},
	{name: "html-answers", becomes: never, tests: "./client ."},
	{name: "terminal", becomes: always, tests: "./cli Printable"},

	// Nothing is lost
	{name: "lost-content", becomes: never, tests: "./generator/sync D56"},
	{name: "doubt-answers", becomes: `const sightings = 1`, tests: "./generator/sync D56|D57Lag"},
	{name: "mass-deletion", becomes: `if len(unseen) > max(goneAtOnce, held, s.AllowDelete) {`, tests: "./generator/sync D53|D07"},
	{name: "deletion-proof", becomes: `case err != nil:`, tests: "./generator/sync D53|D07"},
	{name: "agreeing-passes", becomes: never, tests: "./generator/sync D65"},
	{name: "set-aside", becomes: `if err := error(nil); err != nil {`, tests: "./generator/sync D62"},
	{name: "not-aside", becomes: "const notAside = `TRUE`", tests: "./archive D62"},
	{name: "damaged-record", becomes: never, tests: "./archive DamagedRecord"},
	{name: "archive-origin", becomes: always, tests: "./cmd/build TestScripts/origin"},
	{name: "sample-over-mirror", becomes: always, tests: "./cmd/build TestScripts/origin"},
	{name: "foreign-tables", becomes: never, tests: "./archive L27"},
	{name: "imported-address", becomes: never, tests: "./generator/importer D60"},
	{name: "imported-mentions", becomes: `kept, err := *part, error(nil)`, tests: "./generator/importer D55"},
	{name: "imported-pictures", becomes: `if dir == "" {`, tests: "./generator/importer D67"},
	{name: "import-names", becomes: never, tests: "./generator/importer D67"},
	{name: "import-bomb", becomes: never, tests: "./generator/importer D67"},
	{name: "import-overlap", becomes: never, tests: "./generator/importer D67"},
	{name: "import-directory", becomes: never, tests: "./generator/importer D67"},
	{name: "imported-key", becomes: `return " (" + quoted(address) + ")"`, tests: "./generator/importer S13"},
	{name: "captures-to-come", becomes: `return false`, tests: "./generator/importer D68"},
	{name: "archived-address", becomes: never, tests: "./generator/arrange D60"},
	{name: "archive-lock", becomes: never, tests: "./archive Open"},
	{name: "site-lock", becomes: never, tests: "./generator/release L09"},
	{name: "shrunk-site", becomes: always, tests: "./generator/output TestGuards"},
	{name: "new-archive", becomes: `true {`, tests: "./generator/output TestGuards"},
	{name: "home-page", becomes: never, tests: "./generator/output TestGuards|B07"},
	{name: "synced-files", becomes: `return nil`, tests: "./cmd/build L08Synced"},
	{name: "synced-names", becomes: `if err := error(nil); err != nil {`, tests: "./cmd/build L08Synced"},

	// The server
	{name: "site-types", becomes: deleted, tests: "./server Preview"},
	{name: "api-types", becomes: deleted, tests: "./server V14"},
	{name: "file-policy", becomes: deleted, tests: "./server Preview"},
	{name: "host-names", becomes: never, tests: "./server V07"},
	{name: "configured-hosts", becomes: `_ = host`, tests: "./generator/config Load"},
	{name: "filter-values", becomes: `return column + " = '" + text + "'", nil`, tests: "./server V10V30Filters"},
	{name: "filter-alias", becomes: `if p.depth++; p.depth > 100*MaxDepth {`, tests: "./server/filter V10"},
	{name: "one-state", becomes: always, tests: "./server V31ReadsAgain"},
	{name: "single-records", tests: "./server V32Singles", becomes: `default:
		g.working = make(chan struct{}, 1)
		g.working <- struct{}{}`},
	{name: "list-tags", becomes: `func (s *api) tag(version int64) string { return fmt.Sprintf("%s-%x", s.opened, version/1000) }`, tests: "./server V31V16"},
	{name: "index-deletions", becomes: always, tests: "./archive SearchFinds"},
	{name: "server-key", becomes: always, tests: "./server Key"},
}
