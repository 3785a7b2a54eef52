package page_test

import (
	"strings"
	"testing"

	"ayna/generator/page"
)

func TestInitials(t *testing.T) {
	for name, want := range map[string]string{ // in Turkish
		"Nehir Taşkın": "NT", "irmak usta deniz": "İD", "ışıl çınar": "IÇ", "İlhan": "İ", "  ": "", "42": "", "(ali) 2 \u200bveli": "AV",
		"i\u0307lhan ş": "İŞ", "s\u0327eref": "Ş", "محمد علي": "مع", "<script>": "S", "\u202eters": "T",
	} {
		if got := page.Initials(name, "tr"); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
	if got := page.Initials("irmak ilk", "en"); got != "II" {
		t.Errorf("in English %q", got)
	}
}

// TestFit: what is counted is letters between the places where a line may end.
func TestFit(t *testing.T) {
	for heading, want := range map[string]string{
		"": "", "Kurz und bündig": "", "Siebzehnbuchstabe hier": "", "Ein Achtzehnbuchstaben": "letters20", "Elf zwanzigbuchstabenlan": "letters20",
		"Kommunalwahlkommission": "letters26", "Das Bundesverfassungsgericht entscheidet": "letters26", "Lentokonesuihkuturbiinimoottori": "letters34",
		"Donaudampfschifffahrtsgesellschaft": "letters34", "Donaudampfschifffahrtsgesellschaftskapitän": "",
		"Достопримечательностями": "letters26", "Bundes\u00adverfassungs\u00adgericht": "", "Bundes\u200bverfassungsgericht": "letters20",
		"Verfassungs-Gerichtshof": "", "Verfassungs\u2011Gerichtshof": "letters26", "Nord–Süd–Gefälle und mehr": "", "Verfassungsgericht-": "letters20", "Prof.\u00a0Dr.\u00a0Karlsson\u00a0Meyer": "letters26",
		"a\u0300e\u0300i\u0300o\u0300u\u0300a\u0300e\u0300i\u0300o\u0300u\u0300": "", "東京都知事選挙の開票結果が明らかになりました": "", "การเลือกตั้งทั่วไปครั้งใหม่ล่าสุด": "",
		"ab\xffcdefghijklmnopqrstuv": "letters26",
	} {
		if got := page.Fit(heading); got != want {
			t.Errorf("%q: %q, want %q", heading, got, want)
		}
	}
}

// TestPortraits: a writer without a portrait has initials on all pages, and one
// with a portrait has none.
func TestPortraits(t *testing.T) {
	w := newWorld(t, "tr")
	w.linked = false
	w.media = nil // no picture was mirrored
	bare, whole := w.render(t), newWorld(t, "tr").render(t)
	for _, name := range []string{"index.html", "yazar/nehir-taskin-65aa09f8f018fbaf44942506/index.html", "yazarlar/nehir-taskin/ruzgarin-yonu-41000100.html"} {
		const mark = `<span class="initials" aria-hidden="true">NT</span>`
		if !strings.Contains(string(bare.files[name]), mark) {
			t.Errorf("%s lacks %s", name, mark)
		}
		if strings.Contains(string(whole.files[name]), mark) {
			t.Errorf("%s has %s beside the portrait", name, mark)
		}
	}
	if text := string(bare.files["spor/index.html"]); strings.Contains(text, "initials") {
		t.Error("a folder has initials")
	}
}
