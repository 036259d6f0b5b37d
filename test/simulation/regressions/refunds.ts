import type { Regression } from './found.ts';

/** Histories of refunds, batches and payouts. */
// biome-ignore format: one step is one line
export const refunds: readonly Regression[] = [
  {
    found: 'A refund that counted as not made came late, and nothing was known of earlier refunds.',
    seed: 5000086,
    relays: 3,
    steps: [
      { after: 0, do: 'break gateway', what: 'queries', how: 'no_success', ms: 35607 },
      { after: 1000, do: 'buy', order: 9, amount: 0, presses: 1, gap: 0, method: 'card', fate: { slow: 2995, notices: [{ after: 200, times: 1 }], says: 'approved', book: [{ after: 0, status: 'approved' }] } },
      { after: 10000, do: 'refund', order: 9, part: true, repeat: false, fate: { does: 'refused_400', hidden: 4407, booked: 89928609, more: [{ same: true, does: 'unlisted_failed' }], turned: true } },
    ],
  },
  {
    found: 'A part of a refund that came late was taken for a part of another refund of the payment.',
    seed: 12000125,
    relays: 2,
    variant: { zone: { change: 'spring', minutesBefore: 21 } },
    steps: [
      { after: 1000, do: 'buy', order: 1, amount: 0, presses: 1, gap: 0, method: 'card', fate: { answer: 'other_order', notices: [{ after: 200, times: 1 }], says: 'approved', book: [{ after: 0, status: 'approved' }] } },
      { after: 1000, do: 'buy', order: 2, amount: 0, presses: 1, gap: 0, method: 'card', fate: { notices: [{ after: 200, times: 1 }], says: 'approved', book: [{ after: 0, status: 'approved' }] } },
      { after: 10000, do: 'refund', order: 2, part: true, repeat: false, fate: { more: [{ same: false, does: 'unlisted_failed' }], turned: true } },
      { after: 0, do: 'refund', order: 2, part: true, repeat: false, fate: { way: 'lost', more: [{ same: false, does: 'failed' }, { same: true, does: 'unlisted' }], turned: true } },
      { after: 203, do: 'buy', order: 3, amount: 0, method: 'card', fate: { answerSlow: 11993, unstored: 43, twice: true, dated: 363, notices: [{ after: 200, times: 1 }], says: 'approved', book: [{ after: 0, status: 'approved' }], back: 5 }, presses: 1, gap: 7 },
      { after: 17873, do: 'pay out', repeat: true, fate: { slow: 6, does: 'unlisted', answer: 'http_500', notices: [{ status: 'PENDING', at: 60000, after: 164582, times: 2, unsigned: false, untimed: true }, { status: 'COMPLETED', at: 120000, after: 254313, times: 1, unsigned: false, untimed: true }, { status: 'FAILED', at: 180000, after: 267384, times: 2, unsigned: false, untimed: true }] } },
      { after: 1000, do: 'buy', order: 6, amount: 0, presses: 1, gap: 0, method: 'card', fate: { answerSlow: 73, notices: [{ after: 200, times: 1 }], says: 'approved', book: [{ after: 0, status: 'approved' }] } },
      { after: 10000, do: 'break store', how: 'commit heard late', calls: 2 },
      { after: 10, do: 'refund', order: 6, part: true, fate: { does: 'refused_400', hidden: 16, more: [{ same: false, does: 'failed' }, { same: false, does: 'failed' }], turned: true, booked: 418816675 }, repeat: false },
      { after: 27984, do: 'refund', order: 11, repeat: true, fate: { answer: 'lost', hidden: 2592791 }, part: false },
    ],
  },
  {
    found: 'An answer that was stored unheard, and stored again, reopened a refund that a search had settled.',
    seed: 13000329,
    relays: 1,
    variant: { zone: { change: 'spring', minutesBefore: 35, isLate: true } },
    steps: [
      { after: 3913782, do: 'buy', order: 28, amount: 0, method: 'card', fate: { hidden: 4996, unstored: 4, notices: [{ after: 200, times: 1 }], says: 'approved', book: [{ after: 0, status: 'approved' }], back: 1 }, presses: 1, gap: 3 },
      { after: 1000, do: 'buy', order: 29, amount: 0, presses: 1, gap: 0, method: 'card', fate: { notices: [{ after: 200, times: 1 }], says: 'approved', book: [{ after: 0, status: 'approved' }] } },
      { after: 10000, do: 'refund', order: 29, part: true, repeat: false, fate: { way: 'lost', more: [{ same: true, does: 'unlisted_failed' }, { same: false, does: 'failed' }], turned: true } },
      { after: 1993, do: 'refund', order: 29, part: true, repeat: false, fate: { more: [{ same: false, does: 'unlisted' }, { same: true, does: 'failed' }], turned: true } },
      { after: 161, do: 'break store', how: 'commit unheard', calls: 235 },
    ],
  },
  {
    found: 'A refund that was answered with an unlisted code was not searched for.',
    seed: 109,
    relays: 2,
    steps: [
      { after: 1000, do: 'buy', amount: 0, presses: 1, gap: 0, order: 3, method: 'card', fate: { twice: true, notices: [{ after: 200, times: 1 }], says: 'approved', book: [{ after: 0, status: 'approved' }], back: 2 } },
      { after: 10000, do: 'refund', order: 3, part: false, repeat: false, fate: { more: [{ same: true, does: 'unlisted' }], turned: true } },
    ],
  },
  {
    found: 'The outcomes of a batch were taken in the order of its answer.',
    seed: 112,
    relays: 1,
    steps: [
      { after: 1000, do: 'create session', order: 1, amount: 0, seconds: 86400 },
      { after: 10, do: 'press pay', order: 1, session: 0, presses: 1, gap: 0, hangsUp: false, method: 'card', fate: { notices: [{ after: 56649, times: 1 }, { after: 1755026, times: 3 }], says: 'approved', book: [{ after: 0, status: 'approved' }], back: 8 } },
      { after: 49789, do: 'refund', order: 1, repeat: true, fate: { does: 'failed', answerSlow: 5, more: [{ same: true, does: 'done' }], turned: true }, part: true },
    ],
  },
  {
    found: 'A refund whose relay died while it was sent was not searched for.',
    seed: 1,
    relays: 1,
    steps: [
      { after: 1000, do: 'buy', order: 1, amount: 0, presses: 1, gap: 0, method: 'card', fate: { says: 'approved', book: [{ after: 0, status: 'approved' }] } },
      { after: 10_000, do: 'kill relay', relay: 0, calls: 99, effect: false, downMs: 4000 },
      { after: 10, do: 'refund', order: 1, part: true, repeat: false, fate: { answerSlow: 5000 } },
    ],
  },
  {
    found: 'The searches of a slow gateway had too little time, so that a refund whose answer was lost could not be told.',
    seed: 1,
    relays: 1,
    steps: [
      { after: 1000, do: 'buy', order: 1, amount: 0, presses: 1, gap: 0, method: 'card', fate: { says: 'approved', book: [{ after: 0, status: 'approved' }] } },
      { after: 10_000, do: 'break gateway', what: 'queries', how: 'slow', ms: 60_000 },
      { after: 1000, do: 'refund', order: 1, part: true, repeat: false, fate: { answer: 'lost' } },
    ],
  },
  {
    found: 'The answer of a person’s verdict on a refund was kept after it, and the relay died between the two.',
    seed: 1,
    relays: 1,
    steps: [
      { after: 1000, do: 'buy', order: 1, amount: 0, presses: 1, gap: 0, method: 'card', fate: { says: 'approved', book: [{ after: 0, status: 'approved' }] } },
      { after: 10_000, do: 'refund', order: 1, part: true, repeat: false, fate: { answer: 'lost', hidden: 3_600_000 } },
      { after: 30_000, do: 'kill relay', relay: 0, calls: 9, effect: false, downMs: 5000 },
      { after: 10, do: 'settle operation', back: 0, says: 'truth', relay: 0 },
      { after: 1000, do: 'repeat decision', back: 0, later: 10_000 },
    ],
  },
  {
    found: 'A payout that was returned was completed for some minutes, by a notification of before.',
    seed: 1,
    relays: 1,
    steps: [
      { after: 1000, do: 'pay out', repeat: false, fate: { does: 'unlisted', notices: [{ status: 'FAILED', at: 180_000, after: 180_000, times: 1, unsigned: false }, { status: 'COMPLETED', at: 120_000, after: 240_000, times: 1, unsigned: false }, { status: 'FAILED', at: 200_000, after: 300_000, times: 1, unsigned: false }] } },
    ],
  },
  {
    found: 'A refund counted as not made, and was open again just before another one was sent.',
    seed: 515000226,
    relays: 1,
    variant: { wording: 'json numbers' },
    steps: [
      { after: 803, do: 'buy', order: 6, amount: 0, method: 'apm', fate: { notices: [{ after: 414909, times: 1 }, { after: 784, times: 1 }], says: 'redirect', tries: [{ after: 25067, status: 'approved', same: false }], back: 3 }, presses: 3, gap: 50 },
      { after: 1000, do: 'buy', order: 8, amount: 0, presses: 1, gap: 0, method: 'card', fate: { book: [{ after: 0, status: 'approved' }], says: 'approved' } },
      { after: 10000, do: 'refund', order: 8, repeat: false, part: true, fate: { does: 'unlisted', answer: 'lost', hidden: 21717929 } },
      { after: 11296516.5, do: 'refund', order: 8, repeat: false, part: true, anew: true, fate: {} },
      { after: 17, do: 'break store', how: 'slow', calls: 3 },
    ],
  },
];
