package site

import "slices"

// StandingPage is a page that is not news, such as an imprint. It is found by links,
// searches and references as an item is, and is in no folder and no list.
type StandingPage struct {
	Item
	Title  string
	Parent *StandingPage   // nil at the top
	Pages  []*StandingPage // those below it, in their order
	Dir    string
}

// Index returns the address of the page.
func (p *StandingPage) Index() string { return in(p.Dir, "index.html") }

// Trail returns the pages from the top down to p itself.
func (p *StandingPage) Trail() []*StandingPage {
	var trail []*StandingPage
	for ; p != nil; p = p.Parent {
		trail = append(trail, p)
	}
	slices.Reverse(trail)
	return trail
}
