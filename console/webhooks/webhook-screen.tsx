import type { EventAnswer } from '../../shared/api/event.ts';
import { Link, useApp } from '../app/app.tsx';
import type { Words } from '../locales/words.ts';
import { Badge, Failure, Waiting } from '../parts/state.tsx';
import { type Fact, Facts } from '../parts/table.tsx';
import { Code, Foreign, Lines, Time } from '../parts/text.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { About, Actions, faultOf, tones, useDeliveries } from './delivery.tsx';

/** One webhook: its body, the state of its delivery, and why it failed. */
export function WebhookScreen({ id }: { id: string }) {
  const { api, words } = useApp();
  const reading = useAnswer(`${api.livePath} ${id}`, () => api.event(id));
  const { answer: event } = reading;
  useDeliveries(event ? [event] : [], reading);
  if (event === undefined) return <Waiting reading={reading} />;
  const { delivery, deliveries } = event;
  const fault = faultOf(event);
  return (
    <article class="order">
      <p class="crumb">
        <Link to={{ page: 'webhooks', filter: new URLSearchParams() }}>{words.pages.webhooks}</Link>
      </p>
      <div class="heading">
        <h1>
          <Foreign text={event.type} />
        </h1>
        <Badge tone={tones[delivery.status]}>{words.webhooks.statuses[delivery.status]}</Badge>
      </div>
      <Failure reading={reading} />
      {fault !== undefined && (
        <p class={`notice ${delivery.status === 'failed' ? 'bad' : 'busy'}`}>
          {words.webhooks.fault} <Foreign text={fault} />
        </p>
      )}
      <Actions event={event} isPlain={false} onChanged={reading.again} />
      <Facts
        facts={[
          { name: words.orders.time, value: <Time at={event.created_at} /> },
          { name: words.audit.about, value: <About event={event} /> },
          { name: words.webhooks.tries, value: delivery.tries },
          ...(deliveries.length > 1
            ? deliveries.map(endpointFact(words.webhooks))
            : progressOf(words.webhooks, delivery)),
          { name: words.webhooks.id, value: <Code text={event.id} /> },
        ]}
      />
      <h2>{words.webhooks.body}</h2>
      <Lines text={JSON.stringify(event.data, undefined, 2)} class="whole-body" />
    </article>
  );
}

/** The delivery to one of several endpoints. */
const endpointFact =
  ({ statuses }: Words['webhooks']) =>
  ({ endpoint, delivery }: EventAnswer['deliveries'][number]): Fact => {
    const fault = faultOf({ delivery });
    return {
      name: endpoint,
      value: (
        <>
          <Badge tone={tones[delivery.status]}>{statuses[delivery.status]}</Badge>
          {fault !== undefined && (
            <span class="hint">
              <Foreign text={fault} />
            </span>
          )}
        </>
      ),
    };
  };

/** The time at which it was delivered, failed or was resolved, or of its next try. */
function progressOf(names: Words['webhooks'], delivery: EventAnswer['delivery']): Fact[] {
  switch (delivery.status) {
    case 'pending':
      return [{ name: names.next_try, value: <Time at={delivery.next_try_at} /> }];
    case 'delivered':
      return [{ name: names.delivered_at, value: <Time at={delivery.delivered_at} /> }];
    case 'failed':
      return [{ name: names.failed_at, value: <Time at={delivery.failed_at} /> }];
    case 'kept':
      return [];
    case 'acknowledged':
      return [
        { name: names.failed_at, value: <Time at={delivery.failed_at} /> },
        { name: names.acknowledged_at, value: <Time at={delivery.acknowledged_at} /> },
        { name: names.acknowledged_by, value: <Foreign text={delivery.by} /> },
      ];
  }
}
