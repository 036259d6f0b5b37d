import type { EventAnswer } from '../../shared/api/event.ts';
import { Link, useApp } from '../app/app.tsx';
import { Badge, Failure, Waiting } from '../parts/state.tsx';
import { Fact } from '../parts/table.tsx';
import { Code, Foreign, Time } from '../parts/text.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { About, Actions, faultOf, tones, useDeliveries } from './delivery.tsx';

/** One webhook: what it tells, how far its delivery is, and why it failed. */
export function WebhookScreen({ id }: { id: string }) {
  const { api, words } = useApp();
  const reading = useAnswer(
    `${api.livePath} ${id}`,
    () => api.event(id),
    () => false,
  );
  const { answer: event } = reading;
  useDeliveries(event ? [event] : [], reading);
  if (event === undefined) return <Waiting reading={reading} />;
  const { delivery } = event;
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
      <dl class="facts">
        <Fact name={words.orders.time}>
          <Time at={event.created_at} />
        </Fact>
        <Fact name={words.audit.about}>
          <About event={event} />
        </Fact>
        <Fact name={words.webhooks.tries}>{delivery.tries}</Fact>
        <Progress delivery={delivery} />
        <Fact name={words.webhooks.id}>
          <Code text={event.id} />
        </Fact>
      </dl>
      <h2>{words.webhooks.body}</h2>
      <Body data={event.data} />
    </article>
  );
}

/** When it was taken, given up or dealt with, or is tried next. */
function Progress({ delivery }: { delivery: EventAnswer['delivery'] }) {
  const { words } = useApp();
  const names = words.webhooks;
  const at = (name: string, time: string) => (
    <Fact name={name}>
      <Time at={time} />
    </Fact>
  );
  switch (delivery.status) {
    case 'pending':
      return at(names.next_try, delivery.next_try_at);
    case 'delivered':
      return at(names.delivered_at, delivery.delivered_at);
    case 'failed':
      return at(names.failed_at, delivery.failed_at);
    case 'acknowledged':
      return (
        <>
          {at(names.failed_at, delivery.failed_at)}
          {at(names.acknowledged_at, delivery.acknowledged_at)}
          <Fact name={names.acknowledged_by}>
            <Foreign text={delivery.by} />
          </Fact>
        </>
      );
  }
}

function Body({ data }: { data: object }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll, by keyboard too
    <pre class="whole-body" tabIndex={0} dir="auto">
      {JSON.stringify(data, undefined, 2)
        .split('\n')
        .map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no names, and never move
          <span key={at} class="line">
            <Foreign text={line} />
          </span>
        ))}
    </pre>
  );
}
