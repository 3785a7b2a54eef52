package arrange

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"ayna/archive"
	"ayna/archive/runstate"
	"ayna/generator/site"
)

// By default sections are ordered by their number of items among the newest (newItems).
// All pages show this order, so the archive keeps it: a new one is made once a month at
// most, and only if sections come or go or one has outgrown another. A section enters with enterItems counted items, or with enterFewItems in a small
// site, and stays as long as it has more than leaveItems.
const (
	newItems      = 200
	enterItems    = 6
	enterFewItems = 3
	leaveItems    = 1
	maxNavigation = 12
)

// navigationState is the name of the entry in [runstate.State] with the kept orders.
const navigationState = "navigation"

// keptOrder is an order of the navigation.
type keptOrder struct {
	Month   string   `json:"month"`   // of the newest item when the order was made: 2026-11
	Folders []string `json:"folders"` // their keys
}

// keptOrders returns the orders that the archive keeps, by scope. A damaged entry counts as
// missing.
func keptOrders(ctx context.Context, state runstate.State) (map[string]keptOrder, error) {
	text, err := state.Get(ctx, navigationState)
	orders := make(map[string]keptOrder)
	if json.Unmarshal([]byte(text), &orders) != nil || orders == nil {
		orders = make(map[string]keptOrder)
	}
	return orders, err
}

// scope identifies what an order follows from beside the records: sites of one archive with
// other items, or with months of another time zone, have orders of their own.
func (o *Options) scope() (string, error) {
	text, err := json.Marshal([]any{o.Include, o.Exclude, o.Kinds, o.DropGone, o.Settings.Location.String()})
	sum := sha256.Sum256(text)
	return fmt.Sprintf("%x", sum[:8]), err
}

// KeepNavigation stores the order of a site's navigation in the archive if that is writable
// and the order is new. The site must have been published: an order that nobody has seen
// would bind the next build for a month.
func KeepNavigation(ctx context.Context, a *archive.Archive, s *site.Site) error {
	if s.NewNavigation == "" || !a.Writable() {
		return nil
	}
	return a.Update(ctx, func(tx *archive.Tx) error { return tx.State.Set(navigationState, s.NewNavigation) })
}

// removeSections removes folders from the kept orders.
func removeSections(tx *archive.Tx, orders map[string]keptOrder, keys map[directoryKey]bool) error {
	removed := false
	for scope, order := range orders {
		n := len(order.Folders)
		order.Folders = slices.DeleteFunc(order.Folders, func(key string) bool { return keys[directoryKey{folderSpace, key}] })
		orders[scope], removed = order, removed || len(order.Folders) < n
	}
	if !removed {
		return nil
	}
	text, err := json.Marshal(orders)
	if err != nil {
		return err
	}
	return tx.State.Set(navigationState, string(text))
}

// fillSections sets the navigation: the sections that the configuration names, or else the
// largest ones. It also sets the order of all sections: first those of the navigation, then
// the other top folders, the largest first.
func (b *builder) fillSections(ctx context.Context, a *archive.Archive) error {
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
	newest := s.Home.Items.First(newItems)
	counts := make(map[*site.Folder]int)
	for item := range newest.All() {
		if trail := item.Folder().Trail(); len(trail) > 0 {
			counts[trail[0]]++
		}
	}
	largest := slices.DeleteFunc(slices.Clone(s.Root.Folders), (*site.Folder).Unsorted)
	slices.SortStableFunc(largest, func(x, y *site.Folder) int { return cmp.Compare(counts[y], counts[x]) })
	if len(s.Sections) == 0 {
		var err error
		if s.Sections, err = b.keptSections(ctx, a.State, newest, largest, counts); err != nil {
			return err
		}
	}
	s.Navigation = slices.Clone(s.Sections[:min(len(s.Sections), maxNavigation)])
	for _, folder := range largest {
		if !slices.Contains(s.Sections, folder) {
			s.Sections = append(s.Sections, folder)
		}
	}
	return nil
}

// keptSections returns the navigation in the order that the archive keeps, without folders
// that are gone. If nothing of that is left, or the newest item is of a later month, it
// makes a new order, for [KeepNavigation].
func (b *builder) keptSections(ctx context.Context, state runstate.State, newest site.Items, largest []*site.Folder, counts map[*site.Folder]int) ([]*site.Folder, error) {
	orders, err := keptOrders(ctx, state)
	if err != nil {
		return nil, err
	}
	scope, err := b.options.scope()
	if err != nil {
		return nil, err
	}
	var kept []*site.Folder
	for _, key := range orders[scope].Folders {
		folder := b.folders[b.renames.current(key)]
		if folder != nil && folder.Parent == b.site.Root && !folder.Unsorted() && !slices.Contains(kept, folder) {
			kept = append(kept, folder)
		}
	}
	month := ""
	if newest.Len() > 0 && newest.At(0).Order() != 0 {
		month = time.UnixMilli(newest.At(0).Order()).In(b.site.Location).Format("2006-01")
	}
	if len(kept) > 0 && month <= orders[scope].Month {
		return kept, nil
	}
	sections := chosenSections(largest, kept, counts, newest.Len())
	if mayStay(kept, sections, counts) {
		sections = kept
	}
	if month == "" { // without dates there is no month to keep an order for
		return sections, nil
	}
	order := keptOrder{Month: month}
	for _, folder := range sections {
		order.Folders = append(order.Folders, folder.Path)
	}
	orders[scope] = order
	text, err := json.Marshal(orders)
	b.site.NewNavigation = string(text)
	return sections, err
}

// chosenSections returns the folders of a new order that follows another one: those with
// enough of the counted items, or all folders if none has enough.
func chosenSections(largest, before []*site.Folder, counts map[*site.Folder]int, counted int) []*site.Folder {
	enter := max(enterFewItems, enterItems*counted/newItems)
	sections := slices.DeleteFunc(slices.Clone(largest), func(f *site.Folder) bool {
		return counts[f] <= leaveItems || counts[f] < enter && !slices.Contains(before, f)
	})
	if len(sections) == 0 {
		sections = largest
	}
	return sections[:min(len(sections), maxNavigation)]
}

// mayStay reports whether an order may stay: it has the folders of a new one, and no folder has
// more than twice the items of one before it. Of folders of similar size chance alone changes
// the order, and with it every page.
func mayStay(order, sections []*site.Folder, counts map[*site.Folder]int) bool {
	if len(order) != len(sections) {
		return false
	}
	least := newItems
	for _, folder := range order {
		if !slices.Contains(sections, folder) || counts[folder] > 2*least {
			return false
		}
		least = min(least, counts[folder])
	}
	return true
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
