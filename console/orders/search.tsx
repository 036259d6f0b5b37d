import { useEffect, useRef, useState } from 'preact/hooks';
import { useApp } from '../app/app.ts';
import { isBare } from '../parts/table.tsx';
import { fieldOf, searchFields, searchIn, withSearch } from './filter.ts';

/** The box that `/` leads to, and where it looks. */
export function Search({ filter }: { filter: URLSearchParams }) {
  const { words, go } = useApp();
  const names = words.orders;
  const before = searchIn(filter);
  const [chosen, setChosen] = useState(before.field);
  const [typed, setTyped] = useState(before.text);
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    setChosen(before.field);
    setTyped(before.text);
  }, [before.field, before.text]);
  useEffect(() => {
    const focus = (event: KeyboardEvent): void => {
      if (event.key !== '/' || !isBare(event)) return;
      event.preventDefault();
      box.current?.select();
    };
    document.addEventListener('keydown', focus);
    return () => document.removeEventListener('keydown', focus);
  }, []);
  const search = (text: string): void => {
    const next = withSearch(filter, chosen, text);
    setTyped(searchIn(next).text);
    go({ page: 'orders', filter: next }, 'replace');
  };
  return (
    <form
      class="search"
      onSubmit={(event) => {
        event.preventDefault();
        search(typed);
      }}
    >
      <select
        aria-label={names.search_in}
        value={fieldOf(typed, chosen)}
        onChange={({ currentTarget }) => {
          const field = searchFields.find((name) => name === currentTarget.value);
          if (field) setChosen(field);
        }}
      >
        {searchFields.map((name) => (
          <option key={name} value={name}>
            {names[name]}
          </option>
        ))}
      </select>
      <input
        ref={box}
        type="search"
        dir="auto"
        aria-label={names.search}
        aria-keyshortcuts="/"
        value={typed}
        placeholder={names.search}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.preventDefault();
          setTyped('');
          if (before.text !== '') search('');
          event.currentTarget.blur();
        }}
        onInput={({ currentTarget }) => {
          setTyped(currentTarget.value);
          // The cross that some browsers show in it.
          if (currentTarget.value === '' && before.text !== '') search('');
        }}
      />
      <button type="submit">{names.search}</button>
    </form>
  );
}
