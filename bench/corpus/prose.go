package main

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"unicode"
)

// The words that all texts are made of, the commonest of each kind first.
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
	capital(&b, adjectives[r.IntN(len(adjectives))])
	for range 1 + r.IntN(4) {
		b.WriteString(" " + nouns[r.IntN(len(nouns))])
	}
	b.WriteString(" " + verbs[r.IntN(len(verbs))])
	return b.String()
}

// sentence has about n words, of which half are nouns.
func (p *paper) sentence(r *rand.Rand, n int) string {
	var b strings.Builder
	capital(&b, adjectives[r.IntN(len(adjectives))])
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
			b.WriteString(nouns[p.nouns.pick(r)] + endings[r.IntN(len(endings))])
		default:
			b.WriteString(nouns[p.nouns.pick(r)])
		}
		if r.IntN(14) == 0 {
			b.WriteByte(',')
		}
	}
	b.WriteString(" " + verbs[r.IntN(len(verbs))] + ".")
	return b.String()
}

// capital writes a word with a first letter as Turkish has it: i becomes İ.
func capital(b *strings.Builder, word string) {
	for i, letter := range word {
		if i == 0 {
			letter = unicode.TurkishCase.ToUpper(letter)
		}
		b.WriteRune(letter)
	}
}
