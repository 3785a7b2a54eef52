package get_test

import (
	"fmt"
	"strings"
	"testing"

	"ayna/source/get"
)

// The key has characters that addresses, JSON and HTML encode.
const encodedKey = "Kanarya+an/ah_tar-12=="

func TestKeyGuardFindsKey(t *testing.T) {
	guard := get.NewKeyGuard("", encodedKey, "kısa")
	for name, test := range map[string]struct {
		json string
		want bool
	}{
		"raw":                     {`{"Text":"` + encodedKey + `"}`, true},
		"in a name":               {`{"` + encodedKey + `":1}`, true},
		"JSON escapes":            {`{"Text":"Kanarya\u002Ban\/ah_tar\u002d12\u003d\u003D"}`, true},
		"letters as JSON escapes": {`{"Text":"\u004Banarya+an/ah_tar-12=="}`, true},
		"control characters":      {`{"Text":"Kanarya\u0000+an/ah_tar-12=="}`, true},
		"entities":                {`{"Text":"Kanarya&#43;an&#x2F;ah_tar-12&equals;&#61"}`, true},
		"entities in an address":  {`{"Text":"<a href=\"/?k=Kanarya&#43;an/ah_tar-12==\">x</a>"}`, true},
		"escaped entities":        {`{"Text":"Kanarya\u0026#43;an/ah_tar-12=="}`, true},
		"a comment":               {`{"Text":"<p>Kanarya<!-- > -->+an/ah_tar-12==</p>"}`, true},
		"a tag":                   {`{"Text":"Kanarya<b class=\"x\">+</b>an\u003cwbr\u003e/ah_tar-12=="}`, true},
		"percent-encoded":         {`{"Text":"<a href=\"/?k=Kanarya%2Ban%2Fah_tar-12%3D%3D\">x</a>"}`, true},
		"percent, in lower case":  {`{"Text":"<a href=\"/?k=Kanarya%2ban%2fah_tar-12%3d%3d\">x</a>"}`, true},
		"base64":                  {`{"Text":"S2FuYXJ5YSthbi9haF90YXItMTI9PQ=="}`, true},
		"none":                    {`{"Text":"Kanarya an ah_tar-12"}`, false},
		"a part":                  {`{"Text":"Kanarya+an/ah_tar-1"}`, false},
		"two fields":              {`{"Title":"Kanarya+an/","Text":"ah_tar-12=="}`, false},
		"a short key":             {`{"Text":"kısa"}`, false},
		"broken escapes":          {`{"Text":"\u00`, false},
		"an open tag":             {`{"Text":"<p `, false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := guard.InJSON([]byte(test.json)); got != test.want {
				t.Errorf("%t", got)
			}
		})
	}
}

func TestKeyGuardHidesKey(t *testing.T) {
	guard := get.NewKeyGuard(encodedKey, "Kısa/1", "")
	for _, text := range []string{
		encodedKey,
		"Kanarya%2Ban%2fah_tar-12%3D%3d",
		`Kanarya\u002Ban\/ah_tar-12\u003d=`,
		"Kanarya&#43;an&sol;ah_tar-12&equals;&#x3d;",
		"S2FuYXJ5YSthbi9haF90YXItMTI9PQ==",
		"S2FuYXJ5YSthbi9haF90YXItMTI9PQ",
		"Kısa/1", `Kısa\/1`, "K%c4%B1sa%2F1",
	} {
		if got := guard.Hide("a " + text + " z"); got != "a **** z" {
			t.Errorf("%s: %s", text, got)
		}
	}
	if text := "Kanarya an/ah_tar"; guard.Hide(text) != text {
		t.Error("a text without a key was changed")
	}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
		if text := fmt.Sprintf(verb, guard); strings.Contains(text, "Kanarya") {
			t.Errorf("%s prints %s", verb, text)
		}
	}
	var none *get.KeyGuard
	if none.Hide("a") != "a" || none.InJSON([]byte(`"a"`)) {
		t.Error("a nil guard knows a key")
	}
}

func BenchmarkKeyGuard(b *testing.B) {
	record := []byte(`{"Id":"1","Text":"` + strings.Repeat(`<p class=\"x\">Belediye Meclisi b\u00fct\u00e7eyi &quot;oy birli\u011fiyle&quot; kabul etti. Oturum sabah ba\u015flad\u0131 ve bir saat s\u00fcrd\u00fc.<\/p>\r\n`, 60) + `"}`)
	guard := get.NewKeyGuard(encodedKey)
	b.SetBytes(int64(len(record)))
	for b.Loop() {
		if guard.InJSON(record) {
			b.Fatal("found")
		}
	}
}
