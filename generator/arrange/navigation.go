package arrange

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"ayna/archive"
	"ayna/generator/site"
)

// By default sections are ordered by their number of items among the newest (newItems).
// All pages show this order, so it should rarely change: on a larger site the counted
// items begin at a multiple of countStep from the oldest item.
const (
	newItems      = 200
	countStep     = 100
	minNavigation = 3 // counted items that bring a folder into the navigation
	maxNavigation = 12
)

// fillSections sets the sections in their order: first those that the configuration names,
// then the other top folders, the largest first. It also sets the navigation: the sections
// that the configuration names, or else the top folders with at least minNavigation counted
// items, all top folders if none has that many.
func (b *builder) fillSections(context.Context, *archive.Archive) error {
	s := b.site
	for _, path := range b.options.Navigation {
		folder := b.folders[b.renames.current(folderKey(path))]
		switch {
		case folder == nil || folder == s.Root:
			s.Warnings = append(s.Warnings, fmt.Sprintf("navigation: the site has no folder %s%s", path, b.didYouMean(path)))
		case !slices.Contains(s.Sections, folder):
			s.Sections = append(s.Sections, folder)
		}
	}
	counts := make(map[*site.Folder]int)
	for item := range newestItems(s.Home.Items).All() {
		if trail := item.Folder().Trail(); len(trail) > 0 {
			counts[trail[0]]++
		}
	}
	largest := slices.Clone(s.Root.Folders)
	slices.SortStableFunc(largest, func(x, y *site.Folder) int { return cmp.Compare(counts[y], counts[x]) })
	if s.Navigation = s.Sections; len(s.Navigation) == 0 {
		s.Navigation = largest
		if n := slices.IndexFunc(largest, func(f *site.Folder) bool { return counts[f] < minNavigation }); n > 0 {
			s.Navigation = largest[:n]
		}
	}
	s.Navigation = slices.Clone(s.Navigation[:min(len(s.Navigation), maxNavigation)])
	named := s.Sections
	for _, folder := range largest {
		if !slices.Contains(named, folder) {
			s.Sections = append(s.Sections, folder)
		}
	}
	return nil
}

// newestItems returns the items that are counted, see newItems.
func newestItems(items site.Items) site.Items {
	if items.Len() > newItems+countStep {
		items = items.Slice(items.Len()%countStep, items.Len())
	}
	return items.First(newItems)
}

// didYouMean returns the end of a message that suggests the folder with the path most like
// another one, "" if none is similar.
func (b *builder) didYouMean(path string) string {
	path = folderKey(path)
	nearest, least := "", (len(path)+1)/2 // more changes make another word
	for _, folder := range b.site.Folders {
		if d := distance(path, folder.Path); d < least {
			nearest, least = folder.Path, d
		}
	}
	if nearest == "" {
		return ""
	}
	return "; did you mean " + nearest + "?"
}

// distance returns the number of bytes to insert, delete or replace to make y of x
// (Levenshtein distance).
func distance(x, y string) int {
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(x) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(y) {
			replaced := diagonal
			if x[i] != y[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(y)]
}
