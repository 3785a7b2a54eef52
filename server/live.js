// Loads the page again when a build has published.
new EventSource("/.ayna/events").addEventListener("publish", () => location.reload());
