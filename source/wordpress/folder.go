package wordpress

import (
	"net/url"
	"slices"
	"strings"
)

// categories has the categories of a site by their ids.
type categories map[number]term

// uncategorized is the category of posts for which an editor has chosen none, under
// whatever name.
const uncategorized = 1

// maxDepth is the number of categories in each other that a folder names.
const maxDepth = 32

// maxFolders is the number of folders that a post is in.
const maxFolders = 200

// maxSlug is the size in bytes of a slug, of which WordPress keeps 200 characters.
const maxSlug = 1000

// path returns the folder of a category, as in "/spor/futbol/": the slugs of its nearest
// parents and its own. A cycle among parents ends, and a parent that is missing is left out.
func (c categories) path(id number) string {
	var slugs []string
	seen := make(map[number]bool)
	for at, ok := c[id]; ok && !seen[at.ID] && len(slugs) < maxDepth; at, ok = c[at.Parent] {
		seen[at.ID] = true
		slugs = append(slugs, segment(at))
	}
	if len(slugs) == 0 {
		return ""
	}
	slices.Reverse(slugs)
	return "/" + strings.Join(slugs, "/") + "/"
}

// segment returns a category's part of a folder: its slug without percent signs.
func segment(t term) string {
	slug, err := url.PathUnescape(t.Slug)
	if err != nil || slug == "" || len(slug) > maxSlug || strings.ContainsAny(slug, "/\\") || slug == "." || slug == ".." {
		return "term-" + t.ID.String()
	}
	return slug
}

// paths returns the folders of a post, the main one first: the one in its address, or else
// that of the category with the lowest id. Those beyond maxFolders are left out.
func (c categories) paths(p post) []string {
	ids := slices.Sorted(slices.Values(p.Categories.IDs))
	if len(ids) > 1 {
		ids = slices.DeleteFunc(ids, func(id number) bool { return id == uncategorized })
	}
	address := ""
	if u, err := url.Parse(p.Link.Value); err == nil {
		address = u.Path
	}
	var list []string
	seen := make(map[string]bool)
	main := -1
	for _, id := range ids {
		folder := c.path(id)
		if folder == "" || seen[folder] {
			continue
		}
		seen[folder] = true
		if list = append(list, folder); strings.Contains(address, folder) && (main < 0 || len(folder) > len(list[main])) {
			main = len(list) - 1
		}
	}
	if main > 0 {
		first := list[main]
		list = slices.Insert(slices.Delete(list, main, main+1), 0, first)
	}
	return list[:min(len(list), maxFolders)]
}
