package page_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"ayna/archive"
)

// thread is what readers have written below the bridge.
var thread = []archive.Comment{
	{ID: "1", Record: bridgeID, Author: "Ayşe & Ali", Written: noon, HTML: "<p>Nihayet <a href=\"http://baska.example/\">açıldı</a>.</p>"},
	{ID: "2", Record: bridgeID, Parent: "1", Author: "<b>", Written: noon.Add(time.Minute), HTML: "<p>Öyle<script>alert(1)</script> mi?</p>"},
	{ID: "3", Record: bridgeID, Parent: "2", Written: noon.Add(2 * time.Minute), HTML: "<p>Evet <img src=\"http://izci.example/1.gif\" alt=\"gülen yüz\"></p>"},
	{ID: "4", Record: bridgeID, Parent: "99", Author: "Yanıtı bekleyen", Written: noon.Add(3 * time.Minute), HTML: "<p>Üstü yok</p>"},
	{ID: "5", Record: bridgeID, Parent: "5", Author: "Kendine yanıt", HTML: "düz yazı"},
	{ID: "9", Record: "99999", Author: "Başka yerde", HTML: "<p>Gösterilmez</p>"},
}

// A thread is a tree of at most eight levels, whatever its comments name as those that they
// answer; deeper answers stand on the eighth.
func TestThread(t *testing.T) {
	many := func(n int, parent func(i int) string) (list []archive.Comment) {
		for i := range n {
			list = append(list, archive.Comment{
				ID: fmt.Sprint(i + 1), Record: bridgeID, Parent: parent(i), Author: "Okur", Written: noon.Add(time.Duration(i) * time.Minute), HTML: fmt.Sprintf("<p>Y%d</p>", i+1),
			})
		}
		return list
	}
	for name, c := range map[string]struct {
		comments []archive.Comment
		want     string // lists and comments
	}{
		"none":             {nil, ""},
		"one":              {many(1, func(int) string { return "" }), "(1)"},
		"alone":            {many(3, func(int) string { return "" }), "(1 2 3)"},
		"an answer":        {many(3, func(i int) string { return []string{"", "1", ""}[i] }), "(1 (2) 3)"},
		"two threads":      {many(5, func(i int) string { return []string{"", "", "1", "2", "1"}[i] }), "(1 (3 5) 2 (4))"},
		"in a circle":      {many(3, func(i int) string { return []string{"3", "1", "2"}[i] }), "(1 (2 (3)))"},
		"of itself":        {many(2, func(i int) string { return fmt.Sprint(i + 1) }), "(1 2)"},
		"of nothing":       {many(2, func(int) string { return "77" }), "(1 2)"},
		"twelve deep":      {many(12, func(i int) string { return fmt.Sprint(i) }), "(1 (2 (3 (4 (5 (6 (7 (8 9 10 11 12))))))))"},
		"back from depths": {many(4, func(i int) string { return []string{"", "1", "2", ""}[i] }), "(1 (2 (3)) 4)"},
	} {
		w := newWorld(t, "tr")
		w.comments = c.comments
		content := string(w.render(t).files[bridgePage])
		_, section, _ := strings.Cut(content, `<section class="comments">`)
		section, _, _ = strings.Cut(section, "</section>")
		var got []string
		for _, m := range regexp.MustCompile(`<(/?ol)>|<p>Y(\d+)</p>`).FindAllStringSubmatch(section, -1) {
			switch {
			case m[1] == "ol":
				got = append(got, "(")
			case m[1] == "/ol":
				got = append(got, ")")
			default:
				got = append(got, m[2])
			}
		}
		shape := strings.NewReplacer("( ", "(", " )", ")").Replace(strings.Join(got, " "))
		if shape != c.want || strings.Count(section, "<li>") != strings.Count(section, "</li>") {
			t.Errorf("%s: %s, want %s", name, shape, c.want)
		}
	}
}

// A page shows the first of very many comments, and says so.
func TestManyComments(t *testing.T) {
	for name, text := range map[string]string{"many": "<p>Y</p>", "large": "<p>" + strings.Repeat("Y ", 10_000) + "</p>", "many elements": strings.Repeat("<p>Y</p>", 10_000)} {
		w := newWorld(t, "tr")
		w.comments = nil
		for i := range 1003 {
			w.comments = append(w.comments, archive.Comment{ID: fmt.Sprint(i), Record: bridgeID, Parent: fmt.Sprint(i - 1), Written: noon.Add(time.Duration(i) * time.Second), HTML: text})
		}
		content := string(w.render(t).files[bridgePage])
		if !strings.Contains(content, ">1.003 yorum</h2>") || !strings.Contains(content, "Yalnızca ilk ") || len(content) > 3<<20 {
			t.Errorf("%s: a page of %d bytes", name, len(content))
		}
	}
}
