import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Attention, AttentionGroup, AttentionKind } from '../../shared/api/attention.ts';
import { useApp } from '../app/app.tsx';
import { type Reading, useAnswer } from '../parts/use-answer.ts';

/** The kinds of cases that wait for a person, and those that need nobody yet, each the most urgent first. */
export const forPerson = [
  'paid_twice',
  'payment_reversed',
  'payment_unconfirmed',
  'payment_held',
  'payment_authorised',
  'charge_failed',
  'order_unknown',
  'order_contradicted',
  'order_overdue',
  'operation_unknown',
  'approval',
  'difference',
  'webhook_failed',
] as const satisfies readonly AttentionKind[];
export const byItself = ['order_asked', 'operation_asked', 'order_pending'] as const satisfies readonly AttentionKind[];

/** What waits in the account, which the navigation and the screen show together. */
export const AttentionContext = createContext<Reading<Attention> | undefined>(undefined);

/** What waits in the account around a component. */
export function useAttention(): Reading<Attention> {
  const reading = useContext(AttentionContext);
  if (!reading) throw new Error('outside what waits');
  return reading;
}

/** What waits is read less often where much changes, and once a minute: not every new case is announced by a change. */
const PACE = { soonMs: 500, pauseMs: 5000, quietMs: 60_000, staleMs: 0 };

/** Reads what waits at once, a moment after each change, and once a minute. */
export function useReadAttention(): Reading<Attention> {
  const { api } = useApp();
  return useAnswer(`${api.livePath} attention`, api.attention, () => true, PACE);
}

/** The groups of these kinds that have cases. */
export function groupsOf<Kind extends AttentionKind>(
  { groups }: Attention,
  kinds: readonly Kind[],
): (AttentionGroup & { kind: Kind })[] {
  return kinds.flatMap((kind) =>
    groups.flatMap((group) => (group.kind === kind && group.count > 0 ? [{ ...group, kind }] : [])),
  );
}

/** How many cases there are, as it is shown: `4`, or `100+`. */
export function countText(groups: readonly AttentionGroup[]): string {
  const count = groups.reduce((sum, group) => sum + group.count, 0);
  return `${count}${groups.some(({ more }) => more) ? '+' : ''}`;
}
