package arrange

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"ayna/generator/site"
)

// findFormer finds the directories whose folders are gone because the source
// renamed them, so that their feeds can stay. The pages of items never move:
// where most of those in the directory belong now, there the folder went.
func (b *builder) findFormer(given map[string]string) {
	moved := make(map[string]map[*site.Folder]int) // items by directory and folder
	for key, dir := range given {
		if b.folders[key] == nil && !site.Reserved(b.site.Words, dir) {
			moved[dir] = make(map[*site.Folder]int)
		}
	}
	if len(moved) == 0 {
		return
	}
	for item := range b.site.Home.Items.All() {
		if folders := moved[path.Dir(item.Address())]; folders != nil && item.Folder().Parent != nil {
			folders[item.Folder()]++
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(moved)) {
		if folders := moved[dir]; len(folders) > 0 {
			successor := slices.MinFunc(slices.Collect(maps.Keys(folders)), func(x, y *site.Folder) int {
				return cmp.Or(folders[y]-folders[x], strings.Compare(x.Path, y.Path))
			})
			successor.Former = append(successor.Former, dir)
		}
	}
}
