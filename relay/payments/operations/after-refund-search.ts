import type { Match } from './match-refunds.ts';
import {
  isOpen,
  type Operation,
  type OperationState,
  type RefundLookup,
  type RefundSearchResult,
  type Settlement,
} from './operation.ts';
import { unnamedItems } from './refund-names.ts';

/** How searches back off, and when they end. */
type Pace = { first_ms: number; max_ms: number; give_up_ms: number };

/**
 * Decides whether the gateway is asked what became of a refund, and when first.
 * @returns the operation as it is, or with its first search where one can tell something: of an unknown refund with what was
 *   there before, of an answered one also by the refund_reference_ids in its answer, of a refused one always
 */
export function withFirstSearch(operation: Operation, now: Date, { first_ms }: Pace): Operation {
  const { name, state, created_at, lookup } = operation;
  if (name !== 'refund' || !isOpen(operation)) return operation;
  const isNamed = state.status === 'answered' && unnamedItems(operation).length === 0;
  if (!lookup?.before && !isNamed && state.status !== 'refused') return operation;
  const begun: RefundLookup = lookup ?? { asked_at: created_at, looks: 0 };
  return { ...operation, lookup: { ...begun, since: now.toISOString(), next_look_at: later(now, first_ms) } };
}

/**
 * A refund after a search: settled where its refunds were found; released where it was refused and nothing new is there;
 * else with a later next search, or with none after `give_up_ms`.
 * @returns the operation at its next version
 */
export function afterRefundSearch(
  operation: Operation,
  found: Match | { kind: RefundSearchResult },
  now: Date,
  pace: Pace,
): Operation {
  const { state, lookup } = operation;
  const version = operation.version + 1;
  if (!isOpen(operation) || !lookup) return { ...operation, version };
  const at = now.toISOString();
  if (found.kind === 'found') {
    const { items, refund_reference_ids } = found;
    const settlement = { by: 'refund_search', items, refund_reference_ids } as const;
    return { ...operation, version, settled_at: at, state: settledBy(state, settlement) };
  }
  const { next_look_at: _, ...rest } = lookup;
  const searched = { ...rest, looks: lookup.looks + 1, last_look: { at, found: found.kind } };
  if (state.status === 'refused' && found.kind === 'absent') {
    const released = { status: 'refused', evidence: state.evidence } as const;
    return { ...operation, version, settled_at: at, state: released, lookup: searched };
  }
  const isOver = now.getTime() - Date.parse(unknownSince(lookup, state)) >= pace.give_up_ms;
  const wait = Math.min(pace.max_ms, pace.first_ms * 2 ** Math.min(searched.looks, 30));
  return { ...operation, version, lookup: isOver ? searched : { ...searched, next_look_at: later(now, wait) } };
}

/** The state of an operation that somebody settled; one that cannot be settled stays as it is. */
export function settledBy(state: OperationState, settlement: Settlement): OperationState {
  switch (state.status) {
    case 'answered':
    case 'unknown':
      return { ...state, status: 'settled', settlement };
    case 'refused':
      return { status: 'settled', evidence: state.evidence, settlement };
    case 'in_flight':
    case 'not_sent':
    case 'settled':
      return state;
  }
}

/** Since when a refund is searched for: its lookup tells that from the first search on. */
export function unknownSince({ since, asked_at }: RefundLookup, state: OperationState): string {
  return since ?? (state.status === 'unknown' ? state.since : asked_at);
}

function later(now: Date, ms: number): string {
  return new Date(now.getTime() + ms).toISOString();
}
