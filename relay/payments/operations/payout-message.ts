import type { Message } from '../../../shared/gateway/signature.ts';
import type { CodeBook } from '../../gateway/profile.ts';
import type { ItemOutcome, OperationState } from './operation.ts';

/** The state of a payout's operation after a message about it. */
type PayoutState = Extract<OperationState, { status: 'answered' }>;

/**
 * Applies a further message to a payout. The message may be late or out of order. The state of an ended payout changes
 * only by a final message with a later `last_updated_at`. A different end without a time makes it disputed. A person
 * settles disputes, and a message without a new time does not change that decision.
 * @param current of a payout that may have been answered, notified about or settled
 * @param received a signed message about this payout
 * @param by `answer`: the answer to the payout itself, which adds the fields that are not known even if it is the older
 *   message
 * @param now ISO 8601
 * @returns undefined if the message changes nothing
 */
export function afterPayoutMessage(
  current: OperationState,
  received: Message,
  by: 'answer' | 'notification',
  codes: CodeBook,
  now: string,
): PayoutState | undefined {
  const known = knownOf(current);
  const settlement = 'settlement' in current ? current.settlement : undefined;
  const kept = settlement ? { settlement } : {};
  const end = payoutOutcome(received, codes);
  // A person's decision stays until the gateway reports the end of the payout.
  if (current.status === 'settled' && end === 'unknown') return undefined;
  const isDecided = isDecidedByPerson(current, codes);
  if (isDecided && !hasOtherTime(received, known)) return undefined;
  const disputed = 'disputed' in current && !isDecided ? current.disputed : undefined;
  switch (recencyOf(received, known, disputed !== undefined || isDecided, codes)) {
    case 'older': {
      if (by === 'notification' || current.status !== 'answered') return undefined;
      return { ...current, answer: merged(known, received) };
    }
    case 'newer': {
      const answer = repeatsEnd(received, known, codes)
        ? { ...known, ...received, last_updated_at: known.last_updated_at }
        : merged(received, known);
      if (JSON.stringify(answer) === JSON.stringify(known)) return undefined;
      return { status: 'answered', answer, items: [end], ...kept };
    }
    case 'disputed': {
      if (agreesWithPerson(current, end)) return undefined;
      const answer = by === 'answer' ? merged(known, received) : merged(received, known);
      return { status: 'answered', answer, items: ['unknown'], disputed: disputed ?? now, ...kept };
    }
  }
}

/**
 * Whether a message contradicts the known state of a payout, is not known to be older, and changes nothing: its status
 * is not final although the payout has ended, or it has no new time although a person decided otherwise.
 */
export function isIgnoredContradiction(current: OperationState, received: Message, codes: CodeBook): boolean {
  const known = knownOf(current);
  const end = payoutOutcome(received, codes);
  if (end !== 'unknown') {
    return isDecidedByPerson(current, codes) && !hasOtherTime(received, known) && !agreesWithPerson(current, end);
  }
  const [receivedAt, knownAt] = [momentOf(received), momentOf(known)];
  const isOlder = receivedAt !== undefined && knownAt !== undefined && receivedAt < knownAt;
  return received.status !== known.status && !isOlder;
}

function knownOf(current: OperationState): Message {
  return 'answer' in current ? (current.answer ?? {}) : {};
}

/** Whether a person decided between two ends of a payout that the gateway reported. */
function isDecidedByPerson(current: OperationState, codes: CodeBook): boolean {
  return current.status === 'settled' && payoutOutcome(knownOf(current), codes) !== 'unknown';
}

/** Whether the end in the message is that of the person's decision. */
function agreesWithPerson(current: OperationState, end: ItemOutcome): boolean {
  return current.status === 'settled' && current.settlement.items.every((item) => item === end);
}

/** The outcome of a payout by its status; `unknown` until it is completed or failed. */
export function payoutOutcome(answer: Message, { payout_status }: CodeBook): ItemOutcome {
  const status = String(answer.status);
  if (payout_status.completed.includes(status)) return 'succeeded';
  return payout_status.failed.includes(status) ? 'failed' : 'unknown';
}

/**
 * Whether the received message is newer than the known one. A final status is newer than one that is not final;
 * otherwise the times decide, if both messages have one.
 */
function recencyOf(
  received: Message,
  known: Message,
  isDisputed: boolean,
  codes: CodeBook,
): 'older' | 'newer' | 'disputed' {
  const [before, end] = [payoutOutcome(known, codes), payoutOutcome(received, codes)];
  if (before !== 'unknown' && end === 'unknown') return 'older';
  if (before === 'unknown' && end !== 'unknown' && !isDisputed) return 'newer';
  const [receivedAt, knownAt] = [momentOf(received), momentOf(known)];
  if (receivedAt !== undefined && knownAt !== undefined && receivedAt !== knownAt) {
    return receivedAt < knownAt ? 'older' : 'newer';
  }
  if (before === 'unknown' && !isDisputed) return 'newer';
  if (end === 'unknown') return 'older';
  return end === before && !isDisputed ? 'newer' : 'disputed';
}

/** Merges two messages. The older one adds the fields that the newer one lacks, except its time. */
function merged(newer: Message, { last_updated_at: _, ...older }: Message): Message {
  return { ...older, ...newer };
}

/** Whether a message without a time repeats the known end of the payout. The known time then stays. */
function repeatsEnd(received: Message, known: Message, codes: CodeBook): boolean {
  const end = payoutOutcome(received, codes);
  const isSame = end !== 'unknown' && end === payoutOutcome(known, codes);
  return isSame && momentOf(received) === undefined && momentOf(known) !== undefined;
}

/** True for a message with a time that is not the known one. */
function hasOtherTime(received: Message, known: Message): boolean {
  const moment = momentOf(received);
  return moment !== undefined && moment !== momentOf(known);
}

function momentOf({ last_updated_at }: Message): number | undefined {
  const moment = typeof last_updated_at === 'string' ? Date.parse(last_updated_at) : Number.NaN;
  return Number.isNaN(moment) ? undefined : moment;
}
