package attack

import "strings"

// paths are spellings of a folder's path.
var paths = [][]Attack{
	of("path", Path,
		"", "/", "//", "///", "\\", "\\\\", ".", "..", "/.", "/..", "./", "../", "/./", "/../",
		"/../../etc/", "/../../../../../../etc/passwd", "..\\..\\windows\\", "\\..\\", "//x/", "//x//y//", "/a/./b/", "/a/../b/", "/a/.../b/",
		"%2e%2e", "/%2e%2e/%2e%2e/etc/", "%2F", "/%2f..%2f/", "..%2f", "%5c..%5c", "%00", "/a\x00b/", "\x00", "/\x00/", "/a\nb/", "/\r\n/", "\t",
		" ", "/ /", "/ .. /", "/. ./", "/.. /a/", "/a /", "/a./", "/a.../", "~", "~root", "/~/", "$HOME", "/`id`/", "/$(id)/",
		"C:\\", "c:/windows", "/C:/", "file:///etc", "http://evil.example/", "//evil.example/x", "javascript:alert(1)", "?q=1", "/a?b=c/", "/a#b/", "#",
		"/con/", "/CON/", "/aux/nul/", "/com1/", "/lpt9/", "/prn.txt/",
		"/index.html/", "/feed.xml/", "/404.html", "/manifest.sha256/", "/.ayna-x/", "/.git/", "/.git/config/", "/.well-known/",
		"/assets/", "/media/", "/page/", "/page/1.html/", "/yazar/", "/etiket/", "/arama/", "/sayfa/", "/tur/", "/arsiv/", "/spor/arsiv/", "/spor/page/", "/abone/", "/karma/", "/duzeltmeler/",
		"/SPOR/", "/Spor/", "/spor/", "/spor", "spor/", "/spor//", "/ spor /", "/spo\u0301r/", "/sp\u00f3r/", "/ѕpor/",
		"/ŞİŞLİ/", "/şişli/", "/sisli/", "/s\u0327is\u0327li/", "/ISPARTA/", "/ısparta/", "/isparta/", "/İSPARTA/",
		"/\u202Espor\u202C/", "/\u200b/", "/\ufeff/", "/\u2066/", "/z\u0301\u0302\u0303\u0304al/", "/😀/", "/日本/", "/…/", "/…/…/", "/-/", "/--/", "/-a/", "/a-/", "/_/",
		"/<script>alert(1)</script>/", "/<b>/", "/&amp;/", "/\"'/", "/{{.}}/", "/\u2028/",
		"/"+strings.Repeat("a", 10_000)+"/", "/"+strings.Repeat("a", 10_001)+"/", "/"+strings.Repeat("ş", 128)+"/", "/"+strings.Repeat("ş", 129)+"/",
		strings.Repeat("/a", 5000), strings.Repeat("/a", 5000)+"/b/", strings.Repeat("../", 5000), strings.Repeat("/", 5000), strings.Repeat("/ş", 20),
	),
}

// Traversals returns strings that lead out of a folder, or to a name that some system keeps
// for itself, in many spellings. No two are the same.
func Traversals() []string {
	ups := []string{
		"..", "../..", "../../../../../../..", "..\\", "..\\..\\..", "%2e%2e", "%2e%2e%2f", "%252e%252e%252f", "..%2f", "..%5c", "%2e%2e%5c",
		"..%c0%af", "%c0%ae%c0%ae/", "..%ef%bc%8f", "\uff0e\uff0e\uff0f", "\uff0e\uff0e", "..\u2215", "..\u2044", "..\u29f8", "....//", "..././", ".../", "....\\\\",
		"./.", "/..", "//..", "/./..", "\\\\..", ". .", ".. ", " ..", "..\x00", "..\x00/", "\x00..", "..\n", "..\r\n", "..\t", "..;", "..;/", "..:", "~", "~root", "~/..",
		"\u202e..", "..\u200b", "\u200b..", "\ufeff..", ".\u200d.", "a/../..", "a/./../..", "a\\..\\..", "\u2025", "\u2026", "%u002e%u002e", "..%00", "..%0a", "&#46;&#46;", "${HOME}", "$(id)", "`id`",
	}
	targets := []string{
		"", "/", "/etc/passwd", "/etc/cron.d/x", "\\windows\\win.ini", "/public", "/archive.db", "/.ssh/authorized_keys", "/.ayna-x", "/manifest.sha256",
		"/index.html", "/INDEX.HTML", "/con", "/con.html", "/COM1", "/nul.txt", "/aux", "/assets", "/media", "/404.html", "/robots.txt", "/.htaccess", "/.git/config",
		"/arama/index.html", "/etiket", "/page/1.html", "/arsiv/2026-09.html", "/feed.xml", "/" + strings.Repeat("a", 300), "/" + strings.Repeat("ş", 200),
		"/" + strings.Repeat("d/", 400), "/\u0130stanbul", "/istanbul", "/I\u0307stanbul", "/gu\u0308l", "/g\u00fcl", "/G\u00dcL", "C:\\boot.ini", "\\\\host\\share", "file:///etc/passwd", "/x.", "/x ", "/x:y",
	}
	var list []string
	seen := make(map[string]bool)
	for _, up := range ups {
		for _, target := range targets {
			if text := up + target; !seen[text] {
				seen[text] = true
				list = append(list, text)
			}
		}
	}
	return list
}
