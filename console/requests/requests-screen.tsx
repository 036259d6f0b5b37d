import type { RequestEntry } from '../../shared/api/request.ts';
import { Link, useApp } from '../app/app.tsx';
import { fromFirstPage } from '../app/route.ts';
import { FilterField, FilterForm } from '../parts/filter-field.tsx';
import { ListScreen, useList } from '../parts/list-screen.tsx';
import { Badge } from '../parts/state.tsx';
import { type Column, column, Table } from '../parts/table.tsx';
import { Foreign, Time } from '../parts/text.tsx';

/** The requests of the account's API keys, newest first. */
export function RequestsScreen({ filter }: { filter: URLSearchParams }) {
  const { api } = useApp();
  const reading = useList(filter, api.requests);
  const { requests = [] } = reading.answer ?? {};
  return (
    <ListScreen
      page="requests"
      filter={filter}
      reading={reading}
      size={requests.length}
      filters={<Filters key={String(fromFirstPage(filter))} filter={filter} />}
    >
      <Entries requests={requests} />
    </ListScreen>
  );
}

const choices = { status: ['refused', '2xx', '4xx', '5xx'], method: ['GET', 'POST', 'PATCH'] } as const;
const fields = ['path', 'key'] as const;

function Filters({ filter }: { filter: URLSearchParams }) {
  const { requests: names } = useApp().words;
  return (
    <FilterForm page="requests" filter={filter}>
      {(['status', 'method'] as const).map((name) => (
        <select
          key={name}
          name={name}
          aria-label={names[name]}
          value={filter.get(name) ?? ''}
          onChange={({ currentTarget }) => currentTarget.form?.requestSubmit()}
        >
          <option value="">{names[`any_${name}`]}</option>
          {choices[name].map((one) => (
            <option key={one} value={one}>
              {one === 'refused' ? names.refused : one}
            </option>
          ))}
        </select>
      ))}
      {fields.map((name) => (
        <FilterField key={name} name={name} label={names[name]} value={filter.get(name)} />
      ))}
    </FilterForm>
  );
}

function Entries({ requests }: { requests: readonly RequestEntry[] }) {
  const { words } = useApp();
  const { requests: names } = words;
  const columns: Column<RequestEntry>[] = [
    column('when', words.orders.time, ({ at }) => <Time at={at} />),
    column('what', names.request, ({ method, path }) => <Foreign text={`${method} ${path}`} />),
    column('state', names.status, (request) => <Answer request={request} />),
    column('who', names.key, ({ key }) => (
      <Link to={{ page: 'requests', filter: new URLSearchParams({ key }) }} class="bare">
        <Foreign text={key} />
      </Link>
    )),
    column('number', 'ms', ({ duration_ms }) => `${duration_ms} ms`),
    column('code from', 'X-Request-Id', ({ request_id }) => <Foreign text={request_id} />),
  ];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls if it is wider than the page, by keyboard too
    <section class="wide" aria-label={words.pages.requests} tabIndex={0}>
      <Table class="orders audit requests" columns={columns} entries={requests} keyOf={({ id }) => id} />
    </section>
  );
}

/** How a request was answered: refusals by their code. */
function Answer({ request: { status, problem, idempotency } }: { request: RequestEntry }) {
  const { words } = useApp();
  const isRefused = status === undefined || status >= 400;
  return (
    <>
      <Badge tone={isRefused ? 'bad' : 'good'}>{status ?? words.requests.no_answer}</Badge>{' '}
      {problem !== undefined && <Foreign text={problem} />}{' '}
      {idempotency === 'replayed' && <span class="hint">{words.requests.replayed}</span>}
    </>
  );
}
