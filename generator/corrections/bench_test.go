package corrections_test

import (
	"fmt"
	"strings"
	"testing"

	"ayna/generator/corrections"
	"ayna/generator/site"
)

// BenchmarkHistory reads how an article of some 4,000 bytes changed, of which the
// list told as well.
func BenchmarkHistory(b *testing.B) {
	text := strings.Repeat(`<p>Limanda rüzgâr sabaha karşı döndü; balıkçılar ağlarını <b>ikinci kez</b> topladı.</p>\r\n`, 40)
	said := func(title, more string) answer {
		return answer{
			list:   fmt.Sprintf(`"Title":"%s"`, title),
			single: fmt.Sprintf(`"Title":"%s","Tags":["liman"],"Text":"%s%s"`, title, text, more),
		}
	}
	a, item := answered(b, said("Rüzgâr", ""), said("Rüzgâr döndü", "<p>Ağlar toplandı.</p>"))
	b.ReportAllocs()
	for b.Loop() {
		changes, _, err := corrections.History(b.Context(), a.Records, item, new(site.Settings), 10)
		if err != nil || len(changes) != 1 {
			b.Fatal(changes, err)
		}
	}
}
