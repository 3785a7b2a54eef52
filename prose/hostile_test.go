package prose

import (
	"ayna/testrun/attack"
	"regexp"
	"slices"
	"strings"
	"testing"

	xhtml "golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// shown are the attributes that a page or feed may hold, by element. This is
// written down apart from the allow-list so that a slip there is seen.
var shown = map[string]string{
	"a": "href rel", "img": "src alt width height loading decoding class", "span": "class id",
	"div": "class role tabindex aria-label", "figure": "class", "abbr": "title", "time": "datetime",
	"ol": "start", "td": "colspan rowspan scope", "th": "colspan rowspan scope",
	"p": "", "br": "", "hr": "", "h1": "", "h2": "", "h3": "", "h4": "", "h5": "", "h6": "", "strong": "", "b": "", "em": "", "i": "",
	"u": "", "s": "", "del": "", "ins": "", "mark": "", "small": "class", "sub": "", "sup": "", "cite": "", "q": "",
	"blockquote": "", "ul": "", "li": "", "dl": "", "dt": "", "dd": "", "table": "", "caption": "", "thead": "",
	"tbody": "", "tfoot": "", "tr": "", "figcaption": "", "pre": "", "code": "", "details": "", "summary": "",
	"video": "controls preload src poster", "audio": "controls preload src",
}

// checkSafe parses HTML as a page would and fails if anything in it could run,
// load a frame, redirect or break out of the place it stands in.
func checkSafe(t *testing.T, markup string) {
	t.Helper()
	checkElements(t, markup, shown)
}

func checkElements(t *testing.T, markup string, shown map[string]string) {
	t.Helper()
	if markup != StripInvalidXML(markup) {
		t.Errorf("forbidden characters in %q", markup)
	}
	root, err := xhtml.Parse(strings.NewReader("<!doctype html><body><main>" + markup + "</main><footer></footer>"))
	if err != nil {
		t.Fatalf("%v in %q", err, markup)
	}
	ids := map[string]bool{}
	frame := map[string]int{"html": 1, "head": 1, "body": 1, "main": 1, "footer": 1}
	for n := range root.Descendants() {
		switch {
		case n.Type == xhtml.CommentNode:
			t.Errorf("a comment in %q", markup)
		case n.Type != xhtml.ElementNode:
		case frame[n.Data] > 0:
			frame[n.Data]--
			if n.Data == "footer" && n.Parent.Data != "body" {
				t.Errorf("an open element swallows the page: %q", markup)
			}
		default:
			checkElement(t, n, markup, shown)
			if id := attribute(n.Attr, "id"); id != "" && ids[id] {
				t.Errorf("id %q twice in %q", id, markup)
			} else {
				ids[id] = true
			}
		}
	}
}

// idOfAnchor matches the ids of anchors, which no page has otherwise.
var idOfAnchor = regexp.MustCompile(`^text-[0-9]+$`)

func checkElement(t *testing.T, n *xhtml.Node, markup string, shown map[string]string) {
	t.Helper()
	allowed, ok := shown[n.Data]
	if !ok || n.Namespace != "" {
		t.Errorf("element <%s> in %q", n.Data, markup)
	}
	for _, a := range n.Attr {
		if !strings.Contains(" "+allowed+" ", " "+a.Key+" ") {
			t.Errorf("attribute %s in <%s> in %q", a.Key, n.Data, markup)
		}
		isAddress := a.Key == "href" || a.Key == "src" || a.Key == "poster"
		if isAddress && !strings.HasPrefix(a.Val, "http://") && !strings.HasPrefix(a.Val, "https://") && !strings.HasPrefix(a.Val, "../") &&
			(a.Key != "href" || !idOfAnchor.MatchString(strings.TrimPrefix(a.Val, "#"))) {
			t.Errorf("address %q in %q", a.Val, markup)
		}
		if a.Key == "id" && !idOfAnchor.MatchString(a.Val) {
			t.Errorf("id %q in %q", a.Val, markup)
		}
		if a.Key == "class" && !slices.Contains([]string{"small", "file", "player", "player video", "player audio", "table", "missing"}, a.Val) {
			t.Errorf("class %q in %q", a.Val, markup)
		}
	}
	if (n.DataAtom == atom.P || n.DataAtom == atom.A || n.DataAtom == atom.Li) && n.FirstChild == nil {
		t.Errorf("empty <%s> in %q", n.Data, markup)
	}
}

var payloads = attack.For(attack.Markup)

func TestHostile(t *testing.T) {
	frames := []string{"%", "<p>önce %", "<table><tr><td>%", "<ul><li>%", "<a href=https://a.example/>%", "<pre>%", "<h2>%", "<b><i>%</b>", "<figure>%", "<svg>%", "<dl><dt>%", "<details><summary>%"}
	for _, payload := range payloads {
		for _, frame := range frames {
			body := Clean(strings.ReplaceAll(frame, "%", payload), testOptions)
			checkSafe(t, string(body.HTML(asIs{})))
			checkSafe(t, string(body.HTML(player{asIs{}})))
			checkStable(t, body)
			if t.Failed() {
				t.Fatalf("payload %q in %q", payload, frame)
			}
		}
	}
}

// Every element loses what could run, load or disguise, the allowed ones too.
func TestEveryElement(t *testing.T) {
	others := strings.Fields("span main footer form input button iframe object embed video audio svg math base link meta style script " +
		"template dialog marquee frame applet area map canvas font nobr center section aside header option label output slot x-y o:p")
	const bad = ` onclick="a()" onerror="a()" style="color:red" id="x" name="x" class="x" role="alert" tabindex="9" srcdoc="a" formaction="javascript:a()"` +
		` action="javascript:a()" background="javascript:a()" xlink:href="javascript:a()" cite="javascript:a()" contenteditable ping="https://a.example" lang="x"`
	for tag := range shown {
		others = append(others, tag)
	}
	for _, tag := range others {
		for _, format := range []string{"<%>a</%>", "<%/>a", "<figure><%><p>a</p></%></figure>", "<table><tr><td><%>a</td></tr></table>", "<ul><%>a</ul>"} {
			open := strings.Replace(format, "%", tag+bad+` href="https://a.example/" src="https://a.example/" title="a"`, 1)
			body := Clean(strings.ReplaceAll(open, "%", tag), testOptions)
			checkSafe(t, string(body.HTML(identity{})))
			checkStable(t, body)
		}
	}
}

func TestHostileTitles(t *testing.T) {
	for _, payload := range payloads {
		for _, title := range []string{payload, "Körfez " + payload} {
			got := Plain(title)
			if strings.ContainsAny(got, "\n\t\x00\x01\u202e\u2066\ufeff") || got != StripInvalidXML(got) || got != strings.TrimSpace(got) {
				t.Errorf("Plain(%q) = %q", title, got)
			}
		}
	}
}

// Links and pictures that a cleaned text names are safe in any other place,
// too, such as a list of what to fetch.
func TestAddresses(t *testing.T) {
	for _, payload := range payloads {
		body := Clean(payload, testOptions)
		for _, address := range append(body.Links(), body.Images()...) {
			if safe, ok := SafeURL(address); !ok || safe != address {
				t.Errorf("%q names the address %q", payload, address)
			}
		}
	}
}
