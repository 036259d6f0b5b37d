import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useApp } from '../app/app.ts';
import { Link } from '../app/link.tsx';
import type { Route } from '../app/route.ts';
import { fill } from '../locales/words.ts';
import { formatsOf } from './formats.ts';

const SHOWN = 8;

/** One line: how many of what, and another number about it. */
type Part = { key: string; name: ComponentChildren; count: number; share: string; to: Route };

/** What something is made of, the most frequent first: a table with a bar in each line. */
export function Breakdown(props: {
  title: string;
  columns: readonly [string, string, string];
  parts: readonly Part[];
}) {
  const { title, columns, parts } = props;
  const { words, locale } = useApp();
  const { count: written } = formatsOf(locale);
  const [isWhole, setWhole] = useState(false);
  const most = Math.max(1, ...parts.map(({ count }) => count));
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
                  <span class="bar" style={{ width: `${(count / most) * 100}%` }} />
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
