import { useState } from 'preact/hooks';
import type { AttentionCase, AttentionGroup, AttentionKind } from '../../shared/api/attention.ts';
import { Link, useApp } from '../app/app.tsx';
import type { Route } from '../app/route.ts';
import { fill, type Words } from '../locales/words.ts';
import { type Column, column, Rows } from '../parts/table.tsx';
import { Code, clock, Foreign, isolated, money, Time } from '../parts/text.tsx';
import { countText } from './attention.ts';

/** The number of cases of a kind that are shown at first, so that the next kind stays visible. */
const FEW = 8;

type KnownGroup = AttentionGroup & { kind: AttentionKind };

/** The cases of one kind. The advice is shown once if it is the same for all. */
export function Group({ group }: { group: KnownGroup }) {
  const { words, locale } = useApp();
  const { kind, cases } = group;
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole || cases.length <= FEW + 1 ? cases : cases.slice(0, FEW);
  const todo = new Set(cases.map(({ why }) => whatToDo(words, kind, why)));
  const same = todo.size === 1 ? [...todo][0] : undefined;
  const all = allOf(kind);
  const columns: Column<AttentionCase>[] = [
    column('what', words.home.case, (one) => {
      const to = placeOf(one);
      const name = <Name one={one} />;
      return to ? (
        <Link to={to} class="row-link">
          {name}
        </Link>
      ) : (
        name
      );
    }),
    column('number', words.orders.amount, ({ amount, currency }) =>
      amount !== undefined && currency !== undefined ? money(locale, currency, amount) : undefined,
    ),
    column('when', words.home.since, ({ since }) => (
      <>
        <Time at={since} isInRow />
        <span class="second">{ageOf(locale, since)}</span>
      </>
    )),
    column('how', words.audit.about, (one) => (
      <>
        {same === undefined && <p>{whatToDo(words, kind, one.why)}</p>}
        <About kind={kind} one={one} />
      </>
    )),
  ];
  return (
    <section class="cases" aria-labelledby={kind}>
      <h2 id={kind}>
        {words.home.kinds[kind]} <span class="count">{countText([group])}</span>
      </h2>
      {same !== undefined && <p class="todo">{same}</p>}
      <table class="list orders waits" role="table">
        <colgroup>
          <col />
          <col />
          <col />
          <col />
        </colgroup>
        <Rows columns={columns} entries={shown} keyOf={keyOf} isHeadHidden />
      </table>
      {(shown.length < cases.length || group.count > cases.length) && (
        <p class="pager">
          {fill(words.home.first, { shown: shown.length, count: countText([group]) })}
          {shown.length < cases.length && (
            <button type="button" class="plain" onClick={() => setWhole(true)}>
              {fill(words.home.more, { count: cases.length - shown.length })}
            </button>
          )}
          {shown.length === cases.length && all && <Link to={all}>{words.home.all}</Link>}
        </p>
      )}
    </section>
  );
}

function keyOf({ approval_id, operation_id, event_id, order_no, transaction_id, why }: AttentionCase): string {
  return approval_id ?? operation_id ?? event_id ?? `${order_no} ${transaction_id} ${why}`;
}

/** The link that opens a case: its order, or its operation, webhook or contract. */
function Name({ one: { order_no, operation, event } }: { one: AttentionCase }) {
  const { words } = useApp();
  if (order_no !== undefined) return <Foreign text={order_no} />;
  if (operation !== undefined) return <>{words.operations[operation]}</>;
  return <Foreign text={event ?? words.nothing} />;
}

function About({ kind, one }: { kind: AttentionKind; one: AttentionCase }) {
  const { words, locale } = useApp();
  const { operation, items = 1, order_no, event, transaction_id, next_query_at, by, expires_at, why } = one;
  const { payment_method: method } = one;
  const facts = [
    ...(operation === undefined || order_no === undefined ? [] : [words.operations[operation]]),
    ...(items > 1 ? [fill(words.home.items, { count: items })] : []),
    ...(by === undefined || expires_at === undefined
      ? []
      : [
          fill(words.approvals.asked_by, { by: isolated(by.replace(/^person:/, '')) }),
          fill(words.approvals.until, { time: clock(locale, expires_at) }),
        ]),
    ...(kind === 'order_asked' || kind === 'operation_asked'
      ? next_query_at === undefined
        ? []
        : [fill(words.order.next_look, { time: clock(locale, next_query_at) })]
      : []),
    ...(method === undefined ? [] : [method === 'card' ? words.orders.card : isolated(method)]),
    ...(whyKinds.has(kind) ? [chosen(words.why_unknown.reasons, why) ?? isolated(why)] : []),
  ];
  return (
    <p class="quiet-text">
      {facts.join(' · ')}{' '}
      {event !== undefined && (
        <>
          {order_no !== undefined && <Foreign text={event} />}
          {order_no !== undefined && ' · '}
          <Foreign text={why.replace(/^http_/, 'HTTP ')} />
        </>
      )}
      {event === undefined && operation === undefined && transaction_id !== undefined && <Code text={transaction_id} />}
    </p>
  );
}

/** The kinds whose cases have a reason besides their name. */
const whyKinds: ReadonlySet<AttentionKind> = new Set([
  'order_unknown',
  'order_asked',
  'operation_unknown',
  'operation_asked',
]);

/** The time since a moment, in its largest unit: `3 days`. */
function ageOf(locale: string, since: string): string {
  const minutes = Math.max(0, (Date.now() - Date.parse(since)) / 60_000);
  const [unit, length] = units.find(([, length]) => minutes >= length) ?? (['minute', 1] as const);
  const format = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 0 });
  return format.format(Math.max(1, Math.floor(minutes / length)));
}

const units = [
  ['day', 1440],
  ['hour', 60],
] as const;

/** The page that resolves a case; undefined if the relay has no such order. */
function placeOf({ operation_id, approval_id, event_id, order_no, why }: AttentionCase): Route | undefined {
  if (approval_id !== undefined && order_no === undefined) return { page: 'payouts', filter: new URLSearchParams() };
  if (operation_id !== undefined) return { page: 'operation', id: operation_id };
  if (event_id !== undefined) return { page: 'webhook', id: event_id };
  return order_no === undefined || why === 'order_unknown_here' ? undefined : { page: 'order', orderNo: order_no };
}

/** The list with all cases of a kind. */
function allOf(kind: AttentionKind): Route | undefined {
  const list = (page: 'orders' | 'webhooks', filter: Record<string, string>): Route => ({
    ...{ page, filter: new URLSearchParams(filter) },
  });
  switch (kind) {
    case 'payment_reversed':
    case 'payment_unconfirmed':
    case 'payment_held':
    case 'payment_authorised':
    case 'charge_failed':
    case 'order_unknown':
    case 'order_contradicted':
    case 'order_overdue':
      return list('orders', { needs_attention: 'true' });
    case 'order_asked':
      return list('orders', { session_status: 'unknown' });
    case 'order_pending':
      return list('orders', { session_status: 'pending' });
    case 'webhook_failed':
      return list('webhooks', { status: 'failed' });
    default:
      return undefined;
  }
}

/** The advice for a case, in one sentence. */
function whatToDo({ home }: Words, kind: AttentionKind, why: string): string {
  const texts = kind === 'order_contradicted' ? home.contradicted : kind === 'difference' ? home.differences : {};
  return chosen(texts, why) ?? home.todo[kind];
}

/** A newer relay may have reasons without a text here. */
function chosen(texts: Readonly<Record<string, string>>, why: string): string | undefined {
  return Object.hasOwn(texts, why) ? texts[why] : undefined;
}
