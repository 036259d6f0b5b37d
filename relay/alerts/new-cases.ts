import type { Attention, AttentionCase, AttentionGroup } from '../../shared/api/attention.ts';
import type { Recipient } from '../config/alerts.ts';
import type { Known } from './recipient-state.ts';

/** The new cases of a kind, and how many wait in all. */
export type NewGroup = Pick<AttentionGroup, 'kind' | 'count' | 'more' | 'cases'>;

/** Returns the new cases of an account for a recipient, and the known cases once they are sent. */
export function newCasesOf(attention: Attention, before: Known | undefined, { kinds }: Recipient) {
  const groups = attention.groups.filter(({ kind, count }) => count > 0 && isWanted(kind, kinds));
  const reported = new Set(before?.cases);
  const fresh = groups.flatMap(({ kind, count, more, cases }): NewGroup[] => {
    const unknown = cases.filter((one) => !reported.has(keyOf(kind, one)));
    // Only the oldest cases are listed: others show in the count.
    const isNew = unknown.length > 0 || count > (before?.counts[kind] ?? 0);
    return isNew ? [{ kind, count, cases: unknown, ...(more ? { more } : {}) }] : [];
  });
  const known: Known = {
    cases: groups.flatMap(({ kind, cases }) => cases.map((one) => keyOf(kind, one))),
    counts: Object.fromEntries(groups.map(({ kind, count }) => [kind, count])),
  };
  return { fresh, known };
}

/** Kinds that need no person yet. */
const QUIET: readonly string[] = ['order_asked', 'operation_asked', 'order_pending'];

function isWanted(kind: string, kinds: readonly string[] | undefined): boolean {
  return kinds ? kinds.includes(kind) : !QUIET.includes(kind);
}

/** Without `since`: a difference that remains is reported again by each reconciliation. */
function keyOf(kind: string, one: AttentionCase): string {
  const { order_no, transaction_id, recurring_id, operation_id, event_id, approval_id, why } = one;
  const subject = approval_id ?? event_id ?? operation_id ?? recurring_id ?? order_no;
  return [kind, subject, transaction_id, why].join(' ');
}
