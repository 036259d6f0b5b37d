const messages = document.querySelector('#messages');

/** Shows what is new, and leaves open what the reader opened. */
async function refresh() {
  const response = await fetch('/', { cache: 'no-store' });
  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html').querySelector('#messages');
  for (const { id } of messages.querySelectorAll('details[open]')) {
    fresh.querySelector(`#${id}`)?.setAttribute('open', '');
  }
  if (!fresh.isEqualNode(messages)) messages.replaceChildren(...fresh.childNodes);
}

async function refreshForever() {
  if (document.visibilityState === 'visible') await refresh().catch(() => {});
  setTimeout(refreshForever, 2000);
}

setTimeout(refreshForever, 2000);
