package arrange

import "ayna/generator/site"

// fill hangs the items into all lists, which are made as long as they have to
// be.
func (b *builder) fill() {
	kinds := make(map[site.Kind]*site.KindList)
	for _, kind := range site.Kinds {
		list := &site.KindList{Kind: kind}
		list.Sort, list.Title = site.OfKinds, b.site.Words.Kinds[kind]
		kinds[kind] = list
	}
	counts := make(map[*site.List]int)
	own := make(map[*site.Folder]int)
	for item := range b.site.Home.Items.All() {
		lists(item, func(l *site.List) { counts[l]++ })
		counts[&kinds[item.Kind()].List]++
		own[item.Folder()]++
	}
	for list, n := range counts {
		list.Items.Grow(n)
	}
	for folder, n := range own {
		if len(folder.Folders) > 0 {
			folder.Own.Grow(n)
		}
	}
	for item := range b.site.Home.Items.All() {
		lists(item, func(l *site.List) { l.Items.Append(item) })
		kinds[item.Kind()].Items.Append(item)
		if folder := item.Folder(); len(folder.Folders) > 0 {
			folder.Own.Append(item)
		}
	}
	b.site.Root.Items = b.site.Home.Items
	for folder := range own {
		if len(folder.Folders) == 0 {
			folder.Own = folder.Items
		}
	}
	for _, kind := range site.Kinds {
		if list := kinds[kind]; list.Items.Len() > 0 {
			b.site.Kinds = append(b.site.Kinds, list)
		}
	}
}

// lists calls each with every list but that of all items that an item is in
// because of its folder, its writers or its tags.
func lists(item site.Item, each func(*site.List)) {
	for f := item.Folder(); f.Parent != nil; f = f.Parent {
		each(&f.List)
	}
	for _, w := range item.Writers() {
		each(&w.List)
	}
	for t := range item.Tags() {
		each(&t.List)
	}
}
