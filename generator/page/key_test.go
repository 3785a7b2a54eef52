package page_test

import (
	"bytes"
	"testing"

	"ayna/generator/site"
	"ayna/record"
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// TestKeysOfFewPages changes what standing pages and pages at former addresses show.
func TestKeysOfFewPages(t *testing.T) {
	testrun.NotShort(t)
	render := func(change func(w *world)) tree {
		w := newWorld(t, "tr")
		for i, parent := range []string{"", "901", "901"} {
			w.records = append(w.records, fakepaper.Fields(record.Article, []string{"901", "902", "903"}[i], "ContentType", "Page", "Title", "Sayfa", "Order", i, "ParentId", parent,
				"Url", "http://www.haber.example/kurum-"+[]string{"a", "b", "c"}[i]+"/", "Text", "<p>Metin</p>", "CreatedDate", "2026-03-14T09:00:00Z"))
		}
		change(&w)
		r, s := w.renderer(t)
		for item := range s.Home.Items.All() {
			if item.ID() == bridgeID {
				s.Former = append(s.Former, site.Former{Address: "eski/kopru.html", Item: item})
			}
		}
		for _, folder := range s.Folders {
			folder.OldDirs = append(folder.OldDirs, "eski-"+folder.Dir)
			folder.OldLists = append(folder.OldLists, site.OldList{Dir: "eski-" + folder.Dir, Pages: 1, Months: []string{"2026-09", "1999-01"}})
		}
		return renderAll(t, r)
	}
	before := render(func(*world) {})
	for address, to := range map[string]string{
		"page/1.html": "/ekonomi/liman/index.html", "arsiv/index.html": "/ekonomi/liman/arsiv/index.html",
		"arsiv/2026-09.html": "/ekonomi/liman/arsiv/2026-09.html", "arsiv/1999-01.html": "/ekonomi/liman/index.html",
	} {
		if file := before.files["eski-ekonomi/liman/"+address]; !bytes.Contains(file, []byte(to+`"`)) {
			t.Errorf("%s does not lead to %s: %s", address, to, file)
		}
	}
	for _, c := range []struct{ id, field, changed string }{
		{bridgeID, "Title", "eski/kopru.html"},
		{"52776468a7c41e0f5d213901", "Title", "eski-ekonomi/liman/index.html"},
		{"902", "Text", "kurum-a/kurum-b/index.html"},
		{"902", "Title", "kurum-a/index.html"},
		{"901", "Title", "kurum-a/kurum-c/index.html"},
	} {
		after := render(func(w *world) { w.set(c.id, c.field, "Yeni sözler") })
		after.checkKeys(t, before)
		if before.files[c.changed] == nil || bytes.Equal(after.files[c.changed], before.files[c.changed]) || after.keys[c.changed] == before.keys[c.changed] {
			t.Errorf("%s of %s: %s did not change", c.field, c.id, c.changed)
		}
	}
}
