import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useApp } from '../app/app.tsx';
import { isBare } from '../parts/table.tsx';
import { searchText } from './search-text.ts';

/** The search box of every screen, focused by `/`. The address contains the search. */
export function SearchBox() {
  const { words, route, go } = useApp();
  const searched = route.page === 'search' ? searchText(route.filter.get('q') ?? '') : '';
  const [typed, setTyped] = useState(searched);
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => setTyped(searched), [searched]);
  useLayoutEffect(() => {
    const focus = (event: KeyboardEvent): void => {
      if (event.key !== '/' || !isBare(event)) return;
      event.preventDefault();
      box.current?.select();
    };
    document.addEventListener('keydown', focus);
    return () => document.removeEventListener('keydown', focus);
  }, []);
  return (
    <search class="everywhere">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          // The value of the element, not of the state: Enter may come before typed text is rendered.
          const q = searchText(box.current?.value ?? '');
          setTyped(q);
          if (q !== '') go({ page: 'search', filter: new URLSearchParams({ q }) });
        }}
      >
        <input
          ref={box}
          type="search"
          dir="auto"
          aria-label={words.search.label}
          aria-keyshortcuts="/"
          title={words.search.hint}
          value={typed}
          placeholder={words.search.label}
          autocomplete="off"
          spellcheck={false}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            event.preventDefault();
            setTyped(searched);
            event.currentTarget.blur();
          }}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <span aria-hidden="true" class="slash">
          /
        </span>
      </form>
    </search>
  );
}
