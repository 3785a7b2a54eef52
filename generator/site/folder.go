package site

// Folder is one folder of the service's Path hierarchy. Its list holds the
// items of its sub-folders too.
type Folder struct {
	List
	Path    string // as the service gives it: "/spor/futbol/"
	Parent  *Folder
	Folders []*Folder // in alphabetical order
	Own     Items     // those of the list that are in no sub-folder, in its order
	Former  []string  // directories that it had under other names at the source
}

// Trail returns the folders from the first below the root down to f itself.
func (f *Folder) Trail() []*Folder {
	depth := 0
	for up := f; up != nil && up.Parent != nil; up = up.Parent {
		depth++
	}
	trail := make([]*Folder, depth)
	for ; depth > 0; f = f.Parent {
		depth--
		trail[depth] = f
	}
	return trail
}

// Writer is a person whose columns or articles are mirrored.
type Writer struct {
	List
	Row int64  // row of the writer's own record in the archive; 0 if only the name is known
	ID  string // "" if only the name is known
	URL string // the writer's page at the source, may be empty
	// Version is the digest of the writer's own record.
	Version uint64
}

// Tag is a tag and the items that carry it, whatever their spelling of it.
type Tag struct {
	List
}

// KindList is all items of a kind.
type KindList struct {
	List
	Kind Kind
}

// Mix is a list that the configuration puts together.
type Mix struct {
	List
}

// CorrectionList is the items whose words changed after they were published.
type CorrectionList struct {
	List
	Versions []uint64 // beside Items: digest of what changed
}

// Page is an editorial page: items in the order in which editors put them.
type Page struct {
	List
	ID      string
	URL     string // the page's address at the source, may be empty
	Version uint64
	Absent  []Reference // items assigned to the page that are not in the archive
}

// Reference names something at the source that the archive does not hold.
type Reference struct {
	Title string
	URL   string // may be empty
}

// Search is a saved search.
type Search struct {
	List
	Query string
}
