import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Attention, AttentionGroup, AttentionKind } from '../../shared/api/attention.ts';
import { useApp } from '../app/app.tsx';
import { type Reading, useAnswer } from '../parts/use-answer.ts';

/** The kinds of cases that need a person, and those that the relay still works on. Most urgent first. */
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

/** The open cases of the account. The navigation and the screen share them. */
export const AttentionContext = createContext<Reading<Attention> | undefined>(undefined);

/** The open cases of the account around a component. */
export function useAttention(): Reading<Attention> {
  const reading = useContext(AttentionContext);
  if (!reading) throw new Error('no AttentionContext around this component');
  return reading;
}

/** Open cases are read at most every five seconds, and once a minute because some cases arise without a change. */
const PACE = { soonMs: 500, pauseMs: 5000, quietMs: 60_000, staleMs: 0 };

/** Reads the open cases at once, a moment after each change, and once a minute. */
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

/** The number of cases as text: `4`, or `100+`. */
export function countText(groups: readonly AttentionGroup[]): string {
  const count = groups.reduce((sum, group) => sum + group.count, 0);
  return `${count}${groups.some(({ more }) => more) ? '+' : ''}`;
}
