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
	for i := range b.pending {
		p := &b.pending[i]
		p.lists(func(l *site.List) { counts[l]++ })
		counts[&kinds[p.Kind].List]++
		own[p.Folder]++
	}
	for list, n := range counts {
		list.Items = make([]*site.Item, 0, n)
	}
	for folder, n := range own {
		if len(folder.Folders) > 0 {
			folder.Own = make([]*site.Item, 0, n)
		}
	}
	b.site.Home.Items = make([]*site.Item, 0, len(b.pending))
	for i := range b.pending {
		p := &b.pending[i]
		b.site.Home.Items = append(b.site.Home.Items, p.Item)
		p.lists(func(l *site.List) { l.Items = append(l.Items, p.Item) })
		kind := kinds[p.Kind]
		kind.Items = append(kind.Items, p.Item)
		if len(p.Folder.Folders) > 0 {
			p.Folder.Own = append(p.Folder.Own, p.Item)
		}
	}
	for folder := range own {
		if len(folder.Folders) == 0 {
			folder.Own = folder.Items
		}
	}
	for _, kind := range site.Kinds {
		if list := kinds[kind]; len(list.Items) > 0 {
			b.site.Kinds = append(b.site.Kinds, list)
		}
	}
}

// lists calls each with every list that the item is in because of its folder,
// its writers or its tags.
func (p *pending) lists(each func(*site.List)) {
	for f := p.Folder; f != nil; f = f.Parent {
		each(&f.List)
	}
	for _, w := range p.Writers {
		each(&w.List)
	}
	for _, t := range p.Tags {
		each(&t.List)
	}
}
