package arrange

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"ayna/generator/site"
)

// succession says where the folders went that the source renamed. Folders are
// told apart by their keys.
type succession struct {
	live  map[string]bool           // those that hold an item the source still has, and all above them
	held  map[string]bool           // those that hold any item, and all above them
	votes map[string]map[string]int // of a folder that is not live: how many of the items published in it are where
	heirs map[string]string
}

// succeed finds the heirs of folders that nothing at the source is in any more.
// The pages of items never move: where most of those in a folder's directory are
// now, there the folder went, and what was gone before goes along. A directory
// that no page came into goes the way of the one that it took over from.
func (b *builder) succeed() {
	keys := make([]string, len(b.paths.texts))
	for n, text := range b.paths.texts {
		keys[n] = folderKey(text)
	}
	s := &b.succession
	s.live = b.holders(keys, func(item site.Item) bool { return !item.Gone() })
	given := b.directories.given[folderSpace]
	var left []string                  // not live
	folders := make(map[string]string) // by directory
	for key, dir := range given {
		folders[dir] = key
		if !s.live[key] {
			left = append(left, key)
		}
	}
	if len(left) == 0 {
		return
	}
	slices.Sort(left)
	s.held = b.holders(keys, func(site.Item) bool { return true })
	s.votes, s.heirs = make(map[string]map[string]int), make(map[string]string)
	// What still holds something goes only to what lives, so that nothing goes
	// in circles; what holds nothing may go to what only holds what is gone.
	for _, all := range []bool{false, true} {
		places := make([]string, len(keys))
		for n, key := range keys {
			if place := s.heir(key); all || s.live[place] {
				places[n] = place
			}
		}
		waiting := slices.DeleteFunc(slices.Clone(left), func(key string) bool { return s.heir(key) != key || all && s.held[key] })
		b.vote(waiting, places)
		for _, key := range waiting {
			if heir := most(s.votes[key]); heir != "" {
				s.heirs[key] = heir
			}
		}
		for _, key := range waiting {
			heir := s.heir(folders[b.directories.given[originSpace][key]])
			if s.heirs[key] == "" && heir != key && (s.live[heir] || all && s.held[heir]) {
				s.heirs[key] = heir
			}
		}
	}
}

// holders returns the folders that hold an item that counts, and all above them.
func (b *builder) holders(keys []string, counts func(site.Item) bool) map[string]bool {
	holders := map[string]bool{"/": true, "": true} // nothing is above either
	known := make([]bool, len(keys))
	for item := range b.site.Home.Items.All() {
		if n, _ := item.Numbers(); !known[n] && counts(item) {
			known[n] = true
			for key := keys[n]; !holders[key]; key, _ = cutLast(key) {
				holders[key] = true
			}
		}
	}
	return holders
}

// vote counts for some folders where the items published in them and below are
// now. From below it is as far above that place. places are by the number of an
// item's path, "" where it does not count.
func (b *builder) vote(folders, places []string) {
	votes := b.succession.votes
	for _, key := range folders {
		votes[key] = make(map[string]int)
	}
	above := make(map[string][]string) // a directory's folder and those above, as far as none of them is live
	for key, dir := range b.directories.given[folderSpace] {
		for ; !b.succession.live[key]; key, _ = cutLast(key) {
			above[dir] = append(above[dir], key)
		}
	}
	for item := range b.site.Home.Items.All() {
		n, _ := item.Numbers()
		place := places[n]
		if place == "" || place == "/" {
			continue
		}
		for _, key := range above[path.Dir(item.Address())] {
			if counts := votes[key]; counts != nil {
				counts[place]++
			}
			if up, _ := cutLast(place); up != "/" {
				place = up
			}
		}
	}
}

// most returns what most are for, and of several the first by name.
func most(votes map[string]int) string {
	if len(votes) == 0 {
		return ""
	}
	return slices.MinFunc(slices.Collect(maps.Keys(votes)), func(x, y string) int {
		return cmp.Or(votes[y]-votes[x], strings.Compare(x, y))
	})
}

// heir returns the folder that a folder became: itself if it was not renamed.
// One of which nothing is known goes with the one above it.
func (s *succession) heir(key string) string {
	if heir := s.heirs[key]; heir != "" {
		return heir
	}
	if len(s.heirs) == 0 || s.live[key] {
		return key
	}
	above, segment := cutLast(key)
	heir := s.heir(above)
	if heir == above {
		return key
	}
	if below := heir + segment + "/"; s.live[below] {
		return below
	}
	return heir
}

// findFormer tells folders of the directories of those that they succeeded, so
// that their feeds can stay, and has kept which directory each took over from.
func (b *builder) findFormer() {
	s, d := &b.succession, b.directories
	given := d.given[folderSpace]
	byDir := func(x, y string) int { return strings.Compare(given[x], given[y]) }
	for _, key := range slices.SortedFunc(maps.Keys(given), byDir) {
		if folder := b.folders[s.heir(key)]; folder != nil && b.folders[key] == nil {
			folder.Former = append(folder.Former, given[key])
		}
	}
	taken := make(map[string]string) // folders over from which others took, by these
	for _, key := range slices.SortedFunc(maps.Keys(s.votes), byDir) {
		heir := s.heirs[key]
		if s.votes[key][heir] > s.votes[taken[heir]][heir] {
			taken[heir] = key
		}
	}
	for _, heir := range slices.Sorted(maps.Keys(taken)) {
		d.keep(originSpace, heir, given[taken[heir]])
	}
}
