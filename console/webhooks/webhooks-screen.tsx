import { useState } from 'preact/hooks';
import type { EventAnswer } from '../../shared/api/event.ts';
import { newKey } from '../api/api.ts';
import { useApp } from '../app/app.ts';
import { Link } from '../app/link.tsx';
import { Evidence } from '../parts/evidence.tsx';
import { Badge, Failure, type Tone, Waiting } from '../parts/state.tsx';
import { Foreign, Time } from '../parts/text.tsx';
import { useAnswer } from '../parts/use-answer.ts';

const statuses = ['pending', 'delivered', 'failed', 'acknowledged'] as const;

const tones: Readonly<Record<EventAnswer['delivery']['status'], Tone>> = {
  pending: 'busy',
  delivered: 'good',
  failed: 'bad',
  acknowledged: 'quiet',
};

/** The webhooks of the account, the newest first, by the filter in the address. */
export function WebhooksScreen({ filter }: { filter: URLSearchParams }) {
  const { api, words, go } = useApp();
  const reading = useAnswer(
    `${api.livePath} webhooks ${filter}`,
    () => api.events(filter),
    () => !filter.has('before'),
  );
  const { answer } = reading;
  return (
    <>
      <div class="heading">
        <h1>{words.pages.webhooks}</h1>
      </div>
      <search class="filters">
        <select
          aria-label={words.orders.status}
          value={filter.get('status') ?? ''}
          onChange={({ currentTarget: { value } }) =>
            go({ page: 'webhooks', filter: new URLSearchParams(value === '' ? '' : { status: value }) }, 'replace')
          }
        >
          <option value="">{words.orders.any_status}</option>
          {statuses.map((status) => (
            <option key={status} value={status}>
              {words.timeline.deliveries[status]}
            </option>
          ))}
        </select>
      </search>
      {answer === undefined ? (
        <Waiting reading={reading} />
      ) : (
        <>
          <Failure reading={reading} />
          {answer.events.length === 0 && <p class="empty">{words.webhooks.none}</p>}
          <ul class="items">
            {answer.events.map((event) => (
              <Webhook key={event.id} event={event} onChanged={reading.again} />
            ))}
          </ul>
          {answer.next !== undefined && (
            <p class="pager">
              <Link to={{ page: 'webhooks', filter: withPage(filter, answer.next) }}>{words.next_page}</Link>
            </p>
          )}
        </>
      )}
    </>
  );
}

function withPage(filter: URLSearchParams, next: string): URLSearchParams {
  const page = new URLSearchParams(filter);
  page.set('before', next);
  return page;
}

function Webhook({ event, onChanged }: { event: EventAnswer; onChanged: () => Promise<void> }) {
  const { api, words, may } = useApp();
  const [fault, setFault] = useState<string>();
  const { delivery, data } = event;
  const reason = 'reason' in delivery ? delivery.reason : 'fault' in delivery ? delivery.fault : undefined;
  const act = async (action: (id: string, key: string) => Promise<unknown>): Promise<void> => {
    try {
      await action(event.id, newKey());
      setFault(undefined);
    } catch (error) {
      setFault(error instanceof Error ? error.message : words.not_loaded);
    }
    await onChanged();
  };
  return (
    <li>
      <div class="told">
        <p>
          <strong>
            <Foreign text={event.type} />
          </strong>{' '}
          {typeof data.order_no === 'string' && (
            <Link to={{ page: 'order', orderNo: data.order_no }}>
              <Foreign text={data.order_no} />
            </Link>
          )}
        </p>
        <p class="quiet-text">
          <Time at={event.created_at} /> · {words.timeline.tries(delivery.tries)}
          {reason !== undefined && (
            <>
              {' · '}
              <Foreign text={reason} />
            </>
          )}
        </p>
        <Evidence text={JSON.stringify(data, undefined, 2)} />
        {fault !== undefined && (
          <p class="fault" role="alert">
            {fault}
          </p>
        )}
      </div>
      <div class="side-actions">
        <Badge tone={tones[delivery.status]}>{words.timeline.deliveries[delivery.status]}</Badge>
        {may('events') && delivery.status !== 'pending' && (
          <button type="button" class="plain" onClick={() => void act(api.redeliver)}>
            {words.order.redeliver}
          </button>
        )}
        {may('events') && delivery.status === 'failed' && (
          <button type="button" class="plain" onClick={() => void act(api.acknowledge)}>
            {words.webhooks.acknowledge}
          </button>
        )}
      </div>
    </li>
  );
}
