import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Link, useApp } from '../app/app.tsx';
import type { Route } from '../app/route.ts';
import { fill } from '../locales/words.ts';
import { formatsOf } from './formats.ts';

const SHOWN = 8;

/** One line: a name, a count, and another number. */
type Part = { key: string; name: ComponentChildren; count: number; share: string; to: Route };

/** A breakdown as a table with a bar in each line, most frequent first. */
export function Breakdown(props: {
  title: string;
  columns: readonly [string, string, string];
  parts: readonly Part[];
}) {
  const { title, columns, parts } = props;
  const { words, locale } = useApp();
  const { count: written } = formatsOf(locale);
  const [isWhole, setWhole] = useState(false);
  const max = Math.max(1, ...parts.map(({ count }) => count));
  return (
    <section class="card">
      <h2>{title}</h2>
      {parts.length === 0 ? (
        <p class="hint">{words.figures.nothing_here}</p>
      ) : (
        <table class="list breakdown">
          <thead>
            <tr>
              <th scope="col">{columns[0]}</th>
              <th scope="col" class="number">
                {columns[1]}
              </th>
              <th scope="col" class="number">
                {columns[2]}
              </th>
            </tr>
          </thead>
          <tbody>
            {(isWhole ? parts : parts.slice(0, SHOWN)).map(({ key, name, count, share, to }) => (
              <tr key={key}>
                <td>
                  <Link to={to} class="row-link">
                    {name}
                  </Link>
                  <span class="bar" style={{ width: `${(count / max) * 100}%` }} />
                </td>
                <td class="number">{written(count)}</td>
                <td class="number">{share}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {!isWhole && parts.length > SHOWN && (
        <button type="button" class="plain" onClick={() => setWhole(true)}>
          {fill(words.figures.show_all, { count: parts.length })}
        </button>
      )}
    </section>
  );
}

/** The number of codes whose reason is read. Each costs a request. */
const MAX_READ = 6;

/**
 * The gateway's messages for its decline codes. Figures contain only the codes, so the newest order with each code is read. Codes
 * without a readable message are missing. `filter` narrows the orders.
 */
export function useReasons(codes: readonly string[], filter: URLSearchParams): ReadonlyMap<string, string> {
  const { api } = useApp();
  const [known, setKnown] = useState<ReadonlyMap<string, string>>(new Map());
  const asked = JSON.stringify([codes.slice(0, MAX_READ), String(filter)]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the request contains every input
  useEffect(() => {
    let isOver = false;
    const read = async (): Promise<void> => {
      for (const code of codes.slice(0, MAX_READ)) {
        if (known.has(code)) continue;
        const query = new URLSearchParams(filter);
        query.set('decline_code', code);
        query.set('limit', '1');
        const { orders } = await api.orders(query);
        if (isOver) return;
        const [first] = orders;
        const order = first && (await api.order(first.order_no));
        if (isOver) return;
        const attempts = order?.sessions.flatMap((session) => session.attempts) ?? [];
        const message = attempts.find(({ result }) => result?.code === code)?.result?.message;
        setKnown((before) => new Map(before).set(code, message ?? ''));
      }
    };
    read().catch(() => undefined);
    return () => {
      isOver = true;
    };
  }, [api, asked]);
  return known;
}
