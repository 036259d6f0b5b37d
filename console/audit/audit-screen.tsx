import { useRef } from 'preact/hooks';
import type { AuditEntry } from '../../shared/api/audit.ts';
import { Link, useApp } from '../app/app.tsx';
import { fromFirstPage, withFields } from '../app/route.ts';
import { fill } from '../locales/words.ts';
import { CsvButton, ListScreen, useList } from '../parts/list-screen.tsx';
import { Badge } from '../parts/state.tsx';
import { Cell, Heads, Row } from '../parts/table.tsx';
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
          const next = Object.fromEntries(fields.map((name) => [name, String(typed.get(name)).trim()]));
          go({ page: 'audit', filter: withFields(filter, next) }, 'replace');
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
        <Heads heads={[words.orders.time, words.audit.who, words.audit.what, words.audit.about, words.audit.from]} />
        <tbody role="rowgroup">
          {entries.map((entry) => (
            <Row key={entry.id}>
              <Cell is="when">
                <Time at={entry.at} />
              </Cell>
              <Cell is="who">
                <Link to={{ page: 'audit', filter: new URLSearchParams({ by: entry.by }) }} class="bare">
                  <Foreign text={entry.by} />
                </Link>
              </Cell>
              <Cell is="what">
                <Action name={entry.action} />{' '}
                {entry.problem !== undefined && (
                  <Badge tone="bad">{fill(words.audit.refused, { code: entry.problem })}</Badge>
                )}
              </Cell>
              <Cell is="about">
                <About entry={entry} />
              </Cell>
              <Cell is="code from">{entry.ip === undefined ? words.nothing : <Foreign text={entry.ip} />}</Cell>
            </Row>
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
