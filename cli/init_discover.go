package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"

	"ayna/fetch"
	"ayna/generator"
	"ayna/generator/config"
	"ayna/source"
	"ayna/source/get"
	"ayna/source/kinds"
	"ayna/source/names"
)

// look finds the source at the first of some addresses that answers, and reads the first pages
// of its lists. Its error is a [failure] if there is no source: where nobody answers at all, that
// of the address without encryption.
func (s *setup) look(ctx context.Context, addresses []string) (greeting fetch.Greeting, err error) {
	var closed *failure
	for i, address := range addresses {
		s.typed = address
		greeting, err = s.lookAt(ctx, address)
		f := (*failure)(nil)
		if !errors.As(err, &f) || ctx.Err() != nil {
			return greeting, err
		}
		if f.isClosed && closed != nil && strings.HasPrefix(address, "https:") {
			f = closed
		}
		f.tried, closed, err = strings.Join(addresses[:i+1], ", then "), f, f
		if !f.isClosed || i == len(addresses)-1 {
			break
		}
		fmt.Fprintf(s.stdout, "source:   %s; trying %s\n", printable(f.came), addresses[i+1])
	}
	return greeting, err
}

// lookAt looks for a source at an address: by its home page, which is read without a key, and
// then by its lists.
func (s *setup) lookAt(ctx context.Context, address string) (fetch.Greeting, error) {
	o := &s.outline
	o.URL, o.Kind, s.needsKey = address, kinds.ByPage()[0].Name, nil // a kind that needs neither a key nor encryption
	c, err := s.draft()
	if err != nil {
		return fetch.Greeting{}, err
	}
	s.config = c
	found, err := generator.Discover(ctx, c.Source.UserAgent, address)
	page := leadsTo(address, found.Address)
	switch {
	case err == nil:
		o.URL, o.Kind, s.needsKey, s.named = found.Address, found.Kind, found.NeedsKey, found.Language
		if !isSameSite(address, found.Address) {
			fmt.Fprintf(s.stdout, "moved:    %s leads to %s\n", address, printable(found.Address))
		}
		fmt.Fprintf(s.stdout, "source:   %s at %s\n", kinds.Of(o.Kind).Title, printable(found.Address))
	case !isAnswered(err), errors.As(err, new(*generator.FeedError)), errors.Is(err, get.ErrRedirect), errors.Is(err, get.ErrShape):
		f := failureOf(address, page, err)
		f.doors = found.Tried
		return fetch.Greeting{}, f
	case isOpen(address):
		f := failureOf(address, page, err)
		f.doors = found.Tried
		if errors.Is(err, generator.ErrNoSource) {
			f.came = page + " answers, but is neither " + kinds.PapersByPage("nor") + ", and a Read API needs https"
		}
		return fetch.Greeting{}, f
	default: // it may be another kind of source
		o.Kind = kinds.ReadAPI
	}
	greeting, lists := s.greet(ctx)
	f := (*failure)(nil)
	switch {
	case lists == nil, ctx.Err() != nil, errors.As(lists, &f), errors.As(lists, new(usageError)):
		return greeting, lists
	case errors.Is(lists, fetch.ErrBudget):
		f = &failure{code: exitBudget, came: page + " answers that too many requests came", advice: s.advice(exitBudget, lists)}
	case o.Kind != kinds.ReadAPI:
		f = failureOf(address, kinds.Of(o.Kind).Title+" at "+found.Address, lists)
	case errors.Is(err, generator.ErrNoSource) && !errors.Is(lists, get.ErrRedirect): // the page is a usual one
		f = failureOf(address, page, lists)
	default:
		f = failureOf(address, page, err)
	}
	if f.doors = found.Tried; f.doors != "" && errors.Is(err, generator.ErrNoSource) {
		f.came, f.advice = page+" looks like WordPress, but its REST API does not answer", "ask its owner whether it is closed, or give the address of the site's home page"
	}
	f.isClosed = f.isClosed && isBadRequest(err) // a page has come
	return greeting, f
}

// greet reads the first pages of the source's lists: without a key, unless a flag gives one, and
// with a key if the source refuses that.
func (s *setup) greet(ctx context.Context) (fetch.Greeting, error) {
	o := &s.outline
	o.KeyName, o.KeyFile = "", ""
	if isGiven := s.keyEnv != "" || s.keyFile != ""; isGiven && (kinds.Of(o.Kind).Key.OnPage == "" || s.needsKey != nil) {
		return s.greetWith(ctx, s.keyEnv, s.keyFile)
	}
	greeting, err := s.greetOnce(ctx)
	if (isRefused(err) || names.IsClosed(err)) && slices.Contains(kinds.Of(o.Kind).Keys, kinds.FeedKey) {
		if greeting, isRead, feedErr := s.greetFeed(ctx); isRead || feedErr != nil {
			return greeting, feedErr
		}
	}
	if !isRefused(err) {
		return greeting, err
	}
	if s.answers != nil {
		return s.askKey(ctx)
	}
	if os.Getenv(usualKey) != "" && s.isForm(usualKey) {
		return s.greetWith(ctx, usualKey, "")
	}
	return greeting, s.refused(kinds.Of(o.Kind).Key.Wanted, fmt.Sprintf("give --key-file FILE, or export %s=… and give --key-env %[1]s", usualKey))
}

// greetFeed reads the first page of the feed of a source whose API is closed. The error is about
// a feed that cannot be mirrored.
func (s *setup) greetFeed(ctx context.Context) (greeting fetch.Greeting, isRead bool, err error) {
	s.outline.Feed = true
	greeting, err = s.greetOnce(ctx)
	if err == nil {
		fmt.Fprintf(s.stdout, "feed:     its REST API is closed, so the mirror is made of its feed, which has less; with an application password (--key-file) it has all\n")
		return greeting, true, nil
	}
	s.outline.Feed = false
	if errors.Is(err, source.ErrSummaries) {
		return greeting, false, &failure{
			code: exitShape, tried: s.typed, came: s.outline.URL + " closes its REST API, and its feed has summaries only",
			advice: "ask its owner for an application password and give it with --key-file, or for whole texts in the feed",
		}
	}
	return greeting, false, nil
}

// isForm reports whether the key in a variable has the form of those of the source.
func (s *setup) isForm(variable string) bool {
	s.outline.KeyName = variable
	_, err := s.draft()
	s.outline.KeyName = ""
	return err == nil
}

// askKey asks where the key is until the source takes it.
func (s *setup) askKey(ctx context.Context) (greeting fetch.Greeting, err error) {
	fmt.Fprintf(s.stdout, "source:   %s %s\n", printable(s.outline.URL), kinds.Of(s.outline.Kind).Key.Wanted)
	asked := s.ask("Variable or file that has the key", usualKey, func(answer string) error {
		variable, file := strings.Trim(answer, "${} "), ""
		if info, e := os.Stat(answer); e == nil && info.Mode().IsRegular() {
			variable, file = "", answer
		} else if _, isSet := os.LookupEnv(variable); !isSet && !unsetName.MatchString(variable) {
			return errNoKey // and perhaps the key itself, which is not to be written
		}
		greeting, err = s.greetWith(ctx, variable, file)
		if f := (*failure)(nil); errors.As(err, &f) && f.code == exitKey || errors.As(err, new(usageError)) {
			return err
		}
		return nil
	})
	return greeting, cmp.Or(asked, err)
}

// usualKey is the variable that a key is taken from if nobody names another one.
const usualKey = "AYNA_API_KEY"

var (
	// variableName is what ${NAME} in site.yaml can name.
	variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	// unsetName is the name of a variable that is not set yet.
	unsetName = regexp.MustCompile(`^[A-Z_][A-Z0-9_]*$`)
	errNoKey  = usagef("this is neither a file nor the name of a variable, as %s", usualKey)
)

// greetWith reads the first pages with the key in a variable or file. One that is not there yet
// is written to site.yaml nevertheless, if the source asks for it.
func (s *setup) greetWith(ctx context.Context, variable, file string) (fetch.Greeting, error) {
	o := &s.outline
	o.KeyName, o.KeyFile = variable, file
	c, err := s.draft()
	switch {
	case err != nil:
		return fetch.Greeting{}, err
	case !isSameSite(s.typed, o.URL):
		return fetch.Greeting{}, s.refused("is where "+s.typed+" leads; a key goes to the address that was given", "give "+o.URL+", if the key is for it")
	}
	isMissing := c.Need(func(string) bool { return true }) != nil
	greeting, err := s.greetOnce(ctx)
	switch {
	case isRefused(err) && isMissing:
		fmt.Fprintf(s.stdout, "source:   %s, which is not set yet\n", kinds.Of(o.Kind).Key.Wanted)
		return greeting, nil
	case isRefused(err):
		return greeting, s.refused("refuses the key in "+cmp.Or(file, variable), "check the key, and that it is the one of this source")
	case err == nil && isMissing && file == "":
		o.KeyName = "" // it needs none
	}
	return greeting, err
}

// greetOnce reads the first pages of the source's lists, and prints what they show.
func (s *setup) greetOnce(ctx context.Context) (fetch.Greeting, error) {
	c, err := s.draft()
	if err != nil {
		return fetch.Greeting{}, err
	}
	s.config = c
	greeting, err := generator.Greet(ctx, s.options(ctx, nil), 0)
	if err != nil {
		return greeting, err
	}
	switch one := map[bool]string{true: "articles", false: "posts"}[s.outline.Kind == kinds.ReadAPI]; {
	case greeting.Total > 0:
		fmt.Fprintf(s.stdout, "source:   answers; it has %d %s\n", greeting.Total, one)
	default:
		fmt.Fprintf(s.stdout, "source:   answers with its newest %d %s; it does not say how many it has\n", greeting.Articles, one)
	}
	if greeting.Ahead != 0 {
		fmt.Fprintf(s.stdout, "clock:    the source's is %s ahead of this machine's (below 0: behind)\n", greeting.Ahead)
	}
	return greeting, nil
}

// isRefused reports whether a source has answered that it wants a key, or another one. A web
// page with the status 403 is of a protection, and not of a news service.
func isRefused(err error) bool {
	e := (*get.Error)(nil)
	isPage := errors.As(err, &e) && e.WebPage && e.Status == http.StatusForbidden
	return errors.Is(err, fetch.ErrKey) && !isPage
}

// describe takes what a site says of itself, unless a flag says otherwise.
func (s *setup) describe(greeting fetch.Greeting) {
	o, site := &s.outline, greeting.Site
	o.Folders, o.Columns, o.Look = greeting.Folders, columnsAmong(greeting.Folders), config.Look{Accent: site.Accent}
	for _, item := range site.Menu {
		switch folder := greeting.FolderAt[item.URL]; {
		case folder == "":
			o.Look.Menu = append(o.Look.Menu, [2]string{item.Title, item.URL})
		case !slices.Contains(o.Navigation, folder):
			o.Navigation = append(o.Navigation, folder)
		}
	}
	title := strings.Join(strings.Fields(site.Title), " ")
	if o.Comments = greeting.Comments; o.Comments {
		fmt.Fprintln(s.stdout, "comments: readers' comments are mirrored; write comments: none to leave them at the source")
	}
	o.Name, o.Description = cmp.Or(title, greeting.Host), site.Description
	s.named = cmp.Or(usualTag(s.named), usualTag(site.Language))
	if title != "" {
		fmt.Fprintf(s.stdout, "site:     %s\n", printable(title))
	}
	if len(o.Folders) > 0 {
		fmt.Fprintf(s.stdout, "folders:  %s\n", printable(strings.Join(o.Folders, " ")))
	}
}

// columnsAmong returns the slugs of folders that look like those of columns.
func columnsAmong(folders []string) (slugs []string) {
	for _, folder := range folders {
		slug := strings.Trim(folder, "/")
		for _, word := range []string{"yazar", "kose", "column", "opinion", "kolumne", "meinung", "chronique", "tribuna"} {
			if strings.Contains(slug, word) && !slices.Contains(slugs, slug) {
				slugs = append(slugs, slug)
			}
		}
	}
	return slugs
}
