package main

import (
	"fmt"
	"net/http"
	"strings"

	"ayna/testrun/fakepaper"
)

// filmHosts answer in the commands of tests instead of hosts of films: each film has a picture and
// the title "Film of" with its address.
var filmHosts = map[string]http.Handler{
	"vimeo.com":           http.HandlerFunc(answerOEmbed),
	"www.youtube.com":     http.HandlerFunc(answerOEmbed),
	"i.ytimg.com":         http.HandlerFunc(answerOEmbed),
	"resim.vimeo.example": http.HandlerFunc(answerOEmbed),
}

func answerOEmbed(w http.ResponseWriter, r *http.Request) {
	if strings.HasSuffix(r.URL.Path, ".jpg") {
		w.Write(fakepaper.TurnedJPEG(48, 36))
		return
	}
	fmt.Fprintf(w, `{"title":"Film of %s","thumbnail_url":"https://resim.vimeo.example/1.jpg"}`, r.FormValue("url"))
}

// filmCards is a text of Ghost with cards that embed films, one twice, and one that names a film.
func filmCards(base string) string {
	return `<figure class="kg-card kg-embed-card kg-card-hascaption"><iframe width="200" height="113" src="https://www.youtube.com/embed/hasat000001?feature=oembed" allowfullscreen title="Hasat günü"></iframe><figcaption>bir film</figcaption></figure>
<figure class="kg-card kg-embed-card"><iframe src="https://player.vimeo.com/video/7?app_id=1" width="200" height="113" title="Vimeo video player"></iframe></figure>
<figure class="kg-card kg-embed-card"><iframe src="https://player.vimeo.com/video/7"></iframe></figure>
<figure class="kg-card kg-bookmark-card"><a class="kg-bookmark-container" href="https://vimeo.com/8"><div class="kg-bookmark-content"><div class="kg-bookmark-title">Bağ bozumu</div><div class="kg-bookmark-metadata"><span class="kg-bookmark-publisher">Vimeo</span></div></div><div class="kg-bookmark-thumbnail"><img src="` + base + `/content/images/zeytin.jpg" alt=""></div></a></figure>
<p>https://film.example/izle</p>`
}
