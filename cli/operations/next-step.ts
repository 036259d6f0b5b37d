import type { OperationAnswer } from '../../client/index.ts';

/** What to do about an operation, as long as something of it is unknown. */
export function nextStep({ id, operation, status, items, answer, unknown }: OperationAnswer): string | undefined {
  const isKnown = items !== undefined && !items.includes('unknown');
  if (isKnown || status === 'not_sent' || (status === 'refused' && !unknown)) return undefined;
  const look = `turnpike operations get ${id}`;
  if (status === 'in_flight') return `It is still running. Look again in a moment: ${look}`;
  if (operation === 'payout' && answer) {
    return `The payout is on its way. See what becomes of it: ${look}`;
  }
  if (unknown?.next_query_at !== undefined) {
    return `The relay asks the gateway again at ${unknown.next_query_at}. Look then: ${look}`;
  }
  return `Nothing is sent again. Look at the gateway what became of it, then tell the relay: turnpike operations settle ${id} --outcome succeeded (or failed)`;
}
