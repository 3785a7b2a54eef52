package wordpress

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// offsetZones are the zones of offsets that are no whole hours, in minutes.
var offsetZones = map[int]string{
	-570: "Pacific/Marquesas", 210: "Asia/Tehran", 270: "Asia/Kabul", 330: "Asia/Kolkata", 345: "Asia/Kathmandu", 390: "Asia/Yangon",
	525: "Australia/Eucla", 570: "Australia/Darwin",
}

// summerZones have summer time, and these offsets in the other half of the year.
var summerZones = map[int]string{-210: "America/St_Johns", 630: "Australia/Lord_Howe", 765: "Pacific/Chatham"}

var offsetNumber = regexp.MustCompile(`^[+-]?\d{1,2}(\.\d{1,4})?$`)

// zoneOf returns the time zone of a paper without a named one, and a note if no zone has its
// offset all year. raw is the offset in hours, as a number or as text. What is no offset is
// returned as it is.
func zoneOf(raw json.RawMessage) (zone, note string) {
	const west, east = -12 * 60, 14 * 60 // of WordPress's own list
	text := strings.Trim(string(raw), `"`)
	if text == "null" {
		return "", ""
	}
	hours, err := strconv.ParseFloat(text, 64)
	minutes := int(math.Round(hours * 60))
	if err != nil || !offsetNumber.MatchString(text) || minutes < west || minutes > east {
		return text, ""
	}
	if zone, ok := offsetZones[minutes]; ok {
		return zone, ""
	}
	zone, ok := summerZones[minutes]
	if whole := int(math.Round(hours)); whole == 0 && !ok {
		zone = "UTC"
	} else if !ok {
		zone = fmt.Sprintf("Etc/GMT%+d", -whole)
	}
	if minutes%60 != 0 {
		offset := time.Time{}.In(time.FixedZone("", minutes*60)).Format("-07:00")
		note = fmt.Sprintf("the site's own is %s all year, which no time zone has", offset)
	}
	return zone, note
}
