import type { Message } from '../../../shared/gateway/signature.ts';
import type { CodeBook } from '../../gateway/profile.ts';
import { isOpen, type Operation } from './operation.ts';
import { payoutOutcome } from './outcome.ts';

/**
 * What an answer makes of an operation that somebody else wrote meanwhile: a relay that took it for lost, a payout's
 * notification, or a person who settled it. The gateway's answer overrides a person's decision, which is kept beside it.
 * Undefined if it contains nothing new.
 */
export function afterLateAnswer(current: Operation, read: Operation, codes: CodeBook): Operation | undefined {
  const next: Operation = { ...read, version: current.version + 1 };
  switch (current.state.status) {
    case 'unknown':
      // A search that began meanwhile continues if the answer decides nothing.
      if (read.state.status === 'unknown' && current.lookup) return { ...next, lookup: current.lookup };
      return next;
    case 'settled':
      if (read.state.status !== 'answered') return undefined;
      return { ...next, state: { ...read.state, settlement: current.state.settlement } };
    case 'answered': {
      if (read.name !== 'payout' || read.state.status !== 'answered') return undefined;
      const answer = newerOver(current.state.answer, read.state.answer, codes);
      const merged: Operation = { ...next, state: { ...read.state, answer, items: [payoutOutcome(answer, codes)] } };
      return isOpen(merged) ? merged : { ...merged, settled_at: current.settled_at ?? read.settled_at ?? '' };
    }
    case 'in_flight':
    case 'refused':
    case 'not_sent':
      return undefined;
  }
}

/** Merges two messages about one payout: a field of the newer one wins, and the older one supplies what it lacks. */
export function newerOver(before: Message, received: Message, codes: CodeBook): Message {
  return isOlder(received, before, codes) ? { ...received, ...before } : { ...before, ...received };
}

/** Messages arrive late and out of order. If their times do not decide, the one that ends the payout is the newer. */
export function isOlder(received: Message, before: Message, codes: CodeBook): boolean {
  const [receivedAt, knownAt] = [momentOf(received), momentOf(before)];
  if (receivedAt !== undefined && knownAt !== undefined && receivedAt !== knownAt) return receivedAt < knownAt;
  return payoutOutcome(before, codes) !== 'unknown' && payoutOutcome(received, codes) === 'unknown';
}

function momentOf({ last_updated_at }: Message): number | undefined {
  const moment = typeof last_updated_at === 'string' ? Date.parse(last_updated_at) : Number.NaN;
  return Number.isNaN(moment) ? undefined : moment;
}
