/**
 * Makes the search field filter the contents of the page during the input. The server sends the text of this function to the browser,
 * so it uses nothing from outside of itself.
 */
export function searchContents(page: Document): void {
  const field = page.querySelector<HTMLInputElement>('#search');
  const count = page.querySelector('#found');
  const folded = page.querySelector<HTMLDetailsElement>('details.narrow');
  if (!field || !count || !folded) return;

  type Entry = { id: string; item: HTMLElement; name: string; text: string };
  let entries: Entry[] | undefined;
  let wasOpen = false;

  const read = (): Entry[] =>
    [...page.querySelectorAll<HTMLElement>('nav li')].map((item) => {
      const link = item.querySelector('a');
      const id = link?.hash.slice(1) ?? '';
      const section = page.getElementById(id);
      const address = section?.querySelector('.address')?.textContent ?? '';
      const name = `${id} ${link?.textContent} ${address}`.toLowerCase();
      return { id, item, name, text: (section?.textContent ?? '').toLowerCase() };
    });

  const filter = (): void => {
    entries ??= read();
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const having = (where: 'name' | 'text') =>
      entries?.filter((one) => words.every((word) => one[where].includes(word)));
    // Entries with the words in their name or address; if there are none, those with the words in their text.
    const named = having('name') ?? [];
    const found = new Set(named.length > 0 ? named : having('text'));
    for (const entry of entries) entry.item.hidden = !found.has(entry);
    for (const list of page.querySelectorAll<HTMLElement>('nav ul')) {
      const isEmpty = !list.querySelector('li:not([hidden])');
      list.hidden = isEmpty;
      if (list.previousElementSibling instanceof HTMLElement) list.previousElementSibling.hidden = isEmpty;
    }
    const isSearching = words.length > 0;
    const total = new Set([...found].map(({ id }) => id)).size;
    count.textContent = isSearching ? `${total} found` : '';
    for (const note of page.querySelectorAll<HTMLElement>('nav .none')) note.hidden = total > 0;
    // On a phone the contents cover the page, which does not move.
    if (isSearching !== page.body.classList.contains('searching')) {
      if (isSearching) wasOpen = folded.open;
      folded.open = isSearching || wasOpen;
      page.body.classList.toggle('searching', isSearching);
    }
  };

  const clear = (): void => {
    field.value = '';
    filter();
  };

  field.addEventListener('input', filter);
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      event.preventDefault();
      if (field.value === '') field.blur();
      clear();
    }
    if (event.key === 'Enter') {
      const links = [...page.querySelectorAll<HTMLElement>('nav li:not([hidden]) a')];
      if (field.value.trim() !== '') links.find((link) => link.offsetParent)?.click();
    }
  });
  folded.addEventListener('click', (event) => {
    if (!(event.target instanceof Element) || !event.target.closest('a')) return;
    // The chosen section is under the contents.
    clear();
    field.blur();
  });
  page.addEventListener('keydown', (event) => {
    const isTyping =
      event.target instanceof Element && event.target.matches('input, textarea, select, [contenteditable]');
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    field.focus({ preventScroll: true });
    field.select();
  });
  // A reload keeps the text of the field.
  if (field.value !== '') filter();
}
