import { useState } from 'preact/hooks';
import type { OperationAnswer } from '../../shared/api/operation.ts';
import { itemMessage } from '../../shared/gateway/item-message.ts';
import { useApp } from '../app/app.tsx';
import { useKeptIntents } from '../intent/use-intent.ts';
import { counted, fill } from '../locales/words.ts';
import { ItemText, itemsOf, PayoutBadge } from '../parts/operation.tsx';
import { Badge, Failure, OutcomeBadge, type Tone, Waiting } from '../parts/state.tsx';
import { Facts } from '../parts/table.tsx';
import { clock, Evidence, Foreign, Time } from '../parts/text.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { SettleOperation, settleSubject } from './settle-operation.tsx';

/** One operation: its items, the outcome of each, and why an outcome is not known. */
export function OperationScreen({ id }: { id: string }) {
  const { api, words, may } = useApp();
  const reading = useAnswer(
    `${api.livePath} ${id}`,
    () => api.operation(id),
    (change) => change.subject === id,
  );
  const kept = useKeptIntents();
  const [isSettling, setSettling] = useState(() => kept.find(settleSubject(id)) !== undefined);
  const { answer: operation } = reading;
  if (operation === undefined) return <Waiting reading={reading} />;
  return (
    <article class="order">
      <Failure reading={reading} />
      <div class="heading">
        <h1>{words.operations[operation.operation]}</h1>
        {operation.operation === 'payout' ? (
          <PayoutBadge payout={operation} />
        ) : (
          <Badge tone={toneOf(operation)}>{words.operation_states[operation.status]}</Badge>
        )}
      </div>
      {operation.unknown && <WhyUnknown unknown={operation.unknown} />}
      <Items operation={operation} />
      {operation.unknown && may('settle') && (
        <div class="actions">
          <button
            type="button"
            class={operation.unknown.needs_attention ? 'primary' : undefined}
            onClick={() => setSettling(true)}
          >
            {words.order.settle}
          </button>
        </div>
      )}
      <OperationFacts operation={operation} />
      <Sent operation={operation} />
      {operation.answer && (
        <Evidence title={words.why_unknown.sent} text={JSON.stringify(operation.answer, undefined, 2)} />
      )}
      <Evidence title={words.why_unknown.asked} text={JSON.stringify(operation.request, undefined, 2)} />
      {isSettling && (
        <SettleOperation
          operation={operation}
          onClose={() => {
            setSettling(false);
            void reading.again();
          }}
        />
      )}
    </article>
  );
}

/** The unusable answer of the gateway, if any came. */
function Sent({ operation: { evidence = {}, unknown } }: { operation: OperationAnswer }) {
  const { words } = useApp();
  const lines = [...(evidence.http_status === undefined ? [] : [`HTTP ${evidence.http_status}`]), evidence.body ?? ''];
  const text = lines.join('\n').trim();
  if (text === '') return null;
  return <Evidence title={words.why_unknown.sent} isOpen={unknown !== undefined} text={text} />;
}

function toneOf({ status, items = [] }: OperationAnswer): Tone {
  if (status === 'unknown' || items.includes('unknown')) return 'open';
  if (status === 'in_flight') return 'busy';
  return status === 'refused' || items.includes('failed') ? 'bad' : 'good';
}

function Items({ operation }: { operation: OperationAnswer }) {
  const outcomes = operation.settlement?.items ?? operation.items ?? [];
  return (
    <ul class="items">
      {itemsOf(operation).map((item, at) => {
        const outcome = outcomes[at] ?? 'unknown';
        const reference = operation.references?.[at];
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: items have no ids and keep their order
          <li key={at}>
            <span>
              <ItemText item={item} /> {reference !== undefined && <Foreign text={reference} />}
            </span>
            {operation.operation !== 'payout' && <OutcomeBadge outcome={outcome} />}
            {outcome === 'failed' && <Foreign text={itemMessage(operation.answer, item) ?? ''} />}
          </li>
        );
      })}
    </ul>
  );
}

function OperationFacts({ operation }: { operation: OperationAnswer }) {
  const { words, locale } = useApp();
  const { settlement, payout, settled_at } = operation;
  const { payout_status: status, notified_at, notifications = 0 } = payout ?? {};
  return (
    <Facts
      facts={[
        { name: words.orders.time, value: <Time at={operation.created_at} /> },
        { name: words.operation.by, value: <Foreign text={operation.by} /> },
        operation.approved_by !== undefined && {
          name: words.approvals.approved_by,
          value: <Foreign text={operation.approved_by} />,
        },
        status !== undefined && { name: words.payouts.gateway_status, value: <Foreign text={status} /> },
        notified_at !== undefined && {
          name: counted(locale, words.payouts.times, notifications),
          value: <Time at={notified_at} />,
        },
        settled_at !== undefined && { name: words.operation.settled_at, value: <Time at={settled_at} /> },
        settlement?.by === 'person' && {
          name: words.operation.settled_by,
          value: <Foreign text={settlement.who ?? words.nothing} />,
          note: settlement.note !== undefined && <Foreign text={settlement.note} />,
        },
        { name: words.operation.id, class: 'code', value: <Foreign text={operation.id} /> },
      ]}
    />
  );
}

/** Why the outcome of an operation is not known, the state of the search, and the advice. */
function WhyUnknown({ unknown }: { unknown: NonNullable<OperationAnswer['unknown']> }) {
  const { words, locale } = useApp();
  const { reason, since, queries = 0, last_query, next_query_at, needs_attention } = unknown;
  const { why_unknown: why, operation } = words;
  return (
    <div class="notice open">
      <p>
        <strong>{needs_attention ? operation.unknown_attention : operation.unknown}</strong>
      </p>
      <p>
        <Reason reason={reason} /> {words.home.since} <Time at={since} />.
      </p>
      {queries > 0 && (
        <p>
          {counted(locale, why.looks, queries)}
          {last_query && (
            <>
              , {why.last} <Time at={last_query.at} />: {operation.found[last_query.found]}
            </>
          )}
          . {next_query_at !== undefined && fill(words.order.next_look, { time: clock(locale, next_query_at) })}
        </p>
      )}
    </div>
  );
}

function Reason({ reason }: { reason: string }) {
  const { why_unknown: why } = useApp().words;
  const texts: Readonly<Record<string, string>> = why.reasons;
  if (Object.hasOwn(texts, reason)) return <>{texts[reason]}</>;
  return (
    <>
      {why.other} <Foreign text={reason} />.
    </>
  );
}
