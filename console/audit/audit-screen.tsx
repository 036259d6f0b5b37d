import type { AuditEntry } from '../../shared/api/audit.ts';
import { Link, useApp } from '../app/app.tsx';
import { fromFirstPage } from '../app/route.ts';
import { fill } from '../locales/words.ts';
import { FilterField, FilterForm } from '../parts/filter-field.tsx';
import { CsvButton, ListScreen, useList } from '../parts/list-screen.tsx';
import { Badge, OutcomeBadge } from '../parts/state.tsx';
import { type Column, column, Table } from '../parts/table.tsx';
import { Foreign, money, Time } from '../parts/text.tsx';

/** The audit log, newest first. */
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
      <Entries entries={entries} />
    </ListScreen>
  );
}

const fields = ['by', 'order_no'] as const;

function Filters({ filter, entries }: { filter: URLSearchParams; entries: readonly AuditEntry[] }) {
  const { words } = useApp();
  return (
    <FilterForm page="audit" filter={filter}>
      {fields.map((name) => (
        <FilterField
          key={name}
          name={name}
          label={words.audit[name]}
          value={filter.get(name)}
          {...(name === 'by' ? { list: 'audit-names' } : {})}
        />
      ))}
      <datalist id="audit-names">
        {[...new Set(entries.map(({ by }) => by))].map((by) => (
          <option key={by} value={by} />
        ))}
      </datalist>
    </FilterForm>
  );
}

function Entries({ entries }: { entries: readonly AuditEntry[] }) {
  const { words } = useApp();
  const { audit: names } = words;
  const columns: Column<AuditEntry>[] = [
    column('when', words.orders.time, ({ at }) => <Time at={at} />),
    column('who', names.who, ({ by }) => (
      <Link to={{ page: 'audit', filter: new URLSearchParams({ by }) }} class="bare">
        <Foreign text={by} />
      </Link>
    )),
    column('what', names.what, ({ action, items = [], outcome, problem }) => (
      <>
        <Action name={problem !== undefined && action === 'console.sign_in' ? 'sign_in_failed' : action} />{' '}
        <Asked items={items} /> {outcome && <OutcomeBadge outcome={outcome} />}
        {problem !== undefined && <Badge tone="bad">{fill(names.refused, { code: problem })}</Badge>}
      </>
    )),
    column('about', names.about, (entry) => <About entry={entry} />),
    column('code from', names.from, ({ ip }) => (ip === undefined ? words.nothing : <Foreign text={ip} />)),
  ];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls if it is wider than the page, by keyboard too
    <section class="wide" aria-label={words.pages.audit} tabIndex={0}>
      <Table class="orders audit" columns={columns} entries={entries} keyOf={({ id }) => id} />
    </section>
  );
}

/** The action in words; an action of a newer relay by its name. */
function Action({ name }: { name: string }) {
  const { words } = useApp();
  const actions: Readonly<Record<string, string>> = {
    ...words.audit.actions,
    sign_in_failed: words.audit.sign_in_failed,
  };
  const written = Object.hasOwn(actions, name) ? actions[name] : undefined;
  return written === undefined ? <Foreign text={name} /> : <span title={name}>{written}</span>;
}

/** The requested amount. A batch has several, which its operation shows. */
function Asked({ items: [item, ...others] }: { items: NonNullable<AuditEntry['items']> }) {
  const { locale } = useApp();
  if (item?.amount === undefined || item.currency === undefined || others.length > 0) return null;
  return <>{money(locale, item.currency, item.amount)}</>;
}

/** Whether the subject of an entry is shown as plain text: the filter of an export, or the person whose second factor was reset. */
const showsSubject = (action: string): boolean => /\.export$|_reset$/.test(action);

function About({ entry: { action, orders = [], subject } }: { entry: AuditEntry }) {
  const { words } = useApp();
  return (
    <span class="links">
      {orders.map((orderNo) => (
        <Link key={orderNo} to={{ page: 'order', orderNo }}>
          <Foreign text={orderNo} />
        </Link>
      ))}
      {subject !== undefined && showsSubject(action) && <Foreign text={subject} />}
      {subject?.startsWith('op_') && <Link to={{ page: 'operation', id: subject }}>{words.operation.id}</Link>}
      {subject?.startsWith('msg_') && <Link to={{ page: 'webhook', id: subject }}>{words.webhooks.id}</Link>}
    </span>
  );
}
