package arrange

import (
	"context"
	"slices"
	"strings"

	"ayna/archive"
	"ayna/generator/site"
)

// Mix is a list put together of others. Each of them is a folder with its
// sub-folders, "/spor/", a tag in any case, "tag:deprem", or a writer by id,
// "writer:65aa09f8". Without Include it is of everything.
type Mix struct {
	Title            string
	Include, Exclude []string
}

// mix fills the mixes.
func (b *builder) mix(context.Context, *archive.Archive) error {
	for _, m := range b.options.Mixes {
		mix := &site.Mix{}
		mix.Sort, mix.Title = site.OfMixes, m.Title
		include, exclude := b.selection(m.Include), b.selection(m.Exclude)
		for item := range b.site.Home.Items.All() {
			if (len(m.Include) == 0 || include.has(item)) && !exclude.has(item) {
				mix.Items.Append(item)
			}
		}
		b.site.Mixes = append(b.site.Mixes, mix)
	}
	return nil
}

// selection is what the lists that a mix names come to.
type selection struct {
	folders []string // keys
	tags    []*site.Tag
	writers []*site.Writer
}

func (b *builder) selection(names []string) (s selection) {
	for _, name := range names {
		if tag, ok := strings.CutPrefix(name, "tag:"); ok {
			if t := b.tags[nameKey(tag)]; t != nil {
				s.tags = append(s.tags, &t.Tag)
			}
		} else if id, ok := strings.CutPrefix(name, "writer:"); ok {
			if w := b.people.byID[id]; w != nil {
				s.writers = append(s.writers, w)
			}
		} else {
			s.folders = append(s.folders, folderKey(name))
		}
	}
	return s
}

func (s *selection) has(item site.Item) bool {
	return slices.ContainsFunc(s.folders, func(key string) bool { return strings.HasPrefix(item.Folder().Path, key) }) ||
		len(s.tags) > 0 && s.hasTagOf(item) ||
		slices.ContainsFunc(s.writers, func(w *site.Writer) bool { return slices.Contains(item.Writers(), w) })
}

func (s *selection) hasTagOf(item site.Item) bool {
	for t := range item.Tags() {
		if slices.Contains(s.tags, t) {
			return true
		}
	}
	return false
}
