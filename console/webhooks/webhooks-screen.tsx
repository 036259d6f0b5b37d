import { useState } from 'preact/hooks';
import type { EventAnswer } from '../../shared/api/event.ts';
import { Link, useApp } from '../app/app.tsx';
import { withFields } from '../app/route.ts';
import { ListScreen, useList } from '../parts/list-screen.tsx';
import { Badge } from '../parts/state.tsx';
import { Cell, Row, Table } from '../parts/table.tsx';
import { Foreign, Time } from '../parts/text.tsx';
import { About, Actions, faultOf, isEventType, statuses, tones, types, useDeliveries } from './delivery.tsx';
import { RedeliverAll } from './redeliver-all.tsx';

/** The webhooks of the account, the newest first, by the filter in the address. */
export function WebhooksScreen({ filter }: { filter: URLSearchParams }) {
  const { api, words, may } = useApp();
  const reading = useList(filter, api.events);
  const { events = [] } = reading.answer ?? {};
  const [isRedelivering, setRedelivering] = useState(false);
  useDeliveries(events, reading);
  const status = filter.get('status');
  const type = filter.get('type') ?? '';
  const canBeSent = (status === 'failed' || status === 'acknowledged') && may('events') ? status : undefined;
  return (
    <>
      <ListScreen
        page="webhooks"
        filter={filter}
        reading={reading}
        size={events.length}
        aside={
          canBeSent !== undefined &&
          events.length > 0 && (
            <div class="csv">
              <button type="button" onClick={() => setRedelivering(true)}>
                {words.webhooks.redeliver_all}
              </button>
            </div>
          )
        }
        filters={<Filters filter={filter} />}
      >
        <Table
          class="orders webhooks"
          heads={[
            ...[words.orders.time, words.webhooks.type, words.audit.about, words.orders.status],
            ...[{ number: words.webhooks.tries }, { hidden: words.webhooks.actions }],
          ]}
        >
          {events.map((event) => (
            <Webhook key={event.id} event={event} onChanged={reading.again} />
          ))}
        </Table>
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

function Webhook({ event, onChanged }: { event: EventAnswer; onChanged: () => Promise<void> }) {
  const { words } = useApp();
  const { delivery } = event;
  const fault = faultOf(event);
  return (
    <Row>
      <Cell is="when">
        <Time at={event.created_at} isInRow />
      </Cell>
      <Cell is="what">
        <Link to={{ page: 'webhook', id: event.id }} class="row-link">
          <Foreign text={event.type} />
        </Link>
      </Cell>
      <Cell is="how">
        <About event={event} />
      </Cell>
      <Cell is="state">
        <Badge tone={tones[delivery.status]}>{words.webhooks.statuses[delivery.status]}</Badge>
        {fault !== undefined && (
          <span class="hint">
            <Foreign text={fault} />
          </span>
        )}
      </Cell>
      <Cell is="number">{delivery.tries}</Cell>
      <Cell is="acts">
        {delivery.status !== 'delivered' && <Actions event={event} isPlain onChanged={onChanged} />}
      </Cell>
    </Row>
  );
}
