package arrange_test

import (
	"fmt"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"ayna/archive"
	"ayna/generator/site"
	"ayna/record"
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

func TestKindsAndOwn(t *testing.T) {
	s := siteOf(t,
		article("1", "/spor/", "a", 1), article("2", "/spor/futbol/", "b", 2), article("3", "/spor/", "c", 3),
		of(record.Video, article("4", "/gundem/", "d", 4)),
	)
	check(t, "kinds", titles(s.Kinds, func(k *site.KindList) *site.List { return &k.List }), "Haberler Videolar")
	check(t, "articles", listed(s.Kinds[0].Items), "article/3 article/2 article/1")
	if s.Kinds[0].Dir != "tur/haber" || s.Kinds[1].Dir != "tur/video" {
		t.Errorf("directories %s, %s", s.Kinds[0].Dir, s.Kinds[1].Dir)
	}
	for _, f := range s.Folders {
		want := map[string]string{"/spor/": "article/3 article/1", "/spor/futbol/": "article/2", "/gundem/": "video/4"}[f.Path]
		check(t, "own items of "+f.Path, listed(f.Own), want)
	}
}

// TestRenamedFolder: where a folder was stays known.
func TestRenamedFolder(t *testing.T) {
	at := func(path string, first, last int) (all []*archive.Record) {
		for i := first; i <= last; i++ {
			all = append(all, article(fmt.Sprint(i), path, "Başlık", i))
		}
		return all
	}
	type step struct {
		put  []*archive.Record
		gone []string
		want string
	}
	for name, steps := range map[string][]step{
		"and back": {
			{put: append(at("/gundem/", 0, 3), at("/gundem/yerel/", 9, 9)...)},
			{put: append(at("/turkiye/", 0, 2), at("/spor/", 3, 3)...)}, // /gundem/ is still there above /gundem/yerel/
			{put: at("/turkiye/yerel/", 9, 9), want: "/turkiye/ was gundem; /turkiye/yerel/ was gundem/yerel"},
			{put: at("/yurt/", 0, 3), want: "/turkiye/yerel/ was gundem/yerel; /yurt/ was gundem"},
			{put: append(at("/gundem/", 0, 3), at("/gundem/yerel/", 9, 9)...), want: "/gundem/ was turkiye, yurt; /gundem/yerel/ was turkiye/yerel"},
		},
		"again, and nothing came out in between": {
			{put: at("/spor/", 0, 3)},
			{put: at("/sports/", 0, 3), want: "/sports/ was spor"},
			{put: at("/athletics/", 0, 3), want: "/athletics/ was spor, sports"},
			{put: at("/atletizm/", 0, 3), want: "/atletizm/ was athletics, spor, sports"},
		},
		"in two steps": {
			{put: at("/spor/", 0, 3)},
			{put: at("/sports/", 0, 1)},
			{put: at("/sports/", 2, 3), want: "/sports/ was spor"},
			{put: at("/athletics/", 0, 3), want: "/athletics/ was spor, sports"},
		},
		"nothing in it but sub-folders": {
			{put: append(at("/spor/futbol/", 0, 3), at("/spor/tenis/", 4, 4)...)},
			{put: append(at("/sports/futbol/", 0, 3), at("/sports/tenis/", 4, 4)...), want: "/sports/ was spor; /sports/futbol/ was spor/futbol; /sports/tenis/ was spor/tenis"},
			{put: append(at("/futbol/", 0, 3), at("/tenis/", 4, 4)...), want: "/futbol/ was spor, spor/futbol, sports, sports/futbol; /tenis/ was spor/tenis, sports/tenis"},
		},
		"it holds what is gone": {
			{put: append(at("/spor/", 0, 5), at("/spor/futbol/", 6, 7)...), gone: []string{"0", "6", "7"}},
			{put: append(at("/sports/", 1, 4), at("/magazin/", 5, 5)...), want: "/sports/ was spor, spor/futbol"},
			{put: at("/sports/futbol/", 8, 8), want: "/sports/ was spor; /sports/futbol/ was spor/futbol"},
			{put: append(at("/athletics/", 1, 4), at("/athletics/futbol/", 8, 8)...), want: "/athletics/ was spor, sports; /athletics/futbol/ was spor/futbol, sports/futbol"},
			{gone: []string{"1", "2", "3", "4"}, want: "/athletics/ was spor, sports; /athletics/futbol/ was spor/futbol, sports/futbol"},
		},
		"all of it is gone":              {{put: at("/spor/", 0, 3), gone: []string{"0", "1", "2", "3"}}, {put: at("/sports/", 8, 9)}},
		"all that moved is gone as well": {{put: at("/spor/", 0, 3)}, {put: at("/sports/", 0, 3), want: "/sports/ was spor"}, {gone: []string{"0", "1", "2", "3"}, want: "/sports/ was spor"}},
		"into a folder of its own":       {{put: at("/spor/", 0, 3)}, {put: at("/spor/genel/", 0, 3)}},
	} {
		t.Run(name, func(t *testing.T) {
			a := fakepaper.Archive(t)
			for i, step := range steps {
				fakepaper.Put(t, a, step.put...)
				vanish(t, a, step.gone...)
				s := arranged(t, a, options(t))
				var found []string
				for _, f := range s.Folders {
					if len(f.OldDirs) > 0 {
						found = append(found, f.Path+" was "+strings.Join(f.OldDirs, ", "))
					}
				}
				slices.Sort(found)
				if got := strings.Join(found, "; "); got != step.want {
					t.Errorf("step %d: %q, want %q", i, got, step.want)
				}
				addresses(t, s)
				if again := arranged(t, a, options(t)); dump(again) != dump(s) {
					t.Errorf("step %d: arranged again, it is\n%s\nand was\n%s", i, dump(again), dump(s))
				}
			}
		})
	}
}

// Of two folders that became one, that with more items is where a later name leads from.
func TestOriginOfRenamedFolder(t *testing.T) {
	at := func(paths ...string) (all []*archive.Record) {
		for i, path := range paths {
			all = append(all, article(fmt.Sprint(i), path, "x", i))
		}
		return all
	}
	a := fakepaper.Archive(t, at("/a/", "/a/", "/b/", "/d/")...)
	arranged(t, a, options(t))
	fakepaper.Put(t, a, at("/c/", "/c/", "/c/", "/d/")...)
	arranged(t, a, options(t))
	if dirs, err := a.State.Directories(t.Context(), "origin"); err != nil || dirs["/c/"] != "a" {
		t.Errorf("origins %q, %v", dirs, err)
	}
}

// The pages and months that a folder had lead on for ever, from each of its names.
func TestOldListsOfRenamedFolder(t *testing.T) {
	at := func(path string) (all []*archive.Record) {
		for i := range 120 {
			all = append(all, article(fmt.Sprint(i), path, "x", i%60))
		}
		return all
	}
	a := fakepaper.Archive(t, at("/spor/")...)
	months := arranged(t, a, options(t)).Folders[0].Periods(time.UTC)
	for _, path := range []string{"/sports/", "/athletics/", "/athletics/"} {
		fakepaper.Put(t, a, at(path)...)
		s := arranged(t, a, options(t))
		for i, old := range s.Folders[0].OldLists {
			if old.Dir != s.Folders[0].OldDirs[i] || old.Pages == 0 || len(old.Months) != len(months) || old.Months[0] != months[0].Name {
				t.Errorf("%s was %+v, want the months %+v", path, old, months)
			}
		}
		if len(s.Folders[0].OldLists) != len(s.Folders[0].OldDirs) || len(s.Folders[0].OldDirs) == 0 {
			t.Errorf("%s was %q, %+v", path, s.Folders[0].OldDirs, s.Folders[0].OldLists)
		}
	}
}

// What a folder had leads on for ever, also if the configuration names only its new name.
func TestOldListsOfFolderThatIsNotIncluded(t *testing.T) {
	at := func(path string) (all []*archive.Record) {
		for i := range 120 {
			all = append(all, article(fmt.Sprint(i), path, "x", i%60))
		}
		return all
	}
	a := fakepaper.Archive(t, at("/spor/")...)
	o := options(t)
	o.Include = []string{"/spor/"}
	arranged(t, a, o)
	fakepaper.Put(t, a, at("/sports/")...)
	o.Include = []string{"/sports/"}
	for i := range 3 {
		s := arranged(t, a, o)
		if f := s.Folders[0]; len(f.OldDirs) != 1 || len(f.OldLists) != 1 {
			t.Errorf("build %d: was %q, lists %+v", i, f.OldDirs, f.OldLists)
		}
	}
}

// TestGoneInRenamedFolder: what was gone before its folder was renamed goes
// with the others, and its page stays.
func TestGoneInRenamedFolder(t *testing.T) {
	a := fakepaper.Archive(t, article("1", "/spor/", "a", 1), article("2", "/spor/", "b", 2), article("3", "/spor/futbol/", "c", 3), article("4", "/yalniz/", "d", 4))
	arranged(t, a, options(t))
	vanish(t, a, "1", "3", "4")
	fakepaper.Put(t, a, article("2", "/sports/", "b", 2), article("5", "/sports/futbol/", "e", 5))
	s := arranged(t, a, options(t))
	for name, want := range map[string]string{
		"article/1": "/sports/ spor/a-1.html", "article/3": "/sports/futbol/ spor/futbol/c-3.html", "article/4": "/yalniz/ yalniz/d-4.html",
	} {
		item := find(t, s, name)
		if got := item.Folder().Path + " " + item.Address(); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	check(t, "folders", folderTitles(s.Root.Folders), "Sports Yalniz")
	o := options(t)
	o.DropGone = true
	if s = arranged(t, a, o); len(s.Folders) != 2 || !slices.Equal(s.Folders[0].OldDirs, []string{"spor"}) {
		t.Errorf("without what is gone: %s", dump(s))
	}
}

// TestRandomRenames: whatever is renamed, and gone, a directory that a folder had
// leads somewhere as long as something published in it is at the source.
func TestRandomRenames(t *testing.T) {
	random := rand.New(rand.NewPCG(13, 13))
	for range (testrun.Counts{Plain: 3, Long: 50}).Now() {
		a := fakepaper.Archive(t)
		paths := make(map[string]string) // of what is at the source, by id
		place := func() string { return []string{"/a/", "/b/", "/c/", "/a/x/", "/b/x/", "/c/y/", "/d/"}[random.IntN(7)] }
		for n := range 15 {
			var changed []*archive.Record
			for i := range 1 + random.IntN(3) {
				id := fmt.Sprint(10*n + i)
				paths[id] = place()
				changed = append(changed, article(id, paths[id], "a", n))
			}
			from, to := place(), place()
			for id, at := range paths {
				if below, ok := strings.CutPrefix(at, from); ok {
					paths[id] = to + below
					changed = append(changed, article(id, paths[id], "a", n))
				}
			}
			fakepaper.Put(t, a, changed...)
			for id := range paths {
				if random.IntN(8) == 0 {
					vanish(t, a, id)
					delete(paths, id)
				}
			}
			s := arranged(t, a, options(t))
			there := make(map[string]bool)
			for _, address := range addresses(t, s) {
				there[address] = true
			}
			for item := range s.Home.Items.All() {
				if dir := path.Dir(item.Address()); !item.Gone() && (!there[dir+"/index.html"] || !there[path.Dir(dir)+"/index.html"] && path.Dir(dir) != ".") {
					t.Errorf("nothing is at %s, where item %s was published, which is now in %s", dir, item.ID(), item.Folder().Path)
				}
			}
			if again := arranged(t, a, options(t)); dump(again) != dump(s) {
				t.Errorf("arranged again, it is\n%s\nand was\n%s", dump(again), dump(s))
			}
		}
	}
}

func vanish(t *testing.T, a *archive.Archive, ids ...string) {
	t.Helper()
	fakepaper.Update(t, a, func(tx *archive.Tx) error {
		for _, id := range ids {
			if err := tx.MarkGone(record.Article, id, fakepaper.Noon); err != nil {
				return err
			}
		}
		return nil
	})
}

func TestCorrections(t *testing.T) {
	later := func(r *archive.Record, fields ...any) *archive.Record {
		r = fakepaper.With(r, fields...)
		r.Listed = fakepaper.Noon.Add(time.Hour)
		return r
	}
	a := fakepaper.Archive(t,
		article("1", "/a/", "Bir", 1, "Text", "<p>Bir iki üç</p>"), article("2", "/a/", "İki", 2), article("3", "/a/", "Üç", 3),
		article("4", "/b/", "Dört", 4), article("5", "/a/", "Beş", 5),
	)
	s := arranged(t, a, options(t))
	if s.Corrections.Dir != "duzeltmeler" || s.Corrections.Items.Len() != 0 || s.Corrections.Title != "Düzeltmeler" {
		t.Errorf("before: %+v", s.Corrections)
	}
	fakepaper.Put(t, a,
		later(article("1", "/a/", "Bir", 1, "Text", "<p>Bir iki üç</p>"), "Text", "<p>Bir <b>iki</b> dört</p>"),
		later(article("2", "/a/", "İki", 2), "ModifiedDate", "2026-03-14T12:30:00Z", "Title", "İkinci"),
		later(article("3", "/a/", "Üç", 3), "ViewCount", 7), // no word changed
		later(article("4", "/b/", "Dört", 4), "Title", "Dördüncü"),
	)
	o := options(t)
	o.Exclude = []string{"/b/"}
	s = arranged(t, a, o)
	check(t, "the last change first", listed(s.Corrections.Items), "article/1 article/2")
}
