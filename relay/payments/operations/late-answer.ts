import type { Message } from '../../../shared/gateway/signature.ts';
import type { CodeBook } from '../../gateway/profile.ts';
import { isOpen, type Operation } from './operation.ts';
import { payoutOutcome } from './outcome.ts';

/**
 * What an answer makes of an operation that somebody else wrote meanwhile: a relay that took it for lost, a payout's
 * notification, or a person who settled it. The gateway's own word stands above a person's, who is kept beside it.
 * Undefined when it tells nothing new.
 */
export function afterLateAnswer(current: Operation, read: Operation, codes: CodeBook): Operation | undefined {
  const next: Operation = { ...read, version: current.version + 1 };
  switch (current.state.status) {
    case 'unknown':
      // The search that was begun meanwhile goes on where the answer tells nothing either.
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

/** Two words about one payout: the newer stands above the older, which still fills in what it leaves out. */
export function newerOver(before: Message, told: Message, codes: CodeBook): Message {
  return isOlder(told, before, codes) ? { ...told, ...before } : { ...before, ...told };
}

/** Words come late and out of order. Where their times do not tell, one that ends the payout is the newer. */
export function isOlder(told: Message, before: Message, codes: CodeBook): boolean {
  const [toldAt, knownAt] = [momentOf(told), momentOf(before)];
  if (toldAt !== undefined && knownAt !== undefined && toldAt !== knownAt) return toldAt < knownAt;
  return payoutOutcome(before, codes) !== 'unknown' && payoutOutcome(told, codes) === 'unknown';
}

function momentOf({ last_updated_at }: Message): number | undefined {
  const moment = typeof last_updated_at === 'string' ? Date.parse(last_updated_at) : Number.NaN;
  return Number.isNaN(moment) ? undefined : moment;
}
