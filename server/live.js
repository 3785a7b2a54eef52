// Loads the page again when a build has published.
let published = document.currentScript.dataset.published;
setInterval(async () => {
  const response = await fetch("/.ayna/published");
  const now = response.ok && await response.text();
  if (now && now !== published) location.reload();
}, 1000);
