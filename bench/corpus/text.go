package main

import (
	"fmt"
	"html"
	"math/rand/v2"
	"strconv"
	"strings"
	"unicode"

	"ayna/slug"
	"ayna/testrun/fakepaper"
)

// block is a paragraph, a heading or a quotation.
type block struct {
	tag   string // p, h2 or blockquote
	spans []span
}

// span is a run of plain, emphasised or linked text.
type span struct {
	text   string
	strong bool
	link   *head
}

// body generates a text of 300 to 800 words that links to the first related item.
func (p *paper) body(r *rand.Rand, related []head) []block {
	var blocks []block
	for left := 300 + r.IntN(500); left > 0; {
		b := block{tag: "p"}
		if len(blocks) > 0 && r.IntN(6) == 0 {
			b = block{tag: "h2", spans: []span{{text: p.title(r)}}}
			blocks = append(blocks, b)
			continue
		}
		if len(blocks) > 0 && r.IntN(10) == 0 {
			b.tag = "blockquote"
		}
		for range 2 + r.IntN(4) {
			s := span{text: p.sentence(r, 14), strong: r.IntN(12) == 0}
			left -= strings.Count(s.text, " ") + 1
			b.spans = append(b.spans, s)
		}
		if len(blocks) == 1 && len(related) > 0 {
			b.spans = append(b.spans, span{text: related[0].title, link: &related[0]})
		}
		blocks = append(blocks, b)
	}
	return blocks
}

// asHTML returns the text as the service sends it.
func asHTML(blocks []block) string {
	var b strings.Builder
	for _, block := range blocks {
		fmt.Fprintf(&b, "<%s>", block.tag)
		for i, s := range block.spans {
			if i > 0 {
				b.WriteByte(' ')
			}
			text := html.EscapeString(s.text)
			switch {
			case s.link != nil:
				fmt.Fprintf(&b, `<a href="%s">%s</a>`, s.link.url(), text)
			case s.strong:
				fmt.Fprintf(&b, "<strong>%s</strong>", text)
			default:
				b.WriteString(text)
			}
		}
		fmt.Fprintf(&b, "</%s>\r\n", block.tag)
	}
	return b.String()
}

// asMarkdown returns the text as an editor of a Hugo site would write it.
func asMarkdown(blocks []block) string {
	before := map[string]string{"p": "", "h2": "## ", "blockquote": "> "}
	var b strings.Builder
	for _, block := range blocks {
		b.WriteString(before[block.tag])
		for i, s := range block.spans {
			if i > 0 {
				b.WriteByte(' ')
			}
			switch {
			case s.link != nil:
				fmt.Fprintf(&b, "[%s](%s)", s.text, s.link.page())
			case s.strong:
				fmt.Fprintf(&b, "**%s**", s.text)
			default:
				b.WriteString(s.text)
			}
		}
		b.WriteString("\n\n")
	}
	return b.String()
}

// The vocabulary of all texts, the most frequent words of each kind first.
var (
	nouns = strings.Fields(`liman belediye deniz yol okul şehir pazar köprü orman vapur hastane işçi balıkçı üretici
		öğrenci yağmur rüzgâr zeytin bütçe proje toplantı rapor sahil çarşı ada tekne mahalle park kütüphane stadyum
		takım maç festival sergi kitap film konser müze bahçe tarla hasat üzüm buğday süt ekmek balık fırtına kar sıcaklık
		güneş enerji elektrik su baraj nehir göl dağ tepe vadi kıyı iskele fener tren istasyon otobüs durak bisiklet yaya
		trafik kavşak meydan sokak apartman bina inşaat fabrika atölye usta çırak kooperatif dernek vakıf üniversite
		öğretmen doktor hemşire hâkim avukat gazete kaptan denizci yolcu turist misafir komşu aile çocuk genç gönüllü`)
	adjectives = strings.Fields(`yeni büyük eski genç yerel uzun güçlü sessiz kalabalık ücretsiz geçici önemli küçük geniş
		ılık soğuk yeşil mavi açık kapalı hızlı yavaş derin yüksek ünlü sıradan ortak tarihi geleneksel çağdaş`)
	verbs = strings.Fields(`açıldı başladı sürüyor tamamlandı ertelendi büyüdü azaldı arttı yenilendi kuruldu taşındı
		onarıldı bekleniyor hazırlanıyor görüşüldü açıklandı imzalandı kazandı kaybetti döndü ulaştı anlattı söyledi
		gösterdi istedi buluştu toplandı değişti güzelleşti duyuruldu`)
	connectives = strings.Fields(`ve ile için göre kadar sonra önce ancak çünkü ise artık yine bugün dün yarın bu yıl geçen
		hafta boyunca karşı rağmen üzerine arasında içinde dışında yanında ilk kez daha çok en az bir iki üç her bütün
		bazı birçok hem de`)
	endings = strings.Fields(`lar ler da de dan den ı i u ü ın in un ün a e la le daki deki`)
)

// title is a headline of three to seven words.
func (p *paper) title(r *rand.Rand) string {
	var b strings.Builder
	writeCapitalized(&b, adjectives[r.IntN(len(adjectives))])
	for range 1 + r.IntN(4) {
		b.WriteString(" " + nouns[r.IntN(len(nouns))])
	}
	b.WriteString(" " + verbs[r.IntN(len(verbs))])
	return b.String()
}

// sentence has about n words, of which half are nouns.
func (p *paper) sentence(r *rand.Rand, n int) string {
	var b strings.Builder
	writeCapitalized(&b, adjectives[r.IntN(len(adjectives))])
	for range n + r.IntN(n/2+1) - n/4 {
		b.WriteByte(' ')
		switch r.IntN(16) {
		case 0:
			b.WriteString(strconv.Itoa(2 + r.IntN(900)))
		case 1, 2, 3:
			b.WriteString(adjectives[r.IntN(len(adjectives))])
		case 4, 5, 6, 7:
			b.WriteString(connectives[r.IntN(len(connectives))])
		case 8, 9, 10:
			b.WriteString(nouns[p.nouns.Pick(r)] + endings[r.IntN(len(endings))])
		default:
			b.WriteString(nouns[p.nouns.Pick(r)])
		}
		if r.IntN(14) == 0 {
			b.WriteByte(',')
		}
	}
	b.WriteString(" " + verbs[r.IntN(len(verbs))] + ".")
	return b.String()
}

// writeCapitalized capitalizes by the rules of Turkish: i becomes İ.
func writeCapitalized(b *strings.Builder, word string) {
	for i, letter := range word {
		if i == 0 {
			letter = unicode.TurkishCase.ToUpper(letter)
		}
		b.WriteRune(letter)
	}
}

// folder is a section of the newspaper, or a part of a section.
type folder struct{ id, path, title string }

// writer is a columnist or reporter.
type writer struct{ id, name, slug string }

// folders are 8 sections with 4 parts each, the largest first.
var folders = makeFolders(
	"Gündem: Şehir, Eğitim, Sağlık, Çevre",
	"Spor: Futbol, Basketbol, Yelken, Güreş",
	"Ekonomi: Tarım, Liman, Turizm, Enerji",
	"Dünya: Avrupa, Asya, Afrika, Amerika",
	"Kültür Sanat: Sinema, Müzik, Kitap, Sergi",
	"Yaşam: Yemek, Gezi, Aile, Bahçe",
	"Bilim: Uzay, Deniz, Doğa, Buluş",
	"Yerel: Merkez, Yukarı Kıyı, Aşağı Kıyı, Adalar",
)

func makeFolders(lines ...string) []folder {
	var sections, parts []folder
	for i, line := range lines {
		title, list, _ := strings.Cut(line, ": ")
		path := "/" + slug.Of(title, "tr") + "/"
		sections = append(sections, folder{fakepaper.LongID(3, 10*i), path, title})
		for j, part := range strings.Split(list, ", ") {
			parts = append(parts, folder{fakepaper.LongID(3, 10*i+j+1), path + slug.Of(part, "tr") + "/", part})
		}
	}
	return append(sections, parts...)
}

// writers are 60 people.
var writers = makeWriters(
	"Ayşe Barış Çiğdem Deniz Elif Ferit Gülşen Hakkı Işıl İlker",
	"Akkaya Başaran Çınar Durmuş Ergün Fındık",
)

func makeWriters(first, last string) []writer {
	var list []writer
	for _, f := range strings.Fields(first) {
		for _, l := range strings.Fields(last) {
			name := f + " " + l
			list = append(list, writer{fakepaper.LongID(2, len(list)), name, slug.Of(name, "tr")})
		}
	}
	return list
}

// tags are 300 subjects, the most frequent first.
var tags = makeTags()

func makeTags() []string {
	var list []string
	for _, a := range adjectives[:10] {
		for _, n := range nouns[:30] {
			list = append(list, a+" "+n)
		}
	}
	return list
}

var agencies = []string{"KHA", "Kıyı Haber", "Adalar Ajansı", ""}
