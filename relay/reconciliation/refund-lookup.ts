import type { Message } from '../../shared/gateway/signature.ts';
import type { Account, Config } from '../config/load.ts';
import { whyUnsignable } from '../gateway/signing/signing-setting.ts';
import { type Match, ofPayments } from '../payments/match-refunds.ts';
import type { EffectName, Operation, RefundFinding, RefundLookup } from '../payments/operation.ts';
import { refundItems } from '../payments/refunds.ts';
import type { Context } from '../store/context.ts';
import { paymentNames, searchRefunds } from './refund-search.ts';

/** A shop waits for its refund, so the search before it gets no more time than this. */
const BEFORE_MS = 3000;

/**
 * Asks, before a refund is sent, which refunds its payments have (design 5), so that a new one can be told from them.
 * Undefined where the gateway does not tell: the refund is sent all the same, and waits for a person should nobody know
 * what became of it. Also undefined for other operations, and for a refund that cannot be sent.
 */
export async function lookupBefore(
  context: Context,
  account: Account,
  name: EffectName,
  message: Message,
): Promise<RefundLookup | undefined> {
  const { signing, list_separator } = context.config.gateway.profile;
  if (name !== 'refund' || whyUnsignable(signing, name) !== undefined) return undefined;
  const items = refundItems(message);
  const names = paymentNames(items, list_separator);
  if (!names) return undefined;
  const asked_at = context.now().toISOString();
  const searched = await searchRefunds(context, account, names, BEFORE_MS);
  if (searched.kind !== 'found') return undefined;
  const ids = ofPayments(items, searched.records).map(({ refund_reference_id }) => refund_reference_id ?? '');
  // A refund without a name could not be told from a new one.
  return ids.includes('') ? undefined : { before: [...new Set(ids)], asked_at, looks: 0 };
}

/** An operation as it is, or with its first look if it has just become unknown and can be looked up. */
export function withFirstLook(operation: Operation, now: Date, { first_ms }: Config['resolve']): Operation {
  const { state, lookup } = operation;
  if (state.status !== 'unknown' || !lookup) return operation;
  return { ...operation, lookup: { ...lookup, next_look_at: later(now, first_ms) } };
}

/**
 * An unknown operation after a look: settled where its refunds were found; else with a later next look, or with none
 * after `give_up_ms`. Its version is the next one.
 */
export function afterLook(
  operation: Operation,
  found: Match | { kind: RefundFinding },
  now: Date,
  resolve: Config['resolve'],
): Operation {
  const { state, lookup } = operation;
  const version = operation.version + 1;
  if (state.status !== 'unknown' || !lookup) return { ...operation, version };
  const at = now.toISOString();
  if (found.kind === 'found') {
    const { items, refund_reference_ids } = found;
    const settlement = { by: 'refund_search', items, refund_reference_ids } as const;
    return { ...operation, version, settled_at: at, state: { ...state, status: 'settled', settlement } };
  }
  const { next_look_at: _, ...rest } = lookup;
  const looks = lookup.looks + 1;
  const isOver = now.getTime() - Date.parse(state.since) >= resolve.give_up_ms;
  const wait = Math.min(resolve.max_ms, resolve.first_ms * 2 ** Math.min(looks, 30));
  const next = { ...rest, looks, last_look: { at, found: found.kind } };
  return { ...operation, version, lookup: isOver ? next : { ...next, next_look_at: later(now, wait) } };
}

function later(now: Date, ms: number): string {
  return new Date(now.getTime() + ms).toISOString();
}
