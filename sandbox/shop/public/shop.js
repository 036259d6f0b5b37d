const checkout = document.querySelector('turnpike-checkout');
const events = document.querySelector('#events');

/** Adds an event to the list; of changes in a row only the last one stays. */
function show(type, detail) {
  const last = events.lastElementChild;
  const entry = type === 'change' && last?.dataset.type === type ? last : document.createElement('li');
  const name = document.createElement('strong');
  name.textContent = type;
  entry.dataset.type = type;
  entry.replaceChildren(name, ` ${detail === undefined || detail === null ? '' : JSON.stringify(detail)}`);
  events.append(entry);
}

for (const type of ['ready', 'change', 'submit', 'result', 'error']) {
  checkout?.addEventListener(type, ({ detail }) => {
    show(type, detail);
    if (type !== 'result') return;
    if (detail?.status === 'approved') document.querySelector('#thanks').hidden = false;
    if (['approved', 'failed', 'expired'].includes(detail?.status)) document.querySelector('#again').hidden = false;
  });
}
