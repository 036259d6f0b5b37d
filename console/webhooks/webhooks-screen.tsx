import { useState } from 'preact/hooks';
import type { EventAnswer, EventList } from '../../shared/api/event.ts';
import { useApp } from '../app/app.ts';
import { Link } from '../app/link.tsx';
import { fromFirstPage, withField, withPage } from '../parts/filter.ts';
import { Badge, Failure, Waiting } from '../parts/state.tsx';
import { Foreign, Time } from '../parts/text.tsx';
import { type Reading, useAnswer } from '../parts/use-answer.ts';
import { useRowKeys } from '../parts/use-row-keys.ts';
import { About } from './about.tsx';
import { Actions } from './actions.tsx';
import { faultOf, isEventType, statuses, tones, types } from './kinds.ts';
import { RedeliverAll } from './redeliver-all.tsx';
import { useDeliveries } from './use-deliveries.ts';

const ROWS = '50';

/** The webhooks of the account, the newest first, by the filter in the address. */
export function WebhooksScreen({ filter }: { filter: URLSearchParams }) {
  const { api, words, may } = useApp();
  const query = new URLSearchParams(filter);
  query.set('limit', ROWS);
  const reading = useAnswer(
    `${api.livePath} webhooks ${query}`,
    () => api.events(query),
    () => !filter.has('before'),
  );
  const { answer } = reading;
  const [isRedelivering, setRedelivering] = useState(false);
  useDeliveries(answer?.events ?? [], reading);
  const status = filter.get('status');
  const type = filter.get('type') ?? '';
  const canBeSent = (status === 'failed' || status === 'acknowledged') && may('events') ? status : undefined;
  return (
    <>
      <div class="heading">
        <h1>{words.pages.webhooks}</h1>
        {canBeSent !== undefined && answer !== undefined && answer.events.length > 0 && (
          <div class="csv">
            <button type="button" onClick={() => setRedelivering(true)}>
              {words.webhooks.redeliver_all}
            </button>
          </div>
        )}
      </div>
      <Filters filter={filter} />
      {answer === undefined ? (
        <Waiting reading={reading} />
      ) : (
        <>
          <Failure reading={reading} />
          {answer.events.length === 0 ? (
            <Empty isFiltered={filter.size > 0} />
          ) : (
            <Table answer={answer} reading={reading} />
          )}
          <p class="pager">
            {filter.has('before') && (
              <Link to={{ page: 'webhooks', filter: fromFirstPage(filter) }}>{words.first_page}</Link>
            )}
            {answer.next !== undefined && (
              <Link to={{ page: 'webhooks', filter: withPage(filter, answer.next) }}>{words.next_page}</Link>
            )}
          </p>
        </>
      )}
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
    go({ page: 'webhooks', filter: withField(filter, name, event.currentTarget.value) }, 'replace');
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

function Empty({ isFiltered }: { isFiltered: boolean }) {
  const { words } = useApp();
  return (
    <div class="empty">
      <p>{isFiltered ? words.webhooks.none_found : words.webhooks.none}</p>
      {isFiltered && <Link to={{ page: 'webhooks', filter: new URLSearchParams() }}>{words.orders.clear}</Link>}
    </div>
  );
}

function Table({ answer, reading }: { answer: EventList; reading: Reading<unknown> }) {
  const { words } = useApp();
  const rows = useRowKeys();
  return (
    // Browsers forget the roles of a table where a style sheet makes a phone's list of it: they are said again.
    <table class="list orders webhooks" role="table" ref={rows}>
      <thead role="rowgroup">
        <tr role="row">
          <th scope="col">{words.orders.time}</th>
          <th scope="col">{words.webhooks.type}</th>
          <th scope="col">{words.audit.about}</th>
          <th scope="col">{words.orders.status}</th>
          <th scope="col" class="number">
            {words.webhooks.tries}
          </th>
          <th scope="col">
            <span class="hidden">{words.webhooks.actions}</span>
          </th>
        </tr>
      </thead>
      <tbody role="rowgroup">
        {answer.events.map((event) => (
          <Row key={event.id} event={event} onChanged={reading.again} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ event, onChanged }: { event: EventAnswer; onChanged: () => Promise<void> }) {
  const { words } = useApp();
  const { delivery } = event;
  const fault = faultOf(event);
  return (
    <tr role="row">
      <td role="cell" class="when">
        <Time at={event.created_at} isInRow />
      </td>
      <td role="cell" class="what">
        <Link to={{ page: 'webhook', id: event.id }} class="row-link">
          <Foreign text={event.type} />
        </Link>
      </td>
      <td role="cell" class="how">
        <About event={event} />
      </td>
      <td role="cell" class="state">
        <Badge tone={tones[delivery.status]}>{words.webhooks.statuses[delivery.status]}</Badge>
        {fault !== undefined && (
          <span class="hint">
            <Foreign text={fault} />
          </span>
        )}
      </td>
      <td role="cell" class="number">
        {delivery.tries}
      </td>
      <td role="cell" class="acts">
        {delivery.status !== 'delivered' && <Actions event={event} isPlain onChanged={onChanged} />}
      </td>
    </tr>
  );
}
