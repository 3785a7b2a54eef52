package cli

import (
	"fmt"
	"os"
	"strings"
	"time"

	"ayna/fetch"
)

// chooseZone sets the time zone to that of the source, or else to that of this machine, unless
// a flag gives one. It reports whether the zone is certain.
func (s *setup) chooseZone(greeting fetch.Greeting) (isCertain bool) {
	if s.timezone != "" {
		return true
	}
	zone, why := greeting.Site.Zone, ", as the site names it"
	_, err := time.LoadLocation(zone)
	switch {
	case zone == "":
		zone, why = zoneOf(greeting.Zoned, machineZone())
	case err != nil || zone == "Local":
		zone, why = "UTC", fmt.Sprintf("; the site's own, %.40q, is no time zone", zone)
	default:
		if isCertain = true; greeting.Site.ZoneNote != "" {
			why = "; " + greeting.Site.ZoneNote
		}
	}
	s.outline.Timezone = zone
	fmt.Fprintf(s.stdout, "timezone: %s%s\n", zone, printable(why))
	return isCertain
}

// zoneOf returns the time zone of a source that names none, and why it is that one: the
// machine's, unless the dates have other offsets.
func zoneOf(dates []time.Time, machine string) (zone, why string) {
	if location, err := time.LoadLocation(machine); machine != "" && err == nil {
		agrees := true
		for _, at := range dates {
			_, theirs := at.Zone()
			_, ours := at.In(location).Zone()
			agrees = agrees && theirs == ours
		}
		if agrees {
			return machine, ", this machine's, as the source names none"
		}
	}
	if len(dates) > 0 {
		if _, offset := dates[0].Zone(); offset%3600 == 0 {
			zone = fmt.Sprintf("Etc/GMT%+d", -offset/3600)
		}
		if _, err := time.LoadLocation(zone); zone != "" && err == nil {
			return zone, ", the offset of its newest date; write a name as Europe/Berlin if its clocks change"
		}
	}
	return "UTC", "; neither the source nor this machine names another one"
}

// machineZone returns the name of this machine's time zone, "" if it has none.
func machineZone() string {
	name, isSet := os.LookupEnv("TZ")
	if isSet && name == "" {
		return "UTC"
	}
	if !isSet {
		link, _ := os.Readlink("/etc/localtime") // of Linux and macOS
		_, name, _ = strings.Cut(link, "zoneinfo/")
	}
	name = strings.TrimPrefix(name, ":")
	if _, err := time.LoadLocation(name); err != nil || name == "Local" {
		return ""
	}
	return name
}
