package main

import (
	"fmt"
	"strings"

	"ayna/generator/site"
)

// folder is a section of the newspaper or a part of one.
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
		path := "/" + site.Slug(title, "tr") + "/"
		sections = append(sections, folder{longID(3, 10*i), path, title})
		for j, part := range strings.Split(list, ", ") {
			parts = append(parts, folder{longID(3, 10*i+j+1), path + site.Slug(part, "tr") + "/", part})
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
			list = append(list, writer{longID(2, len(list)), name, site.Slug(name, "tr")})
		}
	}
	return list
}

// tags are 300 subjects, the commonest first.
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

// longID is an id of 24 hexadecimal digits, as folders and writers have.
func longID(group, number int) string { return fmt.Sprintf("65aa%02d0b00000000%08x", group, number) }
