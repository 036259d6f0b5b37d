import type { Message } from '../../../shared/gateway/signature.ts';
import type { CodeBook } from '../../gateway/profile.ts';
import type { ItemOutcome, OperationState } from './operation.ts';

/** What a payout's operation says after a message about it. */
type PayoutState = Extract<OperationState, { status: 'answered' }>;

/**
 * A payout after a further message about it, which may be late or out of order. A final payout never turns back, and changes only
 * by a final message whose `last_updated_at` is later: a different end without such a time is disputed, so that a person decides.
 * What a person decided between two ends a message without a new time leaves alone.
 * @param current of a payout that may have been answered, notified about or settled
 * @param received a signed message about this payout
 * @param by an answer to the payout itself supplies what is not known, even where it is the older message
 * @param now ISO 8601
 * @returns undefined where the message changes nothing
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
  // A person's finding is kept until the gateway says how the payout ended.
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
 * True for a message that contradicts what is known of a payout, is not known to be older, and changes nothing: the payout has
 * ended and the message's status is not final in the code book, or a person has decided otherwise and it tells no new time.
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

/** True where the gateway had told how a payout ended, and a person settled it: it had told two ends. */
function isDecidedByPerson(current: OperationState, codes: CodeBook): boolean {
  return current.status === 'settled' && payoutOutcome(knownOf(current), codes) !== 'unknown';
}

/** True where a person has decided what this message says, too. */
function agreesWithPerson(current: OperationState, end: ItemOutcome): boolean {
  return current.status === 'settled' && current.settlement.items.every((item) => item === end);
}

/** A payout that is neither completed nor failed is still on its way. */
export function payoutOutcome(answer: Message, { payout_status }: CodeBook): ItemOutcome {
  const status = String(answer.status);
  if (payout_status.completed.includes(status)) return 'succeeded';
  return payout_status.failed.includes(status) ? 'failed' : 'unknown';
}

/**
 * Whether a message counts as the newer one of two. How the payout ended is newer than that it had not, whatever their times; else
 * times decide, if there are two.
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

/** Two messages as one. The older one supplies what the newer one lacks, but not its time, which is not that of the newer one. */
function merged(newer: Message, { last_updated_at: _, ...older }: Message): Message {
  return { ...older, ...newer };
}

/** True for a message without a time that says once more how the payout ended: it had ended at the time that is known. */
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
