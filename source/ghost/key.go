package ghost

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"time"

	"golang.org/x/net/html/atom"

	"ayna/source/get"
	"ayna/source/homepage"
)

// Errors of papers that do not answer programs. They wrap errors of package get.
var (
	ErrHidden = fmt.Errorf("the pages of this site show no key of its Content API; ask its owner for a content API key and write it to source.api_key: %w",
		get.ErrUnauthorized)
	ErrPrivate = fmt.Errorf("this site is private; ask its owner for a content API key and write it to source.api_key: %w",
		get.ErrUnauthorized)
	ErrRefused = fmt.Errorf("the site refuses this content API key, which is not sent again for a day; write another one to source.api_key: %w",
		get.ErrUnauthorized)
	// ErrNone is the error of an address that is not of Ghost.
	ErrNone = errors.New("it is no site of Ghost")
)

// A Discovery is what a home page shows of Ghost.
type Discovery struct {
	Address string // of the site
	Key     string // of the Content API
	API     string // address of the site that answers it, "" if the page does not name it
}

var contentKey = regexp.MustCompile(`^[0-9a-f]{26}$`)

// Discover finds Ghost and the key of its Content API on a home page: at the scripts of
// sign-up and search. A site that hides it is one nevertheless, and so is a private one:
// the error is then [ErrHidden] or [ErrPrivate], and the address is that of the site.
func Discover(p homepage.Page) (Discovery, error) {
	d, isGhost := Discovery{Address: p.Home()}, false
	hasPrivateForm := false // asks for the password of a private site
	for _, t := range p.Tags {
		switch {
		case t.Atom == atom.Meta && t.Attribute("name") == "generator":
			isGhost = isGhost || strings.HasPrefix(t.Attribute("content"), "Ghost ")
		case t.Atom == atom.Script && contentKey.MatchString(t.Attribute("data-key")):
			if api := apiOf(p, t); d.Key == "" || d.API == "" {
				d.Key, d.API = t.Attribute("data-key"), api
			}
		case t.Atom == atom.Form:
			hasPrivateForm = hasPrivateForm || strings.Contains(t.Attribute("action"), "/private/")
		}
	}
	home, isPrivate := strings.CutSuffix(d.Address, "/private")
	switch {
	case d.Key != "":
		return d, nil
	case isPrivate && (isGhost || hasPrivateForm):
		d.Address = home
		return d, p.Refuse(ErrPrivate)
	case isGhost:
		return d, p.Refuse(ErrHidden)
	}
	return Discovery{}, p.Refuse(fmt.Errorf("%s: %w", p.URL.Host, ErrNone))
}

// apiOf returns the site that a script asks: where Ghost's administration has a host of its
// own, that one answers the Content API.
func apiOf(p homepage.Page, script homepage.Tag) string {
	address := cmp.Or(script.Attribute("data-api"), script.Attribute("data-sodo-search"))
	u, err := p.URL.Parse(address)
	if err != nil || address == "" || u.Host == "" || u.User != nil {
		return ""
	}
	if u.Host == p.URL.Host {
		u.Scheme = p.URL.Scheme // behind a proxy, Ghost may name http
	}
	if u.Scheme != "https" && u.Scheme != p.URL.Scheme {
		return "" // it leads out of the encryption
	}
	u.RawQuery, u.Fragment = "", ""
	return strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(u.String(), "/"), "/ghost/api/content"), "/")
}

// mayAsk returns an error if the host that a page names for the API is neither that of the site
// nor a public one with https. The connection decides whether a name is that of a public host.
func (s *Source) mayAsk(api string) error {
	own, err1 := url.Parse(s.config.BaseURL)
	u, err2 := url.Parse(api)
	switch {
	case err1 != nil || err2 != nil:
		return fmt.Errorf("%w: the address of its API cannot be read", get.ErrShape)
	case get.IsSameSite(own, u), u.Scheme == "https" && !get.IsPrivate(u.Hostname()):
		return nil
	}
	return fmt.Errorf("the API of this site is at another host, %q, which is not public or without https; if that is right, write its address to source.url: %w", u.Host, get.ErrRedirect)
}

// open finds the key, and returns a getter of the Content API.
func (s *Source) open(ctx context.Context) (*get.Getter, string, error) {
	s.opening.Lock()
	defer s.opening.Unlock()
	if s.refusal != nil || s.api != nil {
		return s.api, s.key, s.refusal
	}
	d := Discovery{Key: s.config.APIKey, API: s.config.BaseURL}
	if d.Key == "" {
		page, err := s.reader().Read(ctx, strings.TrimSuffix(s.config.BaseURL, "/")+"/")
		if err != nil {
			return nil, "", err
		}
		if d, err = Discover(page); errors.Is(err, ErrNone) {
			return nil, "", fmt.Errorf("%w: %w", get.ErrShape, err)
		}
		if err != nil {
			return nil, "", err
		}
		if d.API == "" {
			d.API = s.config.BaseURL
		}
		if s.refusal = s.mayAsk(d.API); s.refusal != nil {
			return nil, "", s.refusal
		}
	}
	if s.wasRefused(d.Key) {
		s.refusal = &get.Error{Op: "open the Content API", Err: ErrRefused}
		return nil, "", s.refusal
	}
	api, err := get.New(get.Config{
		BaseURL: d.API, Transport: s.config.Transport, Timeout: s.config.Timeout, UserAgent: s.config.UserAgent, Gate: s.config.Gate,
		Guard: get.NewKeyGuard(d.Key), SameSite: s.config.APIKey == "",
	})
	if err != nil {
		return nil, "", fmt.Errorf("%w: %w", get.ErrShape, err)
	}
	s.api, s.key = api, d.Key
	return api, d.Key, nil
}

// A key that was refused is not sent again for a day: after 99 wrong ones Ghost answers
// nobody at this machine's address for an hour.
const refusedFor = 24 * time.Hour

func digest(key string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(key)))[:16] }

// refuse notes that a key was refused.
func (s *Source) refuse(key string) error {
	s.opening.Lock()
	defer s.opening.Unlock()
	s.refusal = ErrRefused
	s.note(refusedFound, digest(key)+" "+time.Now().UTC().Format(time.RFC3339))
	return s.refusal
}

func (s *Source) wasRefused(key string) bool {
	of, when, _ := strings.Cut(s.answer(refusedFound), " ")
	at, err := time.Parse(time.RFC3339, when)
	since := time.Since(at)
	return err == nil && of == digest(key) && since >= 0 && since < refusedFor
}

// host returns the host of an address, "" if it has none.
func host(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.")
}
