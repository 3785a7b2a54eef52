package fakepaper

import (
	"cmp"
	"crypto/md5"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// feedSize is the number of posts on a page of the feed.
const feedSize = 10

// feed answers with a page of the Atom feed of the site, or of one post. The bytes are those of
// WordPress 6.5.
func (p *WordPress) feed(h http.Header, r *http.Request, path string, query url.Values) (int, []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	h.Set("Content-Type", "application/atom+xml; charset=UTF-8")
	all := p.matching(p.posts["posts"], nil)
	isOne := query.Has("p") || strings.Trim(path, "/") != ""
	page, status := max(1, numberIn(query.Get("paged"))), http.StatusOK
	found := slices.DeleteFunc(slices.Clone(all), func(post *Post) bool {
		isThat := query.Get("p") == strconv.Itoa(post.ID) || p.home()+path == p.link(post)
		return isOne && !isThat || !strings.Contains(post.Title+post.Text, query.Get("s"))
	})
	if order := orders[strings.ToLower(query.Get("orderby"))]; order != nil {
		slices.SortStableFunc(found, func(a, b *Post) int { return order(b, a) })
	}
	if isOne && len(found) == 1 {
		h.Add("Link", fmt.Sprintf("<%s/?p=%d>; rel=shortlink", p.home(), found[0].ID))
	}
	last := time.Time{} // of all changes
	for _, post := range all {
		for _, at := range []time.Time{post.Date, post.Modified} {
			if at.After(last) {
				last = at
			}
		}
	}
	changed := last.UTC().Format(http.TimeFormat)
	tag := fmt.Sprintf(`"%x"`, md5.Sum([]byte(changed)))
	h.Set("Last-Modified", changed)
	h.Set("ETag", tag)
	if match := r.Header.Get("If-None-Match"); match == tag && r.Header.Get("If-Modified-Since") == changed {
		return http.StatusNotModified, nil
	}
	from := (page - 1) * feedSize
	if from > 0 && from >= len(found) {
		status = http.StatusNotFound
	}
	var b strings.Builder
	title := cmp.Or(p.title, "Kıyı Postası")
	if page > 1 {
		title = fmt.Sprintf("Sayfa %d &#8211; %s", page, title)
	}
	fmt.Fprintf(&b, "<?xml version=\"1.0\" encoding=\"UTF-8\"?><feed\n\txmlns=\"http://www.w3.org/2005/Atom\"\n\txmlns:thr=\"http://purl.org/syndication/thread/1.0\"\n\txml:lang=%q\n\t>\n\t<title type=\"text\">%s</title>\n", cmp.Or(p.Language, "tr-TR"), title)
	fmt.Fprintf(&b, "\t<updated>%s</updated>\n\t<link rel=\"alternate\" type=\"text/html\" href=\"%s\" />\n\t<id>%[2]s/feed/atom/</id>\n", last.UTC().Format(time.RFC3339), p.home())
	a := new(rendering)
	for _, post := range found[min(from, len(found)):min(from+feedSize, len(found))] {
		p.entry(&b, post, a)
	}
	b.WriteString("\t</feed>\n")
	return status, []byte(b.String())
}

// entry writes a post as the feed has it.
func (p *WordPress) entry(b *strings.Builder, post *Post, a *rendering) {
	title, summary, text := texturized(post.Title), strings.TrimSpace(strings.NewReplacer("<p>", "", "</p>", "").Replace(post.summary())), ""
	if post.Protected {
		title, summary = "Korumalı: "+title, "Korumalı bir yazı olduğu için özet yok."
		text = fmt.Sprintf("<form action=\"%s/wp-login.php?action=postpass\" class=\"post-password-form\" method=\"post\"></form>", p.home())
	} else {
		text = p.render(post, a)
	}
	if u := p.users[post.Author]; u != nil && !p.HiddenUsers {
		fmt.Fprintf(b, "\t<entry>\n\t\t<author>\n\t\t\t<name>%s</name>\n\t\t\t\t\t</author>\n\n", html.EscapeString(u.Name))
	} else {
		b.WriteString("\t<entry>\n\t\t<author>\n\t\t\t<name></name>\n\t\t\t\t\t</author>\n\n")
	}
	fmt.Fprintf(b, "\t\t<title type=\"html\"><![CDATA[%s]]></title>\n\t\t<link rel=\"alternate\" type=\"text/html\" href=\"%s\" />\n\n\t\t<id>%s</id>\n\t\t<updated>%s</updated>\n\t\t<published>%s</published>\n",
		title, html.EscapeString(p.link(post)), html.EscapeString(cmp.Or(post.GUID, post.guid)), post.Modified.UTC().Format(time.RFC3339), post.Date.UTC().Format(time.RFC3339))
	for _, terms := range []struct {
		ids []int
		of  map[int]*Term
	}{{post.Categories, p.categories}, {post.Tags, p.tags}} {
		var names []string
		for _, id := range terms.ids {
			if t := terms.of[id]; t != nil {
				names = append(names, t.Name)
			}
		}
		slices.Sort(names)
		for _, name := range names {
			fmt.Fprintf(b, "\t\t<category scheme=\"%s\" term=\"%s\" />", p.home(), html.EscapeString(name))
		}
	}
	fmt.Fprintf(b, "\n\t\t<summary type=\"html\"><![CDATA[%s]]></summary>\n\n", summary)
	if !p.Summaries {
		fmt.Fprintf(b, "\t\t\t\t\t<content type=\"html\" xml:base=\"%s\"><![CDATA[%s]]></content>\n", html.EscapeString(p.link(post)), strings.ReplaceAll(text, "]]>", "]]&gt;"))
	}
	fmt.Fprintf(b, "\t\t\t\t\t<link rel=\"replies\" type=\"text/html\" href=\"%s#comments\" thr:count=\"0\" />\n\t\t\t<thr:total>0</thr:total>\n\t\t\t</entry>\n", html.EscapeString(p.link(post)))
}

// numberIn returns the number in a text, 0 for none.
func numberIn(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}
