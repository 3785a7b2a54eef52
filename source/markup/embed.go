package markup

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// isPlayer reports whether an element shows a page, video or sound.
func isPlayer(n *html.Node) bool {
	return slices.Contains([]string{"iframe", "embed", "object", "video", "audio", "amp-iframe", "amp-video", "amp-audio"}, n.Data)
}

// player gives a player the address that is put aside for a script.
func (t *text) player(n *html.Node) {
	if plain, ok := strings.CutPrefix(n.Data, "amp-"); ok {
		n.Data, n.DataAtom = plain, atom.Lookup([]byte(plain))
	}
	address := PlayerAddress(n.Attr)
	for _, a := range n.Attr {
		for _, inside := range addressesIn(a) {
			if address == "" && a.Key != "poster" && IsAbsolute(inside) && isVideo(inside) {
				address = inside
			}
		}
	}
	switch {
	case address != "" && n.DataAtom == atom.Object:
		SetAttribute(n, "data", t.resolve(address))
	case address != "":
		SetAttribute(n, "src", t.resolve(address))
	}
}

// embed puts a player where a script would show something.
func (t *text) embed(n *html.Node) {
	if n.Namespace != "" || n.DataAtom == atom.A || n.DataAtom == atom.Img || n.DataAtom == atom.Source || n.DataAtom == atom.Noscript || isPlayer(n) {
		return
	}
	if n.DataAtom == atom.Script {
		t.script(n)
		return
	}
	if id := youtubeID(n); id != "" {
		address := "https://www.youtube.com/watch?v=" + id
		if !t.shown[keyOf(address)] {
			SetAttribute(n, "title", cmp.Or(Attribute(n, "title"), words(n)))
			t.insert(n, address)
			Remove(n)
		}
		return
	}
	for _, address := range t.embedded(n) {
		if !t.shown[keyOf(address)] {
			t.insert(n, address)
			if !HasContent(n) {
				Remove(n)
			}
			return
		}
	}
}

// insert puts a player before an element.
func (t *text) insert(n *html.Node, address string) {
	player := element(atom.Iframe)
	SetAttribute(player, "src", address)
	SetAttribute(player, "title", cmp.Or(Attribute(n, "aria-label"), Attribute(n, "title"), Attribute(n, "data-title")))
	n.Parent.InsertBefore(player, n)
	t.shown[keyOf(address)] = true
}

// embedded returns the addresses in the attributes of an element that a script would show:
// any of an element without content, else those of videos, and of posts of social networks.
func (t *text) embedded(n *html.Node) (list []string) {
	isPost := strings.Contains(Attribute(n, "class"), "embed") || strings.HasPrefix(Attribute(n, "class"), "fb-")
	for _, a := range n.Attr {
		if a.Key == "data-src" && HasClass(n, "flourish-embed") && !IsAbsolute(a.Val) {
			return []string{"https://public.flourish.studio/" + strings.Trim(a.Val, "/") + "/"}
		}
		isLink := isPost && a.Key == "cite" || strings.HasPrefix(a.Key, "data-") && slices.ContainsFunc(linkNames, func(part string) bool { return strings.Contains(a.Key, part) })
		for _, address := range addressesIn(a) {
			if !IsAbsolute(address) || isPlaceholder(address) {
				continue
			}
			isPermalink := isLink && (isPost || strings.Contains(a.Key, "permalink"))
			if isVideo(address) || isLink && !t.isOwn(address) && !isPart(address) && (isPermalink || !HasContent(n)) {
				list = append(list, address)
			}
		}
	}
	return list
}

// linkNames are parts of the names of attributes that hold the address of what is shown.
var linkNames = []string{"href", "url", "src", "link", "embed"}

// isPart reports whether an address is that of a file that belongs to a page: an ornament,
// a script or a style.
func isPart(address string) bool {
	address, _, _ = strings.Cut(address, "?")
	return IsPicture(address) || slices.Contains([]string{".js", ".css", ".json", ".svg", ".php", ".woff", ".woff2"}, strings.ToLower(path.Ext(address)))
}

// addressesIn returns the addresses in an attribute: its value, or those in its JSON.
func addressesIn(a html.Attribute) []string {
	value := strings.TrimSpace(a.Val)
	if !strings.HasPrefix(value, "{") && !strings.HasPrefix(value, "[{") {
		if a.Key == "style" || a.Key == "xmlns" {
			return nil
		}
		return []string{value}
	}
	var decoded any
	if json.Unmarshal([]byte(value), &decoded) != nil {
		return nil
	}
	var list []string
	collect(decoded, "", &list)
	return list
}

// collect adds the texts of a JSON value whose names say that they are addresses. Of players
// of several kinds that of the kind in use comes first.
func collect(value any, name string, list *[]string) {
	switch value := value.(type) {
	case string:
		if strings.HasSuffix(name, "url") || strings.HasSuffix(name, "link") || strings.HasSuffix(name, "src") {
			*list = append(*list, value)
		}
	case []any:
		for _, v := range value {
			collect(v, name, list)
		}
	case map[string]any:
		kind, _ := value["video_type"].(string)
		names := make([]string, 0, len(value))
		for name := range value {
			names = append(names, name)
		}
		slices.SortFunc(names, func(a, b string) int {
			return cmp.Or(-boolCompare(a == kind+"_url", b == kind+"_url"), strings.Compare(a, b))
		})
		for _, name := range names {
			collect(value[name], strings.ToLower(name), list)
		}
	}
}

func boolCompare(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// script puts a player where a script shows a post, or the HTML that a script would insert
// after a reader's consent.
func (t *text) script(n *html.Node) {
	address := Attribute(n, "src")
	if post := Attribute(n, "data-telegram-post"); telegramPost.MatchString(post) {
		t.insert(n, "https://t.me/"+post)
	} else if m := gist.FindStringSubmatch(address); m != nil && !t.shown[keyOf("https://"+m[1])] {
		t.insert(n, "https://"+m[1])
	}
	if kind := Attribute(n, "type"); kind != "text/template" && kind != "text/plain" || n.FirstChild == nil {
		return
	}
	held := strings.TrimSpace(n.FirstChild.Data)
	if decoded, err := base64.StdEncoding.DecodeString(held); err == nil {
		held = string(decoded)
	}
	if strings.HasPrefix(held, "<") {
		t.standIn(n, held)
	}
}

var (
	telegramPost = regexp.MustCompile(`^\w+/\d+$`)
	gist         = regexp.MustCompile(`^(?:https?:)?//(gist\.github\.com/[\w.-]+(?:/\w+)?)\.js(?:\?|$)`)
	videoID      = regexp.MustCompile(`^(?:WYL_|lyte_)?([\w-]{11})$`)
)

// youtubeID returns the id of the video that a script shows in an element, "" if it is not
// one of YouTube.
func youtubeID(n *html.Node) string {
	about := strings.ToLower(n.Data + " " + Attribute(n, "class") + " " + Attribute(n, "id"))
	isYouTube := strings.Contains(about, "youtube") || strings.Contains(about, "lyte") || HasClass(n, "lyMe")
	for _, a := range n.Attr {
		isID := isYouTube && slices.Contains([]string{"data-id", "videoid", "data-videoid", "data-video-id", "data-video", "data-embed"}, a.Key) ||
			a.Key == "id" && (strings.HasPrefix(a.Val, "WYL_") || strings.HasPrefix(a.Val, "lyte_")) ||
			strings.HasPrefix(a.Key, "data-") && strings.Contains(a.Key, "youtube")
		if m := videoID.FindStringSubmatch(a.Val); isID && m != nil {
			return m[1]
		}
	}
	return ""
}

// youtubeOf returns the id of the video at an address, "" if it is not one of YouTube.
func youtubeOf(u *url.URL) string {
	id := ""
	switch strings.TrimPrefix(bareHost(u), "m.") {
	case "youtu.be":
		id = strings.Trim(u.Path, "/")
	case "youtube.com", "youtube-nocookie.com":
		if id = u.Query().Get("v"); id == "" {
			id = path.Base(u.Path)
		}
	}
	if videoID.MatchString(id) && id != "videoseries" && id != "live_stream" {
		return id
	}
	return ""
}

// isVideoHost reports whether an address is on a host that shows videos.
func isVideoHost(u *url.URL) bool {
	return slices.Contains([]string{"youtube.com", "m.youtube.com", "youtube-nocookie.com", "youtu.be", "vimeo.com", "player.vimeo.com", "dailymotion.com", "dai.ly"}, bareHost(u))
}

// isVideo reports whether an address is that of a video or sound.
func isVideo(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	return isVideoHost(u) && len(u.Path) > 1 ||
		slices.Contains([]string{".mp4", ".m4v", ".webm", ".mov", ".mp3", ".m4a", ".ogg", ".wav", ".m3u8"}, strings.ToLower(path.Ext(u.Path)))
}
