package generator_test

// guards are the guards of docs/faults.md and SECURITY.md that a single line is.
// Where two of them stand one behind the other, as sanitizer and rebuilding of a
// text do, what is listed is the one that decides.
var guards = []guard{
	// Text
	{"element of the allow-list", "generator/prose/elements.go", `"p":   {kind: passing}`, `"marquee": {kind: flow}, "p":   {kind: passing}`, "./generator/prose EveryElement|Hostile", false},
	{"value of an attribute", "generator/prose/elements.go", `return s == "player"`, `return s != ""`, "./generator/prose Hostile|EveryElement", false},
	{"scripts are dropped with their content", "generator/prose/elements.go", `"script": true, "style": true,`, ``, "./generator/prose .", false},
	{"depth of a text", "generator/prose/clean.go", `maxDepth = 256`, `maxDepth = 256000`, "./generator/prose .", false},
	{"length of a text", "generator/prose/clean.go", `if len(text) > maxText {`, `if false {`, "./generator/prose .", false},
	{"words of a text that is no HTML are escaped", "generator/prose/clean.go", `escaper.Replace(balanceDirections(p)) + "</p>\n")
	}`, `balanceDirections(p) + "</p>\n")
	}`, "./generator/prose .", false},
	{"cost of Markdown", "generator/prose/markdown.go", `if isCostly(document) {`, `if false {`, "./generator/prose MarkdownD33", false},
	{"words of a text as plain Markdown are escaped", "generator/prose/markdown.go", `mark + EscapeMarkdown(rest)`, `mark + rest`, "./generator/prose Markdown", false},
	{"addresses are escaped", "generator/prose/body.go", `f.out = append(f.out, html.EscapeString(value)...)`, `f.out = append(f.out, value...)`, "./generator/prose .", false},
	{"words for a picture are escaped", "generator/prose/body.go", `f.out = append(f.out, html.EscapeString(alt)...)`, `f.out = append(f.out, alt...)`, "./generator/prose .", false},
	{"schemes of addresses", "generator/prose/address.go", `u.Scheme != "http" && u.Scheme != "https" || `, ``, "./generator/prose Hostile|Address|SafeURL", false},
	{"user names in addresses", "generator/prose/address.go", `u.User != nil || `, ``, "./generator/prose Hostile|Address|SafeURL", false},
	{"length of addresses", "generator/prose/address.go", `const maxAddress = 2000`, `const maxAddress = 2000000`, "./generator/prose .", false},
	{"control characters", "generator/prose/text.go", `case r < 0x20, r >= 0x7F`, `case r >= 0x7F`, "./generator/prose .", false},
	{"noncharacters", "generator/prose/text.go", `, r&0xFFFE == 0xFFFE`, ``, "./generator/prose .", false},
	{"broken UTF-8", "generator/prose/text.go", `strings.ToValidUTF8(s, "\uFFFD"))`, `s)`, "./generator/prose .", false},
	{"directions in titles", "generator/prose/text.go", `strings.Map(dropDirections, words)`, `words`, "./generator/prose .", false},
	{"escaping of texts in templates", "generator/fasttemplate/escape.go", `'<': "&lt;"`, `'<': "<"`, "./generator/fasttemplate .", true},
	{"escaping of addresses in templates", "generator/fasttemplate/escape.go", `return out, false`, `continue`, "./generator/fasttemplate .", false},
	{"Markdown of titles", "generator/prose/markdown.go", `"<", "\\<", ">", "\\>",`, ``, "./generator/page Markdown|Golden", false},
	{"front matter is quoted", "generator/page/markdown.go", `[]byte(strconv.Quote(string(q)))`, `append([]byte(q), strconv.Quote("")[2:]...)`, "./generator/page Markdown|Golden", false},
	{"policy of pages", "templates/layout.html", `{{if .Script}}script-src 'self' file:; {{end}}connect-src 'self'; manifest-src 'self'; img-src 'self' file:;`, `script-src 'unsafe-inline';`, "./generator/page .", false},
	{"tags in texts of feeds", "generator/feed/text.go", `if beginsTag(text[i:]) || `, `if `, "./generator/feed D61", false},
	{"references in texts of feeds", "generator/feed/text.go", ` || beginsReference(text[i:])`, ``, "./generator/feed D61", false},
	{"summaries of RSS are HTML", "generator/feed/text.go", `return htmlEscaper.Replace(text)`, `return text`, "./generator/feed D61", false},
	{"names of excluded records", "generator/arrange/published.go", `case b.excluded[directoryKey{space, name}],`, `case false,`, "./generator/arrange B15", false},
	{"names of forgotten records", "generator/arrange/published.go", `return removeDirectories(ctx, a, unshared)`, `return nil`, "./generator B15", false},
	{"titles among search results", "assets/search.js", `head.append(text(link, item.title));`, `link.innerHTML = item.title; head.append(link);`, "./generator/page/browser Attacks/search", false},
	{"captions of the viewer", "assets/gallery.js", `caption.textContent = `, `caption.innerHTML = `, "./generator/page/browser Attacks/from", false},

	// Paths
	{"depth of folders", "generator/site/address.go", `maxSegments = 16`, `maxSegments = 1600`, "./generator/site .", false},
	{"length of names", "generator/site/slug.go", `const maxSlug = 72`, `const maxSlug = 720`, "./generator/site Slug", false},
	{"names of devices", "generator/site/address.go", `deviceName.MatchString(name) || `, ``, "./generator/site .", false},
	{"folders of the site's own", "generator/site/address.go", `case MediaDir, AssetsDir, `, `case `, "./generator/site .", false},
	{"names that no record may have", "generator/site/address.go", `} else if fileName.MatchString(name) {`, `} else if false {`, "./generator/site .", false},
	{"names of ids", "generator/site/slug.go", `if plainID.MatchString(id) {`, `if true {`, "./generator/site .", false},
	{"links in the served tree", "server/site.go", `} else if !info.IsDir() {`, `} else if info == nil {`, "./server Preview", false},
	{"hidden files", "server/site.go", `strings.HasPrefix(name, ".") || strings.Contains(name, "/.")`, `false`, "./server Preview", false},

	// Addresses of pictures
	{"checked where it connects", "generator/sync/pictures.go", `		return checkPublic(address)
	}}`, `		return nil
	}}`, "./generator/sync D47", false},
	{"connected to what was checked", "generator/sync/pictures.go", `		return public.DialContext(ctx, network, address)`, `		_ = public
		at, err := net.ResolveTCPAddr(network, address)
		if err == nil {
			err = checkPublic(at.String())
		}
		if err != nil {
			return nil, err
		}
		return plain.DialContext(ctx, network, address)`, "./generator/sync T40", false},
	{"shared addresses of providers", "generator/sync/pictures.go", `"100.64.0.0/10", `, ``, "./generator/sync D47", false},
	{"private addresses of IPv6", "generator/sync/pictures.go", `"fc00::/7", `, ``, "./generator/sync D47", false},
	{"IPv4 in IPv6", "generator/sync/pictures.go", `"64:ff9b::/96", `, ``, "./generator/sync D47", false},
	{"redirects of pictures", "generator/sync/pictures.go", `return s.mayVisit(request.URL)`, `return nil`, "./generator/sync D47", false},
	{"number of redirects of pictures", "generator/sync/pictures.go", `if len(via) > 3 {`, `if len(via) > 300 {`, "./generator/sync D47", false},
	{"ports of pictures", "generator/sync/pictures.go", `port != "" && port != "80" && port != "443"`, `false && port != ""`, "./generator/sync D47", false},
	{"pixels of a picture", "generator/sync/pictures.go", `shape.Width > maxPixels/shape.Height`, `false`, "./generator/sync D47", false},
	{"bytes of a picture", "generator/sync/pictures.go", `if len(content) > maxPicture {`, `if false {`, "./generator/sync D47", false},

	// The way to the service
	{"redirects of the service", "client/request.go", `if origin(target) != c.transport.origin {`, `if false {`, "./client Redirect", false},
	{"number of redirects of the service", "client/request.go", `maxRedirects = 3`, `maxRedirects = 300`, "./client Redirect", false},
	{"the key in messages", "client/request.go", `runes := []rune(k.hide(strings.Join(strings.Fields(text), " ")))`, `runes := []rune(strings.Join(strings.Fields(text), " "))`, "./client .", false},
	{"the key in records", "client/request.go", `len(k.key) >= shortKey && `, `false && `, "./client .", false},
	{"a refused key", "generator/sync/quota.go", `	if q.rejected != nil {
		return 0, q.rejected
	}
`, ``, "./generator/sync S10|S12|T25", false},
	{"one request before the first answer", "generator/sync/list.go", `		case <-s.quota.answered:`, `		default:`, "./generator/sync S12", false},
	{"a key that is not set", "cli/build.go", `if err == nil && a.requests && a.config.Source.URL != config.Sample {`, `if false {`, "./cmd/build Scripts/unset", false},
	{"a report in place of the archive", "generator/config/path.go", `case p.Key == other.Key, `, `case true, `, "./generator/config L26", false},
	{"links to a place", "generator/config/path.go", `return os.SameFile(infoA, infoB)`, `return a == b && infoA != nil && infoB != nil`, "./generator/config L26", false},
	{"messages of other loggers", "cli/cli.go", `log.SetOutput(io.Discard)`, `log.SetOutput(a.stderr); _ = io.Discard`, "./cmd/build S11", false},
	{"control characters in messages", "client/request.go", `!unicode.IsGraphic(r)`, `false`, "./client .", false},
	{"the key in clear", "client/client.go", `if key != "" && base.Scheme == "http" && `, `if false && `, "./client .", false},
	{"bytes of an answer", "client/request.go", `if int64(len(a.body)) > c.maxBody {`, `if false {`, "./client .", false},
	{"pages of HTML", "client/answer.go", `if kind == "text/html" || body[0] == '<' {`, `if kind == "text/html" && body[0] == 0 {`, "./client .", false},
	{"the terminal", "cli/console.go", `unicode.IsPrint(r)`, `true || unicode.IsPrint(r)`, "./cli Printable", false},

	// Nothing is lost
	{"content that an answer lacks", "generator/sync/doubt.go", `if len(lost) > 0 {`, `if false {`, "./generator/sync D56", false},
	{"answers that make a contradiction true", "generator/sync/doubt.go", `const sightings = 4`, `const sightings = 1`, "./generator/sync D56|D57Lag", false},
	{"deletions at once", "generator/sync/gone.go", `if len(unseen) > max(goneAtOnce, held/10, s.AllowDelete) {`, `if len(unseen) > max(goneAtOnce, held, s.AllowDelete) {`, "./generator/sync D53|D07", false},
	{"proof of a deletion", "generator/sync/gone.go", `case errors.Is(err, client.ErrNotFound):
		s.tally(w.Kind, func(c *Count) { c.Gone++ })`, `case err != nil:
		s.tally(w.Kind, func(c *Count) { c.Gone++ })`, "./generator/sync D53|D07", false},
	{"agreement of passes", "generator/sync/irregular.go", `return st.Unstable && len(st.Agreed) < EnoughPasses`, `return false`, "./generator/sync D65", false},
	{"records of a list that does not end", "generator/sync/irregular.go", `if err := tx.SetAside(l.kind, l.Ended); err != nil {`, `if err := error(nil); err != nil {`, "./generator/sync D62", false},
	{"records kept aside", "archive/fetch.go", "const notAside = `aside = 0`", "const notAside = `TRUE`", "./archive D62", false},
	{"damaged records", "archive/record.go", `if !r.sound() {`, `if false {`, "./archive DamagedRecord", false},
	{"the archive of another service", "generator/guards.go", `case filled == "" || filled == named:`, `case true:`, "./cmd/build TestScripts/origin", false},
	{"the sample over a mirror", "generator/guards.go", `if b.Config.Source.Origin() != config.Sample || `, `if true || `, "./cmd/build TestScripts/origin", false},
	{"objects of others in the archive", "archive/sqlite_schema.go", `if !known[o] && !known[plain(o)] {`, `if known == nil {`, "./archive L27", false},
	{"imported addresses", "generator/pack/record.go", `if r.Address != "" && !(slices`, `if false && !(slices`, "./generator/pack D60", false},
	{"addresses in the archive", "generator/arrange/scan.go", `if l.Address != "" && (!site.IsItemAddress`, `if false && (!site.IsItemAddress`, "./generator/arrange D60", false},
	{"the archive's lock", "archive/sqlite.go", `	if !held {
		return ErrLocked`, `	if !held && held {
		return ErrLocked`, "./archive Open", false},
	{"the site's lock", "generator/release/place.go", `	if !held {
		return ErrLocked`, `	if !held && held {
		return ErrLocked`, "./generator/release L09", false},
	{"a site that has shrunk", "generator/output/guard.go", `if b.options.Fewer || b.pagesBefore-b.pages <= tolerable(b.pagesBefore, 10) {`, `if true {`, "./generator/output TestGuards", false},
	{"a site of a new archive", "generator/output/guard.go", ` && !b.options.Anew`, ``, "./generator/output TestGuards", false},
	{"a site without its home", "generator/output/guard.go", `r == nil || !r.inTree() || r.size == 0 {`, `r != nil && r == nil {`, "./generator/output TestGuards|B07", false},
	{"files synced before they are published", "generator/output/stage.go", `return release.SyncTree(b.stage)`, `return nil`, "./cmd/build L08Synced", false},
	{"synced before it is swapped", "generator/release/swap.go", `	if err := p.sync(); err != nil {
		return err
	}
	if err := p.exchange(name)`, `	if err := p.exchange(name)`, "./cmd/build L08Synced", false},

	// The server
	{"types of the site", "server/site.go", `h.Set("X-Content-Type-Options", "nosniff")`, ``, "./server Preview", false},
	{"types of the API", "server/access.go", `w.Header().Set("X-Content-Type-Options", "nosniff")`, ``, "./server V14", false},
	{"policy of served files", "server/site.go", `w.Header().Set("Content-Security-Policy", filePolicy)`, ``, "./server Preview", false},
	{"other hosts' names", "server/frame.go", `(err != nil || !ip.IsLoopback())`, `(err != nil && ip.IsLoopback())`, "./server V07", false},
	{"names of other hosts in the configuration", "generator/config/check.go", `c.require(hostName.MatchString(host), `, `c.require(host != "", `, "./generator/config Load", false},
	{"values of $filter are parameters", "archive/sqlite.go", `return column + " = ?", []any{text}`, `return column + " = '" + text + "'", nil`, "./server V10V30Filters", false},
	{"an alias that names itself", "server/filter/parser.go", `if p.depth++; p.depth > MaxDepth {`, `if p.depth++; p.depth > 100*MaxDepth {`, "./server/filter V10", false},
	{"answers of one state", "server/state.go", `if now == version {`, `if now == version || err == nil {`, "./server V31ReadsAgain", false},
	{"places for single records", "server/state.go", `	case g.working <- struct{}{}:
		return`, `	default:
		g.working = make(chan struct{}, 1)
		g.working <- struct{}{}
		return`, "./server V32Singles", false},
	{"tags of lists", "server/state.go", `fmt.Sprintf("%s-%x", s.opened, version)`, `fmt.Sprintf("%s-%x", s.opened, version/1000)`, "./server V31V16", false},
	{"rows deleted from the index", "archive/fts5_page.go", `if !l.deleted.has(row) {`, `if row > 0 {`, "./archive SearchFinds", false},
	{"the server's key", "server/access.go", `subtle.ConstantTimeCompare(got[:], g.key[:]) == 1`, `subtle.ConstantTimeCompare(got[:], g.key[:]) <= 1`, "./server Key", false},
}
