package main

import (
	"bytes"
	"net/http"
	"path"
	"time"

	"ayna/testrun/fakepaper"
)

// uploads are the files of attachedPress: what the first bytes say, and so many more.
var uploads = map[string][]byte{
	"Yillik Rapor.pdf": append([]byte("%PDF-1.7\n"), make([]byte, 2_400_000)...),
	"ses.mp3":          append([]byte("ID3"), make([]byte, 300_000)...),
	"film.mp4":         append([]byte("\x00\x00\x00\x20ftypisom"), make([]byte, 500_000)...),
	"gizli.pdf":        append([]byte("%PDF-1.7\ngizli"), make([]byte, 5_000)...),
}

// attachedPress is a site of WordPress whose posts have the blocks for files, sounds and films.
func attachedPress(base string) http.Handler {
	press := fakepaper.NewWordPress(fakepaper.Options{Base: base, Items: 3})
	at := base + "/wp-content/files/"
	press.Publish(fakepaper.Post{Title: "Limanın hesabı", Text: `Rapor aşağıda.</p>
<div class="wp-block-file"><object class="wp-block-file__embed" data="` + at + `Yillik%20Rapor.pdf" type="application/pdf" aria-label="Embed of Rapor."></object><a href="` + at + `Yillik%20Rapor.pdf">Yıllık rapor</a><a href="` + at + `Yillik%20Rapor.pdf" class="wp-block-file__button" download>Download</a></div>
<figure class="wp-block-audio"><audio controls src="/wp-content/files/ses.mp3"></audio><figcaption>Dalgalar</figcaption></figure>
<figure class="wp-block-video"><video controls src="` + at + `film.mp4"></video></figure><p>Son.`})
	press.Publish(fakepaper.Post{Title: "Unutulacak", Text: `<a href="` + at + `gizli.pdf">Belge</a>, <a href="https://baska.example/yabanci.pdf">yabancı</a>`})
	press.Handle("GET /wp-content/files/{name}", func(w http.ResponseWriter, r *http.Request) {
		content, ok := uploads[path.Base(r.URL.Path)]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("ETag", `"1"`)
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
	})
	return press
}
