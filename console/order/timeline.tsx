import type { ComponentChildren } from 'preact';
import type { OrderWithTimeline } from '../../shared/api/order.ts';
import type { TimelineEntry } from '../../shared/api/timeline.ts';
import { Link, useApp } from '../app/app.tsx';
import { useAction } from '../intent/use-intent.ts';
import { counted, fill } from '../locales/words.ts';
import type { Tone } from '../parts/state.tsx';
import { Code, Evidence, Foreign, Method, money, Time } from '../parts/text.tsx';
import { NoteForm } from './note-form.tsx';

/** The timeline of an order, newest first. */
export function Timeline({ order, onChanged }: { order: OrderWithTimeline; onChanged: () => Promise<void> }) {
  const { words } = useApp();
  return (
    <section aria-labelledby="timeline">
      <h2 id="timeline">{words.order.timeline}</h2>
      <NoteForm orderNo={order.order_no} onChanged={onChanged} />
      <ol class="timeline">
        {order.timeline.toReversed().map((entry, at) => (
          // An entry has no id: equal entries may have the same time.
          <Entry
            key={`${entry.type} ${entry.at} ${'id' in entry ? entry.id : order.timeline.length - at}`}
            entry={entry}
            onChanged={onChanged}
          />
        ))}
      </ol>
      {order.truncated && <p class="hint">{words.order.truncated}</p>}
    </section>
  );
}

function Entry({ entry, onChanged }: { entry: TimelineEntry; onChanged: () => Promise<void> }) {
  return (
    <li class={`entry ${toneOf(entry)}`}>
      <Time at={entry.at} />
      <div class="event">
        <EventText entry={entry} onChanged={onChanged} />
      </div>
    </li>
  );
}

function EventText({ entry, onChanged }: { entry: TimelineEntry; onChanged: () => Promise<void> }): ComponentChildren {
  const { words, locale } = useApp();
  const names = words.timeline;
  switch (entry.type) {
    case 'session':
      return <strong>{names.session}</strong>;
    case 'attempt': {
      const { status, amount, currency, method, card, result, evidence, transaction_id } = entry.attempt;
      const isUnknownDevice = entry.attempt.device_fingerprint === 'missing';
      return (
        <>
          <strong>{names.attempts[status]}</strong>
          <p>
            {money(locale, currency, amount)} · <Method method={method} card={card} />
            {transaction_id !== undefined && (
              <>
                {' · '}
                <Code text={transaction_id} />
              </>
            )}
          </p>
          {result && (
            <p>
              <Code text={result.code} /> <Foreign text={result.message} />
            </p>
          )}
          {isUnknownDevice && <p class="hint">{names.no_fingerprint}</p>}
          {evidence && <Evidence text={`HTTP ${evidence.http_status ?? ''}\n${evidence.body ?? ''}`} />}
        </>
      );
    }
    case 'settled':
      return (
        <>
          <strong>{entry.outcome ? names.settled[entry.outcome] : words.operation.settled_by}</strong>{' '}
          <By name={entry.by} />
          <p>
            <Foreign text={entry.note} />
          </p>
        </>
      );
    case 'note':
      return (
        <>
          <strong>{names.note}</strong> <By name={entry.by} />
          <p class="written">
            <Foreign text={entry.note} />
          </p>
        </>
      );
    case 'query':
      return (
        <>
          <strong>{names.query}</strong>
          {entry.fault !== undefined && <p>{fill(names.query_fault, { fault: entry.fault })}</p>}
        </>
      );
    case 'next_query':
      return <strong>{names.next_query}</strong>;
    case 'notification':
      return (
        <>
          <strong>{names.notification}</strong>
          <p>
            {[
              ...(entry.times > 1 ? [fill(names.times, { count: entry.times })] : []),
              ...(entry.verified ? [] : [names.unverified]),
            ].join(' · ')}
          </p>
          <Evidence
            text={Object.entries(entry.fields)
              .map(([name, value]) => `${name}: ${value}`)
              .join('\n')}
          />
        </>
      );
    case 'webhook':
      return (
        <>
          <strong>{fill(names.webhook, { type: entry.event })}</strong>
          <p>
            {names.deliveries[entry.delivery.status]} · {counted(locale, names.tries, entry.delivery.tries)}
            {'reason' in entry.delivery && (
              <>
                {' · '}
                <Foreign text={entry.delivery.reason} />
              </>
            )}
            {entry.delivery.status !== 'pending' && <Redeliver id={entry.id} onChanged={onChanged} />}
          </p>
        </>
      );
    case 'operation':
      return (
        <>
          <strong>{words.operations[entry.operation]}</strong>{' '}
          {entry.status !== 'answered' && words.operation_states[entry.status]} <By name={entry.by} />
          {entry.items.map(({ request, outcome, message }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: items have no ids and keep their order
            <p key={`${entry.id} ${at}`}>
              {amountIn(request, locale)} {outcome !== undefined && words.outcomes[outcome]}
              {typeof request.refund_reason === 'string' && (
                <>
                  {' · '}
                  <Foreign text={request.refund_reason} />
                </>
              )}
              {outcome === 'failed' && message !== undefined && (
                <>
                  {' · '}
                  <Foreign text={message} />
                </>
              )}
            </p>
          ))}
          <p>
            <Link to={{ page: 'operation', id: entry.id }}>{words.order.details}</Link>
          </p>
        </>
      );
  }
}

function By({ name }: { name: string }) {
  const { words } = useApp();
  return (
    <span class="quiet-text">
      {words.order.by} <Foreign text={name} />
    </span>
  );
}

/** The amount of an operation's item. */
function amountIn(request: Record<string, unknown>, locale: string): string {
  const { refund_amount, amount, currency } = request;
  const moved = typeof refund_amount === 'string' ? refund_amount : amount;
  return typeof moved === 'string' && typeof currency === 'string' ? money(locale, currency, moved) : '';
}

function Redeliver({ id, onChanged }: { id: string; onChanged: () => Promise<void> }) {
  const { api, words, may } = useApp();
  const { isSending, fault, run } = useAction((key) => api.redeliver(id, key), onChanged);
  if (!may('events')) return null;
  return (
    <>
      {' '}
      <button type="button" class="plain" aria-disabled={isSending} onClick={run}>
        {words.order.redeliver}
      </button>
      {fault !== undefined && (
        <span class="fault" role="alert">
          {fault}
        </span>
      )}
    </>
  );
}

/** The tone of an entry's icon. */
function toneOf(entry: TimelineEntry): Tone {
  switch (entry.type) {
    case 'attempt':
      return attemptTones[entry.attempt.status];
    case 'operation':
      return entry.status === 'unknown' || entry.items.some(({ outcome }) => outcome === 'unknown')
        ? 'open'
        : entry.status === 'refused' || entry.items.some(({ outcome }) => outcome === 'failed')
          ? 'bad'
          : 'good';
    case 'webhook':
      return entry.delivery.status === 'failed' ? 'bad' : 'quiet';
    case 'settled':
      return 'good';
    case 'next_query':
      return 'busy';
    case 'session':
    case 'note':
    case 'query':
    case 'notification':
      return 'quiet';
  }
}

const attemptTones = {
  in_flight: 'busy',
  redirected: 'busy',
  pending: 'busy',
  unknown: 'open',
  approved: 'good',
  declined: 'bad',
  not_paid: 'bad',
  refused: 'bad',
  not_sent: 'quiet',
} as const satisfies Record<string, Tone>;
