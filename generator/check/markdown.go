package check

import (
	"bytes"
	"strconv"

	"ayna/generator/prose"
)

// markdown looks at a Markdown file: where its links and pictures lead, and the
// picture that its front matter names.
func (l *looker) markdown(name string, content []byte) []Flaw {
	l.begin(name)
	fence := []byte("---\n")
	if rest, ok := bytes.CutPrefix(content, fence); ok {
		front, body, closed := bytes.Cut(rest, append([]byte("\n"), fence...))
		if !closed {
			l.flaw("its front matter does not end")
			return l.end()
		}
		l.front(front)
		content = body
	}
	for _, address := range prose.Addresses(content) {
		l.follow(address, false)
	}
	return l.end()
}

// front looks at front matter, whose texts are all written between quotes.
func (l *looker) front(matter []byte) {
	for line := range bytes.Lines(matter) {
		if value, ok := bytes.CutPrefix(bytes.TrimSpace(line), []byte("picture: ")); ok {
			address, err := strconv.Unquote(string(value))
			if err != nil {
				l.flaw("its front matter cannot be read: " + string(value))
				continue
			}
			l.follow([]byte(address), true)
		}
	}
}
