const messages = document.querySelector('#messages');

/** Shows what is new under the same filter, and leaves open what the reader opened, and focused what was. */
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

/** Where an element stands in its message, in words that hold after the message was drawn again. */
function placeOf(element) {
  const selector = `#${element.closest('details').id} :is(summary, pre)`;
  return { selector, at: [...messages.querySelectorAll(selector)].indexOf(element) };
}

async function refreshForever() {
  if (document.visibilityState === 'visible') await refresh().catch(() => {});
  setTimeout(refreshForever, 2000);
}

setTimeout(refreshForever, 2000);
