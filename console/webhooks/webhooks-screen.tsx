import { useState } from 'preact/hooks';
import type { EventAnswer } from '../../shared/api/event.ts';
import { Link, useApp } from '../app/app.tsx';
import { fromFirstPage, withFields } from '../app/route.ts';
import { CsvButton, ListScreen, useList } from '../parts/list-screen.tsx';
import { Badge } from '../parts/state.tsx';
import { type Column, column, Table } from '../parts/table.tsx';
import { Foreign, Time } from '../parts/text.tsx';
import { About, Actions, faultOf, isEventType, statuses, tones, types, useDeliveries } from './delivery.tsx';
import { RedeliverAll } from './redeliver-all.tsx';

/** The webhooks of the account that match the filter in the address, newest first. */
export function WebhooksScreen({ filter }: { filter: URLSearchParams }) {
  const { api, words, may } = useApp();
  const reading = useList(filter, api.events);
  const { events = [] } = reading.answer ?? {};
  const [isRedelivering, setRedelivering] = useState(false);
  useDeliveries(events, reading);
  const status = filter.get('status');
  const type = filter.get('type') ?? '';
  const isUnsent = status === 'failed' || status === 'acknowledged' || status === 'kept';
  const canBeSent = isUnsent && may('events') ? status : undefined;
  const { webhooks: names } = words;
  const columns: Column<EventAnswer>[] = [
    column('when', words.orders.time, ({ created_at }) => <Time at={created_at} isInRow />),
    column('what', names.type, (event) => (
      <Link to={{ page: 'webhook', id: event.id }} class="row-link">
        <Foreign text={event.type} />
      </Link>
    )),
    column('how', words.audit.about, (event) => <About event={event} />),
    column('state', words.orders.status, (event) => {
      const fault = faultOf(event);
      return (
        <>
          <Badge tone={tones[event.delivery.status]}>{names.statuses[event.delivery.status]}</Badge>
          {fault !== undefined && (
            <span class="hint">
              <Foreign text={fault} />
            </span>
          )}
        </>
      );
    }),
    column('number', names.tries, ({ delivery }) => delivery.tries),
    column(
      'acts',
      { hidden: names.actions },
      (event) =>
        event.delivery.status !== 'delivered' &&
        event.delivery.status !== 'kept' && <Actions event={event} isPlain onChanged={reading.again} />,
    ),
  ];
  return (
    <>
      <ListScreen
        page="webhooks"
        filter={filter}
        reading={reading}
        size={events.length}
        aside={
          <>
            {may('events') && <CsvButton list="events" filter={fromFirstPage(filter)} />}
            {canBeSent !== undefined && events.length > 0 && (
              <button type="button" onClick={() => setRedelivering(true)}>
                {names.redeliver_all}
              </button>
            )}
          </>
        }
        filters={<Filters filter={filter} />}
      >
        <Table class="orders webhooks" columns={columns} entries={events} keyOf={({ id }) => id} />
      </ListScreen>
      {isRedelivering && canBeSent !== undefined && (
        <RedeliverAll
          status={canBeSent}
          type={isEventType(type) ? type : undefined}
          onClose={() => {
            setRedelivering(false);
            void reading.again();
          }}
        />
      )}
    </>
  );
}

function Filters({ filter }: { filter: URLSearchParams }) {
  const { words, go } = useApp();
  const set = (name: string) => (event: { currentTarget: HTMLSelectElement }) =>
    go({ page: 'webhooks', filter: withFields(filter, { [name]: event.currentTarget.value }) }, 'replace');
  return (
    <search class="filters">
      <select aria-label={words.orders.status} value={filter.get('status') ?? ''} onChange={set('status')}>
        <option value="">{words.orders.any_status}</option>
        {statuses.map((status) => (
          <option key={status} value={status}>
            {words.webhooks.statuses[status]}
          </option>
        ))}
      </select>
      <select aria-label={words.webhooks.type} value={filter.get('type') ?? ''} onChange={set('type')}>
        <option value="">{words.webhooks.any_type}</option>
        {types.map((type) => (
          <option key={type} value={type}>
            {type}
          </option>
        ))}
      </select>
    </search>
  );
}
