package wordpress

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"

	"ayna/source/markup"
)

// isAutomatic reports whether a summary is cut out of a text: it begins as the text does,
// whatever mark ends it. WordPress leaves out pictures, galleries and some other blocks, and
// repeats a short text without a mark; themes have marks of their own.
func isAutomatic(excerpt, rendered string) bool {
	if excerpt == "" || strings.HasSuffix(excerpt, "[…]") {
		return true
	}
	body, err := markup.Parse(rendered)
	if err != nil {
		return false
	}
	closed := closedShortcodes(rendered)
	whole := withoutBlanks(withoutShortcodes(excerpt, closed))
	left, isFirst := whole, true
	for n := range body.Descendants() {
		if n.Type != html.TextNode {
			continue
		}
		part := withoutBlanks(withoutShortcodes(n.Data, closed))
		if part == "" {
			continue
		}
		same := left[:commonLength(left, part)]
		switch {
		case same == part:
			left = left[len(part):]
		case same == "" || !isFirst && left == whole: // left out of the summary
		case same == left:
			left = ""
		case isMark(left[len(same):], whole):
			return true
		}
		if left == "" {
			return true
		}
		isFirst = false
	}
	return left != whole && isMark(left, whole)
}

// commonLength returns the length of the beginning that two texts share.
func commonLength(a, b string) int {
	for i, r := range a {
		if !strings.HasPrefix(b[min(i, len(b)):], string(r)) {
			return i
		}
	}
	return len(a)
}

// isMark reports whether the end of a summary is the mark of a theme, as "… Read more »":
// after dots, or short beside what comes from the text. Both are without blanks.
func isMark(end, summary string) bool {
	size, before := utf8.RuneCountInString(end), utf8.RuneCountInString(summary)-utf8.RuneCountInString(end)
	dots := strings.TrimLeft(end, "[(")
	if strings.HasPrefix(dots, "…") || strings.HasPrefix(dots, "...") {
		return before >= 5 && size <= 200
	}
	return before >= 40 && size <= 40 && 2*size <= before
}

func withoutBlanks(text string) string { return strings.Join(strings.Fields(text), "") }
