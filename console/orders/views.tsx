import { useId, useRef, useState } from 'preact/hooks';
import { isObject } from '../../shared/checkout/is-object.ts';
import { readJson } from '../api/send.ts';
import { Link, useApp } from '../app/app.tsx';
import { fill } from '../locales/words.ts';
import { Foreign, isolated } from '../parts/text.tsx';

/** A saved filter with a name. */
type View = { name: string; query: string };

/** The part of a filter that a view saves. It contains no data of a shopper, because it stays in the browser. */
const KEPT = [
  ...['status', 'session_status', 'needs_attention', 'capturable', 'created_from', 'created_to', 'amount'],
  ...['currency', 'payment_method', 'decline_code', 'sort'],
];

/** The maximum number of views. More would need a search. */
const MAX_VIEWS = 20;

/** The filters that the person saved in this browser for this account, and a form that saves the current one. */
export function Views({ filter }: { filter: URLSearchParams }) {
  const { words, me, account } = useApp();
  const { views: names } = words;
  const storage = `turnpike.views ${JSON.stringify([me.name, account.id])}`;
  const [views, setViews] = useState(() => viewsIn(storage));
  const [name, setName] = useState('');
  const box = useRef<HTMLDetailsElement>(null);
  const id = useId();
  const query = new URLSearchParams([...filter].filter(([field]) => KEPT.includes(field))).toString();
  const keep = (next: readonly View[]): void => {
    setViews(next);
    try {
      window.localStorage.setItem(storage, JSON.stringify(next));
    } catch {
      // The browser stores nothing: the views last until the page is left.
    }
  };
  const close = (): void => {
    box.current?.removeAttribute('open');
    box.current?.querySelector('summary')?.focus();
  };
  return (
    <details
      class="views"
      ref={box}
      onKeyDown={(event) => {
        if (event.key === 'Escape') close();
      }}
    >
      <summary class="button">{names.title}</summary>
      <div>
        {views.length === 0 && <p class="hint">{names.none}</p>}
        <ul>
          {views.map((view) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the click of its link, by mouse or keyboard, closes the list
            <li key={view.name} onClick={({ target }) => target instanceof HTMLAnchorElement && close()}>
              <Link to={{ page: 'orders', filter: new URLSearchParams(view.query) }} isCurrent={view.query === query}>
                <Foreign text={view.name} />
              </Link>
              <button
                type="button"
                class="plain"
                aria-label={fill(names.remove, { name: isolated(view.name) })}
                onClick={() => keep(views.filter((one) => one !== view))}
              >
                {names.remove_short}
              </button>
            </li>
          ))}
        </ul>
        {query !== '' && views.length < MAX_VIEWS && (
          <form
            class="field"
            onSubmit={(event) => {
              event.preventDefault();
              const given = name.trim();
              if (given === '') return;
              keep([...views.filter((one) => one.name !== given), { name: given, query }]);
              setName('');
            }}
          >
            <label for={id}>{names.name}</label>
            <input
              id={id}
              value={name}
              dir="auto"
              maxLength={40}
              autocomplete="off"
              onInput={({ currentTarget }) => setName(currentTarget.value)}
            />
            <button type="submit">{names.save}</button>
          </form>
        )}
      </div>
    </details>
  );
}

function viewsIn(storage: string): readonly View[] {
  try {
    const kept: unknown = readJson(window.localStorage.getItem(storage) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isView) : [];
  } catch {
    return [];
  }
}

function isView(one: unknown): one is View {
  return isObject(one) && typeof one.name === 'string' && typeof one.query === 'string';
}
