package prose

import (
	"net/url"
	"regexp"
	"strings"
)

// A host describes its pages to programs, in the form of oembed.com.
type host struct {
	endpoint string
	pages    *regexp.Regexp // paths of the pages of one film, one sound or a list of them
	posters  bool           // watchPage knows their pictures
}

var hosts = map[string]host{
	"www.youtube.com":     {"https://www.youtube.com/oembed?format=json&url=", regexp.MustCompile(`^/(watch|playlist)$`), true},
	"vimeo.com":           {"https://vimeo.com/api/oembed.json?url=", regexp.MustCompile(`^/\d+(/\w+)?$`), false},
	"www.dailymotion.com": {"https://www.dailymotion.com/services/oembed?format=json&url=", regexp.MustCompile(`^/video/\w+$`), true},
	"soundcloud.com":      {"https://soundcloud.com/oembed?format=json&url=", regexp.MustCompile(`^/[\w-]+/[\w-]+(/[\w-]+)?$`), false},
	"api.soundcloud.com":  {"https://soundcloud.com/oembed?format=json&url=", regexp.MustCompile(`^/(tracks|playlists)/\d+$`), false},
	"open.spotify.com":    {"https://open.spotify.com/oembed?url=", regexp.MustCompile(`^/(album|artist|episode|playlist|show|track)/\w+$`), false},
	"www.tiktok.com":      {"https://www.tiktok.com/oembed?url=", regexp.MustCompile(`^/@[\w.-]+/video/\d+$`), false},
}

// OEmbed returns the address at which the host of a card's page describes it, "" if the host is
// unknown. hasPicture reports whether cards of that host have a picture without it.
func OEmbed(page string) (address string, hasPicture bool) {
	u, err := url.Parse(page)
	if err != nil || u.Scheme != "https" {
		return "", false
	}
	if sound := u.Query().Get("url"); u.Host == "w.soundcloud.com" && sound != "" {
		if inner, err := url.Parse(sound); err == nil && inner.Host == "api.soundcloud.com" {
			return OEmbed(sound)
		}
	}
	h, known := hosts[u.Host]
	if !known || !h.pages.MatchString(u.Path) {
		return "", false
	}
	return h.endpoint + url.QueryEscape(page), h.posters && u.Path != "/playlist"
}

// IsOEmbedHost reports whether an address is at a host that [OEmbed] knows, over HTTPS.
func IsOEmbedHost(u *url.URL) bool {
	_, known := hosts[u.Host]
	return known && u.Scheme == "https"
}

// watchPage returns the address of the page that shows what a player plays, and the address
// of a picture for it, "" if unknown. The page of an unknown player is its own address.
func watchPage(player string) (page, poster string) {
	u, err := url.Parse(player)
	if err != nil {
		return player, ""
	}
	first, second := pathSegments(u)
	switch strings.TrimPrefix(strings.TrimPrefix(asciiLower(u.Hostname()), "www."), "m.") {
	case "youtube.com", "youtube-nocookie.com":
		id := u.Query().Get("v")
		if first == "embed" || first == "v" || first == "shorts" || first == "live" {
			id = second
		}
		playlist := u.Query().Get("list")
		if (id == "videoseries" || first == "playlist") && isID(playlist) {
			return "https://www.youtube.com/playlist?list=" + playlist, ""
		}
		if channel := u.Query().Get("channel"); id == "live_stream" && isID(channel) {
			return "https://www.youtube.com/channel/" + channel + "/live", ""
		}
		return youtube(id, player)
	case "youtu.be":
		return youtube(first, player)
	case "vimeo.com", "player.vimeo.com":
		return vimeo(u, player), ""
	case "dailymotion.com", "geo.dailymotion.com", "dai.ly":
		return dailymotion(u, player)
	case "facebook.com":
		if page, ok := SafeURL(u.Query().Get("href")); ok && first == "plugins" {
			return page, ""
		}
	case "soundcloud.com", "w.soundcloud.com":
		return soundcloud(u, player), ""
	case "open.spotify.com", "tiktok.com":
		path := localePath.ReplaceAllString(strings.TrimSuffix(u.Path, "/"), "/")
		for _, host := range []string{"open.spotify.com", "www.tiktok.com"} {
			if strings.HasSuffix(host, strings.TrimPrefix(asciiLower(u.Hostname()), "www.")) && hosts[host].pages.MatchString(path) {
				return "https://" + host + path, ""
			}
		}
	}
	return player, ""
}

// localePath is what players of Spotify, and its pages in other languages, have before the path of the page.
var localePath = regexp.MustCompile(`^/(embed(-podcast)?|intl-\w+)/`)

// The pictures of films, whose addresses no text has, begin so.
const (
	youtubePosters     = "https://i.ytimg.com/vi/"
	dailymotionPosters = "https://www.dailymotion.com/thumbnail/video/"
)

// IsPoster reports whether an address is that of a film's picture, which follows from the
// address of the film.
func IsPoster(address string) bool {
	return strings.HasPrefix(address, youtubePosters) || strings.HasPrefix(address, dailymotionPosters)
}

func youtube(id, player string) (page, poster string) {
	id, _, _ = strings.Cut(id, "&") // addresses of old players have "&" instead of "?"
	if !isID(id) || id == "videoseries" || id == "live_stream" {
		return player, ""
	}
	return "https://www.youtube.com/watch?v=" + id, youtubePosters + id + "/hqdefault.jpg"
}

// vimeo keeps the part of an address without which a film that is not listed does not show.
func vimeo(u *url.URL, player string) string {
	id, secret := pathSegments(u)
	if id == "video" {
		id, secret = secret, u.Query().Get("h")
	}
	if !hosts["vimeo.com"].pages.MatchString("/" + id) {
		return player
	}
	if isID(secret) {
		id += "/" + secret
	}
	return "https://vimeo.com/" + id
}

func dailymotion(u *url.URL, player string) (page, poster string) {
	id, ok := strings.CutPrefix(strings.TrimPrefix(u.Path, "/embed"), "/video/")
	if host := asciiLower(u.Hostname()); host == "dai.ly" {
		id, ok = strings.TrimPrefix(u.Path, "/"), true
	} else if video := u.Query().Get("video"); !ok && strings.HasPrefix(u.Path, "/player") {
		id, ok = video, true
	}
	if !ok || !isID(id) {
		return player, ""
	}
	return "https://www.dailymotion.com/video/" + id, dailymotionPosters + id
}

// soundcloud returns the page of a sound, or its player without orders such as to play at once.
func soundcloud(u *url.URL, player string) string {
	sound := "https://soundcloud.com" + strings.TrimSuffix(u.Path, "/")
	if asciiLower(u.Hostname()) == "w.soundcloud.com" {
		sound, _, _ = strings.Cut(u.Query().Get("url"), "?")
	}
	sound = strings.Replace(sound, "http://", "https://", 1)
	switch address, _ := OEmbed(sound); {
	case address == "":
		return player
	case strings.HasPrefix(sound, "https://api."):
		return "https://w.soundcloud.com/player/?url=" + url.QueryEscape(sound)
	}
	return sound
}

func pathSegments(u *url.URL) (first, second string) {
	first, rest, _ := strings.Cut(strings.TrimPrefix(u.Path, "/"), "/")
	second, _, _ = strings.Cut(rest, "/")
	return first, second
}

func isID(s string) bool {
	for i := range len(s) {
		if !isLetterOrDigit(s[i]) && s[i] != '-' && s[i] != '_' {
			return false
		}
	}
	return s != "" && len(s) <= 64
}
