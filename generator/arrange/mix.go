package arrange

import (
	"context"
	"slices"
	"strings"

	"ayna/archive"
	"ayna/generator/site"
	"ayna/record"
)

// Mix is a list composed by the owner. It has the items of each name in Include, or all items if
// Include has none, except those of a name in Exclude. A name in Include with a hyphen
// before it means the same as one in Exclude; names in Exclude have none. Names are
// folders with their sub-folders ("/spor/"), tags in any case ("tag:deprem"), writers by
// id ("writer:65aa09f8"), kinds ("kind:gallery"), and words of the full-text index
// ("word:deprem").
type Mix struct {
	Title            string
	Include, Exclude []string
}

// matcher reports whether an item belongs to a name of a mix.
type matcher func(site.Item) bool

// fillMixes fills the mixes.
func (b *builder) fillMixes(ctx context.Context, a *archive.Archive) error {
	for _, c := range b.options.Mixes {
		included, hyphened := splitHyphened(c.Include)
		excluded, _ := splitHyphened(c.Exclude)
		include, err := b.matchers(ctx, a.Index, included)
		if err != nil {
			return err
		}
		exclude, err := b.matchers(ctx, a.Index, slices.Concat(excluded, hyphened))
		if err != nil {
			return err
		}
		mix := &site.Mix{List: site.List{Kind: site.OfMixes, Title: c.Title}}
		b.collect(&mix.List, func(item site.Item) bool {
			matches := func(match matcher) bool { return match(item) }
			return (len(include) == 0 || slices.ContainsFunc(include, matches)) && !slices.ContainsFunc(exclude, matches)
		})
		b.site.Mixes = append(b.site.Mixes, mix)
	}
	return nil
}

// splitHyphened returns the names without a hyphen before them, and the others without it.
func splitHyphened(names []string) (plain, hyphened []string) {
	for _, name := range names {
		if bare, has := strings.CutPrefix(name, "-"); has {
			hyphened = append(hyphened, bare)
		} else {
			plain = append(plain, name)
		}
	}
	return plain, hyphened
}

// matchers returns the matchers of names.
func (b *builder) matchers(ctx context.Context, index archive.Index, names []string) (all []matcher, err error) {
	for _, name := range names {
		match, err := b.matcher(ctx, index, name)
		if err != nil {
			return nil, err
		}
		all = append(all, match)
	}
	return all, nil
}

// matcher returns the matcher of a name. Unknown names match no item.
func (b *builder) matcher(ctx context.Context, index archive.Index, name string) (matcher, error) {
	prefix, value, _ := strings.Cut(name, ":")
	switch {
	case strings.HasPrefix(name, "/"):
		wanted := b.folders[folderKey(name)]
		return func(item site.Item) bool {
			for folder := range item.InAndAbove() {
				if folder == wanted {
					return true
				}
			}
			return false
		}, nil
	case prefix == "tag":
		wanted := b.tags[nameKey(value)]
		return func(item site.Item) bool {
			for tag := range item.Tags() {
				if wanted != nil && tag == &wanted.Tag {
					return true
				}
			}
			return false
		}, nil
	case prefix == "writer":
		wanted := b.people.byID[value]
		return func(item site.Item) bool { return wanted != nil && slices.Contains(item.Writers(), wanted) }, nil
	case prefix == "kind":
		return func(item site.Item) bool { return item.Kind() == site.Kind(value) }, nil
	case prefix == "word":
		holds, err := index.Holds(ctx, value, record.Derive(record.Dates{Zone: b.site.Location}))
		return func(item site.Item) bool { return holds(item.Row()) }, err
	}
	return func(site.Item) bool { return false }, nil
}
