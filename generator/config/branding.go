package config

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// branding checks what the owner puts around pages.
func (c *checker) branding(s *Config) {
	c.require(s.Logo == "" || slices.Contains(logoTypes, strings.ToLower(path.Ext(s.Logo))), "logo", "%q is not a picture; name a file whose name ends in %s", s.Logo, strings.Join(logoTypes, ", "))
	c.require(s.Icon == "" || strings.EqualFold(path.Ext(s.Icon), ".png"), "icon", "%q is not a PNG; name a square picture whose name ends in .png", s.Icon)
	c.require(s.Accent == "" || colour.MatchString(s.Accent), "accent", "%q is not a colour; write it as \"#96181d\"", s.Accent)
	c.require(len(s.Menu) <= maxMenu, "menu", "%d links are more than %d", len(s.Menu), maxMenu)
	for _, link := range s.Menu {
		c.require(strings.TrimSpace(link.Title) != "", "menu", "%q has no title; write {title, url}", link.URL)
		c.require(isMenuURL(link.URL), "menu", "%q is neither a full http, https or mailto address nor a path in the site, such as about.html", link.URL)
	}
	for directive, sources := range s.CSP.All() {
		for _, source := range sources {
			c.require(cspSource.MatchString(source), "csp."+directive, "%q is not a source; write https://stats.example, 'unsafe-inline', or 'sha256-…' of a script", source)
		}
	}
}

const maxMenu = 24

var (
	logoTypes = []string{".svg", ".png", ".jpg", ".jpeg", ".webp", ".gif"}
	colour    = regexp.MustCompile(`^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$`)
	cspSource = regexp.MustCompile(`^(?:(?:https?|wss?|data|blob):|'[A-Za-z0-9+/=-]+'|(?:(?:https?|wss?)://)?(?:\*\.)?[A-Za-z0-9.-]+(?::[0-9]+|:\*)?(?:/[A-Za-z0-9._~%/-]*)?)$`)
)

// isMenuURL reports whether a link may stand in the menu.
func isMenuURL(address string) bool {
	u := parseURL(address)
	switch {
	case address == "" || strings.ContainsAny(address, "\\\n\r\t"):
		return false
	case u.Scheme == "mailto":
		return u.Opaque != ""
	case u.Scheme != "":
		return isWeb(u)
	}
	return u.Host == "" && u.Path != "" && !slices.Contains(strings.Split(u.Path, "/"), "..")
}
