package browser

import (
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// misjudged returns the pictures whose attribute sizes names far more or less room than
// they have, and those for which a larger file was chosen than they need. Chromium
// measures lazy ones itself; the rest of the attribute is for other browsers.
const misjudged = `(() => {
  const pixels = (length) => {
    const probe = document.body.appendChild(document.createElement("div"));
    probe.style.cssText = "position: absolute; width: " + length;
    const width = probe.getBoundingClientRect().width;
    probe.remove();
    return width;
  };
  const named = (sizes) => pixels(sizes.replace(/^auto, /, "").split(", ").map((size) => size.match(/^(\(.*\))? ?(.*)$/)).find(([, query]) => !query || matchMedia(query).matches)[2]);
  return [...document.images].filter((i) => i.srcset && i.checkVisibility()).flatMap((i) => {
    const {width, height} = i.getBoundingClientRect();
    const need = getComputedStyle(i).objectFit === "cover" ? Math.max(width, height * i.getAttribute("width") / i.getAttribute("height")) : width;
    if (width >= i.getAttribute("width")) return []; // all of it is shown
    const lazy = i.sizes.startsWith("auto, "), far = lazy ? 2.5 : 1.6;
    const files = i.srcset.split(", ").map((file) => file.split(" ")).map(([file, size]) => [new URL(file, location).href, parseInt(size)]);
    const chosen = files.find(([file]) => file === i.currentSrc)?.[1];
    const enough = files.find(([, size]) => size >= need * devicePixelRatio)?.[1];
    const found = [];
    if (named(i.sizes) > far * need || named(i.sizes) < need / 1.5) found.push("has sizes of " + named(i.sizes));
    const there = [...document.images].some((other) => other !== i && other.currentSrc === i.currentSrc); // loaded for another
    if (!there && chosen > 1.6 * need * devicePixelRatio && chosen > enough) found.push("loads " + chosen);
    return found.map((what) => what + ", needs " + Math.round(need) + ": " + i.closest("[class]").className + " " + i.sizes);
  });
})()`

// TestPictureSizes looks at what is loaded of the pictures on each page.
func TestPictureSizes(t *testing.T) {
	p := build(t)
	c := openTab(t)
	// What is in the cache is shown instead of what would be chosen.
	call(t, c, network.SetCacheDisabled, network.SetCacheDisabledParams{CacheDisabled: true})
	names := p.find(t, "index.html", "spor/index.html", "spor/basketbol/ust-ligde-ilk-galibiyet-*.html", "gundem/saat-kulesi-*.html", "yazarlar/sevgi-ozbay/*.html",
		galleryPage, "video/*-[0-9]*.html", "yazar/index.html", "yazar/*/index.html", "arsiv/2026-10.html", "tur/foto-galeri/index.html")
	for _, screen := range []emulation.SetDeviceMetricsOverrideParams{
		{Width: 360, Height: 800, DeviceScaleFactor: 2, Mobile: true},
		{Width: 768, Height: 1024, DeviceScaleFactor: 1},
		{Width: 1280, Height: 900, DeviceScaleFactor: 1},
	} {
		call(t, c, emulation.SetDeviceMetricsOverride, screen)
		for _, name := range names {
			var found []string
			for range 3 { // a busy machine is late with the width of the window
				c.do(t, chromedp.Navigate("about:blank"), chromedp.Navigate(p.url+name))
				c.toThePictures(t)
				if found = eval[[]string](t, c, misjudged); len(found) == 0 {
					break
				}
			}
			for _, picture := range found {
				t.Errorf("%s, %d pixels: %.300s", name, screen.Width, picture)
			}
		}
	}
}
