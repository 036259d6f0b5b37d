const messages = document.querySelector('#messages');

/** Loads new messages with the same filter. Opened messages stay open, and the focused element keeps the focus. */
async function refresh() {
  const response = await fetch(location.href, { cache: 'no-store' });
  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html').querySelector('#messages');
  for (const { id } of messages.querySelectorAll('details[open]')) {
    fresh.querySelector(`#${id}`)?.setAttribute('open', '');
  }
  if (fresh.isEqualNode(messages)) return;
  const focused = messages.contains(document.activeElement) ? placeOf(document.activeElement) : undefined;
  messages.replaceChildren(...fresh.childNodes);
  if (focused) messages.querySelectorAll(focused.selector)[focused.at]?.focus({ preventScroll: true });
}

/** Where to find an element after the list was rendered again: a selector, and its index among the matches. */
function placeOf(element) {
  const selector = `#${element.closest('details').id} :is(summary, pre)`;
  return { selector, at: [...messages.querySelectorAll(selector)].indexOf(element) };
}

async function refreshForever() {
  if (document.visibilityState === 'visible') await refresh().catch(() => {});
  setTimeout(refreshForever, 2000);
}

setTimeout(refreshForever, 2000);
