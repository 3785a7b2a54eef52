package arrange

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"

	"ayna/archive"
	"ayna/generator/site"
	"ayna/prose"
)

// folderKey normalizes a folder path to the key that identifies the folder:
// "/spor/futbol/".
func folderKey(path string) string {
	segments := site.SplitPath(path)
	if len(segments) == 0 {
		return "/"
	}
	return "/" + strings.Join(segments, "/") + "/"
}

// cutLast splits the last segment off a folder key.
func cutLast(key string) (above, segment string) {
	key = strings.TrimSuffix(key, "/")
	i := strings.LastIndexByte(key, '/')
	return key[:i+1], key[i+1:]
}

// nameFolder records the title of a folder's own record. Of several records of one
// folder, that with the smallest id is used.
func (b *builder) nameFolder(r *archive.Record) {
	key := folderKey(r.Path)
	if known := b.named[key]; r.Title != "" && (known == nil || r.ID < known.ID) {
		b.named[key] = r
	}
}

// folder returns the folder of a key. It creates the folder and its parents if
// necessary.
func (b *builder) folder(key string) *site.Folder {
	if f := b.folders[key]; f != nil {
		return f
	}
	above, segment := cutLast(key)
	f := &site.Folder{List: site.List{Kind: site.OfFolders}, Path: key, Parent: b.folder(above)}
	if r := b.named[key]; r != nil {
		f.Title = r.Title
	} else {
		f.Title = b.humanize(prose.Plain(segment))
	}
	f.Parent.Folders = append(f.Parent.Folders, f)
	b.folders[key] = f
	return f
}

// humanize makes a title for a folder without a record of its own:
// "yerel-haberler" becomes "Yerel Haberler".
func (b *builder) humanize(segment string) string {
	upper := unicode.ToUpper
	if base, _, _ := strings.Cut(b.site.Language, "-"); base == "tr" || base == "az" {
		upper = unicode.TurkishCase.ToUpper
	}
	words := strings.FieldsFunc(segment, func(r rune) bool { return r == '-' || r == '_' || !unicode.IsGraphic(r) || unicode.IsSpace(r) })
	for i, word := range words {
		letters := []rune(word)
		letters[0] = upper(letters[0])
		words[i] = string(letters)
	}
	return cmp.Or(strings.Join(words, " "), "?")
}

// renames finds the folders that the source renamed. Folders are named by their keys.
type renames struct {
	live   map[string]bool           // folders with an item that is still at the source, in them or below
	filled map[string]bool           // folders with any item, in them or below
	votes  map[string]map[string]int // by folder that is not live: the present folders of its items, and their number
	target map[string]string         // by old folder: the new one
}

// findRenames finds the new folders of those that are not live any more, by majority
// vote of the items that have their page in the old directory: pages never move.
// Items that are gone move with the folder. A folder without items in its directory
// goes back to the folder that was renamed to it, if that is live again.
func (b *builder) findRenames() {
	keys := make([]string, len(b.paths.texts))
	for n, text := range b.paths.texts {
		keys[n] = folderKey(text)
	}
	r := &b.renames
	r.live = b.foldersWith(keys, func(item site.Item) bool { return !item.Gone() })
	var unused []string
	owners := make(map[string]string) // by directory
	for key, dir := range b.directories.given[folderSpace] {
		owners[dir] = key
		if !r.live[key] {
			unused = append(unused, key)
		}
	}
	if len(unused) == 0 {
		return
	}
	slices.Sort(unused)
	r.filled = b.foldersWith(keys, func(site.Item) bool { return true })
	r.votes, r.target = make(map[string]map[string]int), make(map[string]string)
	// First only live folders are targets, which prevents circles. Then empty
	// folders may also go to a folder in which all items are gone.
	for _, emptyOnly := range []bool{false, true} {
		places := make([]string, len(keys))
		for n, key := range keys {
			if place := r.current(key); emptyOnly || r.live[place] {
				places[n] = place
			}
		}
		waiting := slices.DeleteFunc(slices.Clone(unused), func(key string) bool {
			return r.current(key) != key || emptyOnly && r.filled[key]
		})
		b.vote(waiting, places)
		for _, key := range waiting {
			if target := commonest(r.votes[key]); target != "" {
				r.target[key] = target
			}
		}
		for _, key := range waiting {
			target := r.current(owners[b.directories.given[originSpace][key]])
			if r.target[key] == "" && target != key && (r.live[target] || emptyOnly && r.filled[target]) {
				r.target[key] = target
			}
		}
	}
}

// foldersWith returns the folders with an item, in them or below, for which counts
// returns true.
func (b *builder) foldersWith(keys []string, counts func(site.Item) bool) map[string]bool {
	folders := map[string]bool{"/": true, "": true}
	known := make([]bool, len(keys))
	for item := range b.site.Home.Items.All() {
		for n := range item.FolderNumbers() {
			if known[n] || !counts(item) {
				continue
			}
			known[n] = true
			for key := keys[n]; !folders[key]; key, _ = cutLast(key) {
				folders[key] = true
			}
		}
	}
	return folders
}

// vote counts, for each of the folders, the present folders of the items published
// in it and below it. An item from n levels below votes for the folder n levels above
// its present one. places has the present folder by the number of an item's path, ""
// if the item has no vote.
func (b *builder) vote(folders, places []string) {
	for _, key := range folders {
		b.renames.votes[key] = make(map[string]int)
	}
	above := make(map[string][]string) // by directory: its folder and those above, up to the first live one
	for key, dir := range b.directories.given[folderSpace] {
		for ; !b.renames.live[key]; key, _ = cutLast(key) {
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
			if votes := b.renames.votes[key]; votes != nil {
				votes[place]++
			}
			if up, _ := cutLast(place); up != "/" {
				place = up
			}
		}
	}
}

// commonest returns the text with the highest count, and of several the first in
// alphabetical order.
func commonest(counts map[string]int) string {
	best := ""
	for text, n := range counts {
		if n > counts[best] || n == counts[best] && text < best {
			best = text
		}
	}
	return best
}

// current returns the folder that key was renamed to, or key itself. An unknown
// folder moves with the one above it.
func (r *renames) current(key string) string {
	if target := r.target[key]; target != "" {
		return target
	}
	if len(r.target) == 0 || r.live[key] {
		return key
	}
	above, segment := cutLast(key)
	target := r.current(above)
	if target == above {
		return key
	}
	if below := target + segment + "/"; r.live[below] {
		return below
	}
	return target
}

// redirectRenamed adds the directories of renamed folders to their new folders, so
// that their feeds continue. It records the renames in the archive.
func (b *builder) redirectRenamed() {
	r, given := &b.renames, b.directories.given[folderSpace]
	byDir := func(x, y string) int { return strings.Compare(given[x], given[y]) }
	for _, key := range slices.SortedFunc(maps.Keys(given), byDir) {
		if folder := b.folders[r.current(key)]; folder != nil && b.folders[key] == nil {
			folder.OldDirs = append(folder.OldDirs, given[key])
		}
	}
	origins := make(map[string]string) // by target: the renamed folder with most votes for it
	for _, key := range slices.SortedFunc(maps.Keys(r.votes), byDir) {
		if target := r.target[key]; r.votes[key][target] > r.votes[origins[target]][target] {
			origins[target] = key
		}
	}
	for _, target := range slices.Sorted(maps.Keys(origins)) {
		b.directories.keep(directoryKey{originSpace, target}, given[origins[target]])
	}
}
