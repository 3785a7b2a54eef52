package wordpress

import (
	"regexp"
	"strings"
)

// A shortcode is a mark in square brackets that a plug-in replaces. Those of plug-ins that
// are gone stay in texts. WordPress has made typographic quotation marks of theirs.
var (
	shortcode    = regexp.MustCompile(`\[(/?)([A-Za-z][\w-]*)(\s[^\[\]]*)?/?\]`)
	hasAttribute = regexp.MustCompile(`\s[A-Za-z][\w-]*\s*=`)
)

// closedShortcodes returns the names that have an end in a text.
func closedShortcodes(rendered string) map[string]bool {
	closed := make(map[string]bool)
	for _, m := range shortcode.FindAllStringSubmatch(rendered, -1) {
		if m[1] == "/" {
			closed[m[2]] = true
		}
	}
	return closed
}

// withoutShortcodes removes shortcodes with attributes or an end. Other words in brackets
// are text, as in "[Photo: AA]".
func withoutShortcodes(text string, closed map[string]bool) string {
	if !strings.Contains(text, "[") {
		return text
	}
	return shortcode.ReplaceAllStringFunc(text, func(found string) string {
		m := shortcode.FindStringSubmatch(found)
		if closed[m[2]] || hasAttribute.MatchString(m[3]) {
			return ""
		}
		return found
	})
}
