// A gallery's pictures, large and one by one: with arrow keys, Home and End, by
// swiping, or with buttons. Without it, each picture is a link to itself.
"use strict";

(() => {
  const list = document.querySelector(".pictures");
  const links = [...list.querySelectorAll("figure > a")];
  if (!links.length || !window.HTMLDialogElement) return;

  const make = (name, className, label) => {
    const element = document.createElement(name);
    element.className = className;
    if (label) element.setAttribute("aria-label", label);
    return element;
  };
  const dialog = make("dialog", "viewer", document.querySelector("h1").textContent);
  const button = (className, label, text, action) => {
    const b = make("button", className, label);
    b.type = "button";
    b.textContent = text;
    b.addEventListener("click", action);
    return b;
  };

  let at = 0;
  const picture = document.createElement("img");
  const caption = make("figcaption", "");
  caption.setAttribute("aria-live", "polite");
  const figure = make("figure", "");
  figure.append(picture, caption);
  const previous = button("previous", list.dataset.previous, "‹", () => show(at - 1));
  const next = button("next", list.dataset.next, "›", () => show(at + 1));
  const close = button("close", list.dataset.close, "×", () => dialog.close());
  dialog.tabIndex = -1;
  dialog.append(figure, previous, next, close);
  document.querySelector("main").append(dialog); // not in the item, which has widths and margins for what is in it

  function show(number) {
    at = Math.min(Math.max(number, 0), links.length - 1);
    const small = links[at].querySelector("img");
    picture.src = links[at].href;
    picture.alt = small.alt;
    picture.width = small.naturalWidth || small.width;
    picture.height = small.naturalHeight || small.height;
    caption.textContent = links[at].parentElement.querySelector("figcaption").textContent;
    // A button that has the focus is not taken away from under it.
    previous.setAttribute("aria-disabled", at === 0);
    next.setAttribute("aria-disabled", at === links.length - 1);
  }

  links.forEach((link, number) => link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return; // into another tab or window
    event.preventDefault();
    show(number);
    dialog.showModal();
    dialog.focus(); // and not a button, which the Enter that opened it would press
  }));

  // Where people read from the right, the next picture is at the left.
  const onward = document.documentElement.dir === "rtl" ? -1 : 1;
  const keys = { ArrowLeft: () => show(at - onward), ArrowRight: () => show(at + onward), Home: () => show(0), End: () => show(links.length - 1) };
  dialog.addEventListener("keydown", (event) => {
    if (!keys[event.key] || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    keys[event.key]();
  });
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  dialog.addEventListener("close", () => links[at].focus());

  let from = null;
  dialog.addEventListener("touchstart", (event) => { from = event.touches.length === 1 ? event.touches[0].clientX : null; }, { passive: true });
  dialog.addEventListener("touchend", (event) => {
    if (from === null) return;
    const way = event.changedTouches[0].clientX - from;
    if (Math.abs(way) > 40) show(way < 0 ? at + onward : at - onward);
    from = null;
  });
})();
