package cli

import (
	"cmp"
	"fmt"
	"strings"

	"ayna/fetch"
)

// attempts is how often a question is asked until its answer is right.
const attempts = 3

// ask asks a question until accept takes the answer, and without a terminal not at all. The
// answer to an empty line is the default.
func (s *setup) ask(question, otherwise string, accept func(answer string) error) error {
	if s.answers == nil {
		return nil
	}
	for left := attempts - 1; ; left-- {
		suggested := ""
		if otherwise != "" {
			suggested = " [" + printable(otherwise) + "]"
		}
		fmt.Fprintf(s.stdout, "%s%s: ", question, suggested)
		if !s.answers.Scan() {
			return usagef("%s: no answer; --yes takes the defaults", question)
		}
		err := accept(cmp.Or(strings.TrimSpace(s.answers.Text()), otherwise))
		if err == nil || left == 0 {
			return err
		}
		fmt.Fprintln(s.stdout, printable(err.Error()))
	}
}

// askAddress returns the addresses that the argument may mean, or the answer to a question.
func (s *setup) askAddress(typed string) (addresses []string, err error) {
	switch {
	case typed != "":
		return addressesOf(typed)
	case s.answers == nil:
		return nil, usagef("give the URL of the news service, or --sample to try the built-in one")
	}
	err = s.ask("Address of the paper or news service", "", func(answer string) (err error) {
		addresses, err = addressesOf(answer)
		return err
	})
	return addresses, err
}

// askRest asks for what no flag gives, now that the source has been seen.
func (s *setup) askRest(greeting fetch.Greeting) error {
	if err := s.chooseLanguage(greeting.Titles); err != nil {
		return err
	}
	s.setDates(greeting.Dates, s.outline.Language)
	zoneKnown := s.chooseZone(greeting)
	o := &s.outline
	drops := o.Drops()
	*o = s.complete()
	if drops {
		fmt.Fprintln(s.stdout, "removed:  drop: what is deleted at the source goes from the mirror, too; --keep-removed keeps it")
	}
	for _, q := range []struct {
		question string
		known    bool
		value    *string
	}{
		{"Title of the site", s.title != "", &o.Title},
		{"Address where the site will be served", s.baseURL != "", &o.BaseURL},
		{"Time zone", zoneKnown, &o.Timezone},
	} {
		if q.known {
			continue
		}
		if err := s.ask(q.question, *q.value, s.into(q.value)); err != nil {
			return err
		}
	}
	if s.folders != "" {
		return nil
	}
	return s.ask("Folders to mirror", "/", func(answer string) error {
		o.Include = folderList(answer)
		_, err := s.draft()
		return err
	})
}

// into returns a function that sets a value to an answer, if the configuration accepts it.
func (s *setup) into(value *string) func(answer string) error {
	return func(answer string) error {
		*value = answer
		_, err := s.draft()
		return err
	}
}

// folderList splits a list of folders at its commas and blanks.
func folderList(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' })
}
