import { useRef } from 'preact/hooks';
import type { AuditEntry } from '../../shared/api/audit.ts';
import { useApp } from '../app/app.ts';
import { Link } from '../app/link.tsx';
import { fill } from '../locales/words.ts';
import { fromFirstPage, withField } from '../parts/filter.ts';
import { CsvButton, ListScreen, useList } from '../parts/list-screen.tsx';
import { Badge } from '../parts/state.tsx';
import { Foreign, Time } from '../parts/text.tsx';

/** Who did what, when and from where, the newest first. */
export function AuditScreen({ filter }: { filter: URLSearchParams }) {
  const { api } = useApp();
  const reading = useList(filter, api.audit);
  const { entries = [] } = reading.answer ?? {};
  const all = fromFirstPage(filter);
  return (
    <ListScreen
      page="audit"
      filter={filter}
      reading={reading}
      size={entries.length}
      aside={<CsvButton list="audit" filter={all} />}
      filters={<Filters key={String(all)} filter={all} entries={entries} />}
    >
      <Table entries={entries} />
    </ListScreen>
  );
}

const fields = ['by', 'order_no'] as const;

function Filters({ filter, entries }: { filter: URLSearchParams; entries: readonly AuditEntry[] }) {
  const { words, go } = useApp();
  const form = useRef<HTMLFormElement>(null);
  return (
    <search>
      <form
        ref={form}
        class="filters"
        onSubmit={(event) => {
          event.preventDefault();
          const typed = new FormData(event.currentTarget);
          const next = fields.reduce(
            (narrowed, name) => withField(narrowed, name, String(typed.get(name)).trim()),
            filter,
          );
          go({ page: 'audit', filter: next }, 'replace');
        }}
      >
        {fields.map((name) => (
          <input
            key={name}
            type="search"
            name={name}
            dir="auto"
            list={name === 'by' ? 'audit-names' : undefined}
            aria-label={words.audit[name]}
            placeholder={words.audit[name]}
            defaultValue={filter.get(name) ?? ''}
            // The cross that some browsers show in it.
            onInput={({ currentTarget }) => {
              if (currentTarget.value === '' && filter.has(name)) form.current?.requestSubmit();
            }}
          />
        ))}
        <datalist id="audit-names">
          {[...new Set(entries.map(({ by }) => by))].map((by) => (
            <option key={by} value={by} />
          ))}
        </datalist>
        <button type="submit">{words.orders.search}</button>
      </form>
    </search>
  );
}

function Table({ entries }: { entries: readonly AuditEntry[] }) {
  const { words } = useApp();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls where it is wider than the page, by keyboard too
    <section class="wide" aria-label={words.pages.audit} tabIndex={0}>
      <table class="list orders audit" role="table">
        <thead role="rowgroup">
          <tr role="row">
            {[words.orders.time, words.audit.who, words.audit.what, words.audit.about, words.audit.from].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {entries.map((entry) => (
            <tr key={entry.id} role="row">
              <td role="cell" class="when">
                <Time at={entry.at} />
              </td>
              <td role="cell" class="who">
                <Link to={{ page: 'audit', filter: new URLSearchParams({ by: entry.by }) }} class="bare">
                  <Foreign text={entry.by} />
                </Link>
              </td>
              <td role="cell" class="what">
                <Action name={entry.action} />{' '}
                {entry.problem !== undefined && (
                  <Badge tone="bad">{fill(words.audit.refused, { code: entry.problem })}</Badge>
                )}
              </td>
              <td role="cell" class="about">
                <About entry={entry} />
              </td>
              <td role="cell" class="code from">
                {entry.ip === undefined ? words.nothing : <Foreign text={entry.ip} />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** What was done, in words; what newer relays do by its own name. */
function Action({ name }: { name: string }) {
  const { words } = useApp();
  const actions: Readonly<Record<string, string>> = words.audit.actions;
  const written = Object.hasOwn(actions, name) ? actions[name] : undefined;
  return written === undefined ? <Foreign text={name} /> : <span title={name}>{written}</span>;
}

function About({ entry: { orders = [], subject } }: { entry: AuditEntry }) {
  const { words } = useApp();
  return (
    <span class="links">
      {orders.map((orderNo) => (
        <Link key={orderNo} to={{ page: 'order', orderNo }}>
          <Foreign text={orderNo} />
        </Link>
      ))}
      {subject?.startsWith('op_') && <Link to={{ page: 'operation', id: subject }}>{words.operation.id}</Link>}
      {subject?.startsWith('msg_') && <Link to={{ page: 'webhook', id: subject }}>{words.webhooks.id}</Link>}
    </span>
  );
}
