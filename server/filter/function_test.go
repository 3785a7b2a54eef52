package filter_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"ayna/archive"
	"ayna/server/filter"
)

// Functions, lists and aliases, and the ids of the records that they find in
// either database.
func TestFunctions(t *testing.T) {
	const all = "1 10 11 2 x y z"
	aliases := map[string]string{
		"@a": "'1'", "@b": "@a", "@list": "('1', @x)", "@x": "'x'", "@s": "'/sp'", "@e": "Id eq '2' or Path eq ''", "@date": "2026-03-02",
	}
	tests := []struct{ expression, want string }{
		{"tolower(Path) eq ' /iğdir/ünlü/ı '", "z"},
		{"toupper(Path) eq ' /IĞDIR/ÜNLÜ/I '", "z"},
		{"toupper(Path) eq '/ŞEHIR/'", "10"},
		{"tolower('ŞEHİR I') eq 'şehir i'", all},
		{"toupper('çğıöşüâîû') eq 'ÇĞIÖŞÜÂÎÛ'", all},
		{"tolower('ÇĞİÖŞÜÂÎÛÉ') eq 'çğiöşüâîûÉ'", all},
		{"trim(Path) eq '/IĞDIR/Ünlü/ı'", "z"},
		{"trim('\u3000\t a\u00a0b \u2009') eq 'a\u00a0b'", all},
		{"length(Path) eq 0", "x"},
		{"length(Path) eq 7", "10 y"},
		{"1 lt length(WriterId)", "1 10"},
		{"indexof(Path,'ehir') eq 2", "10"},
		{"indexof(Path,'/') eq -1", "x"},
		{"indexof(Path,'\"') eq 5", "y"},
		{"indexof(Path,'') eq 0", all},
		{"substring(Path,1) eq 'spor/'", "1"},
		{"substring(Path,1,1) eq 'ş'", "10"},
		{"substring(Path,5) eq '\"/'", "y"},
		{"substring(Path,5,1) eq '\"'", "y"},
		{"substring(Path,0,0) eq null", all},
		{"substring(Path,1000000,1000000) eq ''", all},
		{"concat(Id,Path) eq '1/spor/'", "1"},
		{"concat(Path,'?%s$1') eq '/spor/?%s$1'", "1"},
		{"contains(concat(Path,''),'o''b')", "11"},
		{"tolower(Path) eq 'x'' or ''1''=''1'", ""},
		{"concat(concat(Id,' '),WriterId) eq 'y 1'", "y"},
		{"endswith(Path,concat('f','utbol/'))", "2"},
		{"endswith(Path,trim(''))", all},
		{"endswith(concat(Path,'x'),'/x')", "1 10 11 2 y"},
		{"endswith(tolower(Path),'r/')", "1 10"},
		{"endswith(trim(Path),'ı')", "z"},
		{"startswith(tolower(trim(Path)),'/iğdir')", "z"},
		{"contains(tolower(Path),tolower('POR'))", "1 2"},
		{"contains(Path,substring('xpor',1))", "1 2"},
		{"substringof('POR',toupper(Path))", "1 2"},
		{"startswith('/spor/futbol/more',Path)", "1 2 x"},
		{"contains(Id,1) eq false", "2 x y z"},
		{"year(ModifiedDate) eq 2026", "1 11 2"},
		{"year(ModifiedDate) lt 1970", "y"},
		{"year(ModifiedDate) ne 2026", "10 x y z"},
		{"year(ModifiedDate) eq null", "10 x"},
		{"month(ModifiedDate) eq 12", "y"},
		{"day(ModifiedDate) eq 28", "z"},
		{"hour(ModifiedDate) eq 23", "y z"},
		{"minute(ModifiedDate) eq 59", "y z"},
		{"second(ModifiedDate) eq 59", "y z"},
		{"second(ModifiedDate) eq 0", "1 11 2"},
		{"year(2026-12-31t23:59:59.999z) eq 2026", all},
		{"day('2026-02-28T23:59:59Z') in (27,28)", all},
		{"date(ModifiedDate) eq 2026-03-02", "11 2"},
		{"date(ModifiedDate) lt '2026-03-02'", "1 y"},
		{"date(ModifiedDate) ge @date", "11 2 z"},
		{"date(ModifiedDate) eq null", "10 x"},
		{"ModifiedDate ge 2026-03-02t12:30:00.5z", "11 2 z"},
		{"ModifiedDate ge datetime'2026-03-02t12:30:00.5z'", "11 2 z"},
		{"ModifiedDate eq ModifiedDate", all},
		{"ModifiedDate ge ModifiedDate", "1 11 2 y z"},
		{"Path eq Id", ""},
		{"Path ne WriterId", "1 10 11 2 y z"},
		{"(Id eq '1') eq (Path eq '/spor/')", all},
		{"(Id eq '1') gt (Path eq '')", "1"},
		{"contains(Path,'por') ge true", "1 2"},
		{"contains(Path,'por') eq null", ""},
		{"null ne contains(Path,'por')", all},
		{"1 eq 1", all},
		{"1 gt 2", ""},
		{"2 gt 10", ""},
		{"'2' gt 10", all},
		{"'a' lt 'b'", all},
		{"'a' eq null", ""},
		{"'' eq null", all},
		{"null eq null", all},
		{"null ge null", ""},
		{"1 ne null", all},
		{"true eq false", ""},
		{"true ne false", all},
		{"true gt false", all},
		{"2026-03-02 lt '2026-03-03'", all},
		{"'2026-03-02' ge 2026-03-03", ""},
		{"Id in ('1','2')", "1 2"},
		{"Id IN(1, 11)", "1 11"},
		{"not (Id in ('1','2'))", "10 11 x y z"},
		{"Id in ('1','2') eq false and Path ne ''", "10 11 y z"},
		{"Id in ()", ""},
		{"Path in ('',null)", "x"},
		{"ModifiedDate in (2026-03-02T12:30:00.5Z,null)", "10 11 2 x"},
		{"tolower(Id) in ('X','x')", "x"},
		{"1 in (2,1)", all},
		{"Id eq @a", "1"},
		{"Id eq @A", "1"},
		{"@b eq Id", "1"},
		{"Id in @list", "1 x"},
		{"Id in (@a,@x)", "1 x"},
		{"@e", "2 x"},
		{"not @e and startswith(Path,@s)", "1"},
		{"Path eq @unknown", "x"},
	}
	check := func(t *testing.T, a *archive.Archive) {
		for _, test := range tests {
			where, err := filter.Parse(test.expression, allowed, time.UTC, aliases)
			if err != nil {
				t.Errorf("%s: %v", test.expression, err)
				continue
			}
			if got := strings.Join(answer(t, a, where), " "); got != test.want {
				t.Errorf("%s: %q, want %q", test.expression, got, test.want)
			}
		}
	}
	t.Run("sqlite", func(t *testing.T) { check(t, open(t)) })
	t.Run("postgres", func(t *testing.T) { check(t, openPostgres(t)) })
}

// Errors inside an alias name it and the place of its use, and no alias
// makes an expression longer or deeper than the limits.
func TestAliases(t *testing.T) {
	many := strings.Repeat("true and ", 30) + "true"
	aliases := map[string]string{
		"@circle": "@circle", "@ping": "(@pong)", "@pong": "@ping", "@many": many, "@long": "'" + strings.Repeat("a", filter.MaxBytes) + "'",
		"@bad": "Path eq", "@quote": "'a' or Id eq '1", "@two": "'1' '2'", "@text": "'a'", "@empty": "", "@double": "@many and @many", "@lists": "@lists",
		"@far": strings.Repeat(" ", 100) + "Nothing eq 1",
	}
	tests := []struct {
		expression string
		position   int
		says       string
	}{
		{"Id eq @circle", 7, "nested deeper than 16"},
		{"Id eq @ping", 7, "nested deeper than 16"},
		{"@many and @many and @many and @many", 31, "more than 100"},
		{"@double or @double", 12, "in @double, at character"},
		{"Id eq @long", 7, "@long is longer than 2048 bytes"},
		{"Id eq '1' and @bad", 15, "in @bad, at character 8: expected a property"},
		{"Id eq @quote", 7, "in @quote, at character 1: expected a condition"},
		{"Id eq @two", 7, "in @two, at character 5: expected the end"},
		{"Id eq @empty", 7, "in @empty, at character 1: expected a property"},
		{"@far", 1, "in @far, at character 101: no such property"},
		{"@text", 1, "expected a condition, this is a value"},
		{"year(ModifiedDate) eq @text", 23, "expected a number"},
		{"Id in @none", 7, "there is no parameter @none"},
		{"Id in @text", 7, "in @text, at character 1: expected ( and values"},
		{"Id in @lists", 7, "nested deeper than 16"},
		{"Id in '1'", 7, "expected ( and values"},
		{"Id in ('1',)", 12, "expected a property, a value"},
		{"Id in ('1' '2')", 12, "expected )"},
		{"Id in (" + strings.Repeat("'1',", 100) + "'1')", 404, "more than 100"},
		{"Id in (2026-03-02)", 8, "expected a string"},
		{"substring(Path,-1) eq 'a'", 16, "expected a whole number"},
		{"substring(Path,1.5) eq 'a'", 16, "expected a whole number"},
		{"substring(Path,length(Path)) eq 'a'", 16, "expected a whole number"},
		{"substring(Path,1000001) eq 'a'", 16, "expected a whole number"},
		{"substring(Path) eq 'a'", 15, "expected , and another argument"},
		{"substring(Path,1,2,3) eq 'a'", 19, "expected )"},
		{"tolower(ModifiedDate) eq 'a'", 9, "expected a string"},
		{"tolower(true) eq 'a'", 9, "expected a string"},
		{"year(Path) eq 2026", 6, "expected a date"},
		{"year('yesterday') eq 2026", 6, "expected a date"},
		{"year(ModifiedDate) eq ModifiedDate", 23, "expected a number"},
		{"length(Path) eq '3'", 17, "expected a number"},
		{"length(Path)", 13, "expected a comparison"},
		{"Id eq '1' or tolower(Path)", 27, "expected a comparison"},
		{"tolower(Path) eq true", 18, "expected a string"},
		{"(Id eq '1') eq 1", 16, "a condition is compared with"},
		{"matchesPattern(Path,'(a+)+$')", 1, "no such function"},
		{"Id add 1 eq 2", 4, "no such operator"},
		{tolowers(17), 129, "nested deeper than 16"},
	}
	for _, test := range tests {
		_, err := filter.Parse(test.expression, allowed, time.UTC, aliases)
		var e *filter.Error
		if !errors.As(err, &e) || e.Position != test.position || !strings.Contains(e.Message, test.says) {
			t.Errorf("%.60s: %v, want %d: %s", test.expression, err, test.position, test.says)
		}
	}
	if where, err := filter.Parse(tolowers(16), allowed, time.UTC, nil); err != nil || !slices.Equal(answer(t, open(t), where), []string{"x"}) {
		t.Errorf("16 functions in each other: %v", err)
	}
}

func tolowers(n int) string {
	return strings.Repeat("tolower(", n) + "Id" + strings.Repeat(")", n) + " eq 'x'"
}
