package search

import "strings"

// stemmer cuts endings off folded words, so that the forms of a word are one term. The
// page gets the same table with the catalog.
type stemmer struct {
	table  string
	byLast ['z' - 'a' + 1][]ending // by last letter, the longest first
}

// ending is what may be cut off if enough letters remain.
type ending struct {
	text   string
	remain int
}

// maxEndings is the number of endings that are cut off one after the other.
const maxEndings = 6

// endings are the tables by language. A digit is followed by the endings that leave at
// least so many letters.
var endings = map[string]string{
	"tr": turkishEndings,
	"en": "3 s es ing ed",
}

const turkishEndings = "3 lar ler da de ta te dan den tan ten yi yu ya ye ydi ydu 4 i u si su in un nin nun a e la le yla yle dir dur ki sina sine suna sini sunu sinda sinde sunda sindan sinden sundan ina ine una une ini unu inda inde unda unde indan inden undan unden larim lerim"

func newStemmer(language string) *stemmer {
	s := &stemmer{table: endings[language]}
	remain := 0
	for _, text := range strings.Fields(s.table) {
		if text[0] <= '9' {
			remain = int(text[0] - '0')
			continue
		}
		same := &s.byLast[text[len(text)-1]-'a']
		i := 0
		for i < len(*same) && len((*same)[i].text) >= len(text) {
			i++
		}
		*same = append((*same)[:i], append([]ending{{text, remain}}, (*same)[i:]...)...)
	}
	return s
}

// stem returns the stem of a word; it changes the word's bytes. Words with other letters
// than a to z are their own stems. The last letter of a stem is p, t or k where Turkish
// softens it before a vowel: "kitap" and "kitabı" have the stem "kitab".
func (s *stemmer) stem(word []byte) []byte {
	for _, c := range word {
		if c < 'a' || c > 'z' {
			return word
		}
	}
	if s.table == "" {
		return word
	}
cutting:
	for range maxEndings {
		for _, e := range s.byLast[word[len(word)-1]-'a'] {
			rest := len(word) - len(e.text)
			if rest >= e.remain && string(word[rest:]) == e.text {
				word = word[:rest]
				continue cutting
			}
		}
		break
	}
	if last := &word[len(word)-1]; len(word) > 3 {
		switch *last {
		case 'p':
			*last = 'b'
		case 't':
			*last = 'd'
		case 'k':
			*last = 'g'
		}
	}
	return word
}
