import type { Regression } from './found.ts';

/** Histories of payments, their credits and their webhooks. */
// biome-ignore format: one step is one line
export const payments: readonly Regression[] = [
  {
    found: 'A late answer met an order that was paid meanwhile.',
    seed: 1,
    relays: 1,
    steps: [
      { after: 0, do: 'create session', order: 0, amount: 0, seconds: 86400 },
      { after: 1000, do: 'press pay', order: 0, session: 0, method: 'card', presses: 1, gap: 0, hangsUp: false, fate: { says: 'declined', book: [{ after: 0, status: 'declined' }, { after: 2000, status: 'approved' }], notices: [{ after: 10, times: 1 }] } },
      { after: 2070, do: 'press pay', order: 0, session: 0, method: 'apm', presses: 1, gap: 0, hangsUp: false, fate: { slow: 1000, says: 'redirect', answerSlow: 1000, tries: [{ after: 20000, status: 'approved', same: false }], notices: [{ after: 200, times: 1 }] } },
      { after: 700, do: 'kill relay', relay: 0, calls: 0, effect: false, downMs: 5000 },
    ],
  },
  {
    found: 'A payment that was never sent left an unknown session without a webhook.',
    seed: 1,
    relays: 2,
    steps: [
      { after: 0, do: 'create session', order: 0, amount: 0, seconds: 86400 },
      { after: 900, do: 'press pay', order: 0, session: 0, method: 'card', presses: 1, gap: 0, hangsUp: false, fate: { way: 'not_sent', says: 'approved' } },
      { after: 1, do: 'break store', how: 'not written', calls: 60 },
    ],
  },
  {
    found: 'An orphaned attempt waited for another session of its order.',
    seed: 19,
    relays: 3,
    steps: [
      { after: 71554, do: 'pay from server', order: 4, amount: 0, method: 'card', fate: { dated: 533, notices: [{ after: 200, times: 1 }], says: 'refused_400', book: [{ after: 0, status: 'approved' }], back: 4999 }, requests: 1 },
      { after: 10, do: 'buy', order: 5, amount: 0, method: 'apm', fate: { answerSlow: 11992, twice: true, notices: [{ after: 200, times: 1 }], says: 'redirect' }, presses: 1, gap: 19 },
      { after: 134556, do: 'press pay', order: 4, session: 0, method: 'apm', fate: { slow: 212, notices: [{ after: 200, times: 1 }], says: 'redirect', tries: [{ after: 275144, status: 'declined', same: false }] }, gap: 1, presses: 1, hangsUp: false },
      { after: 43689, do: 'buy', order: 9, amount: 0, method: 'card', fate: { twice: true, notices: [{ after: 200, times: 1 }], says: 'unlisted', book: [{ after: 0, status: 'pending' }, { after: 7199979, status: 'declined' }], back: 59991 }, presses: 1, gap: 19 },
      { after: 730, do: 'buy', order: 12, amount: 0, method: 'apm', fate: { notices: [{ after: 200, times: 1 }], says: 'redirect', back: 4734 }, presses: 1, gap: 2 },
      { after: 5025, do: 'buy', order: 13, amount: 0, method: 'apm', fate: { answerSlow: 2544, twice: true, dated: -3, notices: [{ after: 200, times: 1 }], says: 'refused_400', back: 3 }, presses: 1, gap: 1076 },
      { after: 291, do: 'buy', order: 14, amount: 0, method: 'card', fate: { notices: [{ after: 200, times: 1 }], says: 'refused_400', back: 5 }, presses: 1, gap: 3 },
      { after: 62125, do: 'break gateway', what: 'everything', how: 'timeout', ms: 84447 },
      { after: 8410, do: 'buy', order: 15, amount: 1, method: 'card', fate: { answerSlow: 5942, twice: true, notices: [{ after: 200, times: 1 }], says: 'refused_429', back: 1 }, presses: 3, gap: 45 },
    ],
  },
  {
    found: 'A contract that a record reported was forgotten by the answer that came later.',
    seed: 159,
    relays: 2,
    steps: [
      { after: 8, do: 'buy', order: 16, amount: 0, method: 'card', fate: { unstored: 76, dated: 1, contract: 'record', later: [{ after: 232638587, amount: 1 }], says: 'approved', book: [{ after: 0, status: 'approved' }], back: 2452 }, presses: 1, gap: 2494 },
    ],
  },
  {
    found: 'An approved record in another currency paid an order whose answer was lost.',
    seed: 1,
    relays: 1,
    steps: [
      { after: 0, do: 'create session', order: 0, amount: 0, seconds: 86400 },
      { after: 1000, do: 'press pay', order: 0, session: 0, method: 'card', presses: 1, gap: 0, hangsUp: false, fate: { answer: 'http_500', says: 'declined', book: [] } },
      { after: 5000, do: 'book foreign record', order: 0, amount: 0, minutes: 0, isForeign: true, book: [{ after: 0, status: 'approved' }] },
    ],
  },
  {
    found: 'A declined record was forgotten once another record paid its attempt.',
    seed: 1,
    relays: 1,
    steps: [
      { after: 0, do: 'create session', order: 0, amount: 0, seconds: 86400 },
      { after: 1000, do: 'press pay', order: 0, session: 0, method: 'card', presses: 1, gap: 0, hangsUp: false, fate: { unstored: 20, says: 'declined', book: [{ after: 0, status: 'declined' }, { after: 625888, status: 'approved' }], notices: [{ after: 200, times: 1, of: 'approved' }], changesLate: 17045505 } },
      { after: 1000, do: 'book foreign record', order: 0, amount: 0, minutes: 18, isForeign: false, book: [{ after: 0, status: 'approved' }] },
      { after: 10, do: 'kill relay', relay: 0, calls: 0, effect: false, downMs: 5000 },
    ],
  },
  {
    found: 'A person settled an order with the transaction of another one.',
    seed: 1,
    relays: 1,
    steps: [
      { after: 0, do: 'create session', order: 0, amount: 0, seconds: 86400 },
      { after: 1000, do: 'press pay', order: 0, session: 0, method: 'card', presses: 1, gap: 0, hangsUp: false, fate: { says: 'approved', book: [{ after: 0, status: 'approved' }] } },
      { after: 1000, do: 'create session', order: 1, amount: 0, seconds: 86400 },
      { after: 1000, do: 'press pay', order: 1, session: 0, method: 'card', presses: 1, gap: 0, hangsUp: false, fate: { answer: 'lost', says: 'declined', book: [] } },
      { after: 20_000, do: 'settle', order: 1, session: 0, approve: true, other: true },
    ],
  },
  {
    found: 'Two people settled two orders with one transaction at once.',
    seed: 1,
    relays: 2,
    steps: [
      { after: 0, do: 'create session', order: 0, amount: 0, seconds: 86400 },
      { after: 1000, do: 'press pay', order: 0, session: 0, method: 'card', presses: 1, gap: 0, hangsUp: false, fate: { says: 'declined', book: [{ after: 0, status: 'declined' }] } },
      { after: 1000, do: 'create session', order: 1, amount: 0, seconds: 86400 },
      { after: 1000, do: 'press pay', order: 1, session: 0, method: 'card', presses: 1, gap: 0, hangsUp: false, fate: { answer: 'lost', says: 'declined', book: [] } },
      { after: 1000, do: 'create session', order: 12, amount: 0, seconds: 86400 },
      { after: 1000, do: 'press pay', order: 12, session: 0, method: 'card', presses: 1, gap: 0, hangsUp: false, fate: { answer: 'lost', says: 'declined', book: [] } },
      { after: 20_000, do: 'settle', order: 1, session: 0, approve: true, other: true },
      { after: 0, do: 'settle', order: 12, session: 0, approve: true, other: true },
    ],
  },
  {
    found: 'A record of another amount replaced the payment that a person had named.',
    seed: 5500128,
    relays: 1,
    variant: { zone: { change: 'autumn', minutesBefore: 58 } },
    steps: [
      { after: 1000, do: 'buy', order: 5, amount: 0, presses: 1, gap: 0, method: 'apm', fate: { hidden: 1198863, says: 'redirect', tries: [{ after: 44441, status: 'approved', same: false }] } },
      { after: 231451, do: 'book foreign record', order: 5, amount: 1, minutes: 20, book: [{ after: 0, status: 'approved' }] },
      { after: 5000, do: 'settle', order: 5, session: 0, approve: true },
    ],
  },
  {
    found: 'A webhook reported an order as unchanged that changed, but for its amount.',
    seed: 67,
    relays: 3,
    steps: [
      { after: 2, do: 'buy', order: 1, amount: 0, method: 'apm', fate: { hidden: 288213, twice: true, notices: [{ after: 200, times: 1 }], says: 'redirect', book: [{ after: 877750550, status: 'approved' }], tries: [{ after: 0, status: 'pending', same: false }], back: 12 }, presses: 1, gap: 2328 },
      { after: 33604, do: 'kill relay', relay: 2, calls: 0, effect: false, downMs: 30000 },
      { after: 47773, do: 'change order', order: 1, session: 0, amount: 0, note: 'm' },
    ],
  },
  {
    found: 'A signed approval was dropped because it came late.',
    seed: 468,
    relays: 3,
    steps: [
      { after: 0, do: 'create session', order: 0, amount: 0, seconds: 86400 },
      { after: 1000, do: 'kill relay', relay: 2, calls: 0, effect: false, downMs: 30000 },
      { after: 20000, do: 'step clock', relay: 2, ms: 418320 },
      { after: 47773, do: 'buy', order: 2, amount: 0, method: 'card', fate: { answerSlow: 1698, dated: -460, notices: [{ after: 651, times: 1 }], says: 'approved', book: [{ after: 0, status: 'approved' }], back: 0 }, presses: 2, gap: 2 },
    ],
  },
  {
    found: 'A payment that was answered as pending was absent before its record came.',
    seed: 1,
    relays: 1,
    steps: [
      { after: 0, do: 'create session', order: 0, amount: 0, seconds: 86400 },
      { after: 1000, do: 'press pay', order: 0, session: 0, method: 'card', presses: 1, gap: 0, hangsUp: false, fate: { says: 'pending', book: [{ after: 0, status: 'pending' }, { after: 7200000, status: 'approved' }], hidden: 7200000, notices: [] } },
      { after: 10800000, do: 'wait' },
    ],
  },
  {
    found: 'A session that ended while its account was out of the config sent no webhook.',
    seed: 96,
    relays: 3,
    steps: [
      { after: 2, do: 'buy', order: 3, amount: 0, method: 'card', fate: { unstored: 77, says: 'unlisted', book: [{ after: 0, status: 'pending' }, { after: 12, status: 'declined' }] }, presses: 1, gap: 880 },
      { after: 1000, do: 'buy', amount: 0, presses: 1, gap: 0, order: 4, method: 'card', fate: { notices: [{ after: 200, times: 1 }], says: 'declined', book: [{ after: 0, status: 'declined' }, { after: 7908, status: 'approved' }], back: 10 } },
      { after: 812508, do: 'buy', order: 6, amount: 0, method: 'apm', fate: { notices: [{ after: 2, times: 2 }, { after: 3599983, times: 3 }], says: 'redirect', tries: [{ after: 2614, status: 'declined', same: true }], back: 3 }, presses: 1, gap: 1269 },
      { after: 1, do: 'repeat request', back: 1, later: 2, isOther: false },
      { after: 13805, do: 'change config', what: 'account goes', downMs: 3348 },
      { after: 172799992, do: 'wait' },
    ],
  },
  {
    found: 'The webhooks of a long pause were given up while their account was missing for a moment.',
    seed: 795000817,
    relays: 1,
    variant: { numbers: { form: 'small letters', isInAnswers: false } },
    steps: [
      { after: 6, do: 'buy', order: 17, amount: 0, method: 'apm', fate: { answer: 'unsigned', answerSlow: 59, notices: [{ after: 168, times: 1 }, { after: 2676818, times: 3 }], says: 'unlisted', book: [{ after: 0, status: 'unlisted' }, { after: 599982, status: 'approved' }], back: 1604 }, presses: 1, gap: 2400 },
      { after: 51609, do: 'change config', what: 'pause', downMs: 2781 },
      { after: 864000000, do: 'change config', what: 'account goes', downMs: 14949 },
    ],
  },
  {
    found: 'A declined transaction was forgotten once another one paid its order.',
    seed: 2700000036,
    relays: 1,
    steps: [
      { after: 1000, do: 'buy', order: 19, amount: 0, presses: 1, gap: 0, method: 'card', fate: { answerSlow: 3766, notices: [{ after: 200, times: 1, of: 'approved' }], says: 'declined', book: [{ after: 0, status: 'declined' }, { after: 791439, status: 'approved' }], changesLate: 79224410 } },
      { after: 5000, do: 'book foreign record', order: 19, amount: 0, minutes: 0, book: [{ after: 0, status: 'approved' }] },
    ],
  },
  {
    found: 'A payment was credited to an attempt whose signed answer had named another transaction.',
    seed: 700001,
    relays: 1,
    variant: { zone: { change: 'autumn', minutesBefore: 35 } },
    steps: [
      { after: 1000, do: 'create session', order: 23, amount: 0, seconds: 86400 },
      { after: 1000, do: 'press pay', order: 23, session: 0, presses: 1, gap: 0, hangsUp: false, method: 'apm', fate: { answerSlow: 4, twice: true, notices: [{ after: 200, times: 1 }], says: 'redirect', tries: [{ after: 14, status: 'declined', same: true }, { after: 482657, status: 'approved', same: true }], back: 363 } },
      { after: 5014, do: 'settle', order: 23, session: 1, approve: false },
      { after: 485, do: 'press pay', order: 23, session: 0, method: 'apm', fate: { slow: 1, twice: true, notices: [{ after: 200, times: 1 }], says: 'unlisted', book: [{ after: 0, status: 'pending' }, { after: 264130, status: 'declined' }], back: 50909 }, gap: 2499, presses: 1, hangsUp: false },
    ],
  },
  {
    found: 'Attempts that were never sent counted against the limits.',
    seed: 71,
    relays: 2,
    steps: [
      { after: 506, do: 'buy', order: 2, amount: 0, method: 'card', fate: { answerSlow: 9, hidden: 12, notices: [{ after: 2763353, times: 2 }], says: 'refused_400', back: 2503 }, presses: 1, gap: 2494 },
      { after: 1771085, do: 'press pay', order: 2, session: 0, method: 'apm', fate: { way: 'not_sent', hidden: 1199981, unstored: 2, twice: true, dated: 6, notices: [{ after: 3317377, times: 1 }], says: 'redirect', back: 1 }, gap: 11, presses: 1, hangsUp: false },
      { after: 753621, do: 'buy', order: 2, amount: 0, method: 'card', fate: { hidden: 18, twice: true, dated: 189, notices: [{ after: 35134, times: 1 }, { after: 396448, times: 1 }], says: 'unlisted', book: [{ after: 0, status: 'pending' }, { after: 433053, status: 'declined' }], back: 388 }, presses: 1, gap: 2 },
    ],
  },
  {
    found: 'A payment whose approval the gateway had signed counted as absent while queries did not show it.',
    seed: 1,
    relays: 1,
    steps: [
      { after: 0, do: 'create session', order: 0, amount: 0, seconds: 86400 },
      { after: 1000, do: 'press pay', order: 0, session: 0, method: 'card', presses: 1, gap: 0, hangsUp: false, fate: { answer: 'no_id', hidden: 3_600_000, says: 'approved', book: [{ after: 0, status: 'approved' }] } },
    ],
  },
  {
    found: 'An order was taken for unpaid because a query showed nothing of it, and a record of another order.',
    seed: 1,
    relays: 1,
    steps: [
      { after: 0, do: 'create session', order: 0, amount: 0, seconds: 86400 },
      { after: 1000, do: 'press pay', order: 0, session: 0, method: 'card', presses: 1, gap: 0, hangsUp: false, fate: { answer: 'lost', hidden: 3_600_000, says: 'approved', book: [{ after: 0, status: 'approved' }] } },
      { after: 100, do: 'spoil records', order: 0, how: 'foreign', ms: 3_600_000 },
      { after: 3_700_000, do: 'view session', order: 0, session: 0 },
    ],
  },
  {
    found: 'A record of another channel declined a payment whose approval the gateway had signed.',
    seed: 1,
    relays: 1,
    steps: [
      { after: 0, do: 'create session', order: 0, amount: 0, seconds: 86400 },
      { after: 1000, do: 'press pay', order: 0, session: 0, method: 'card', presses: 1, gap: 0, hangsUp: false, fate: { says: 'refused_400' } },
      { after: 5000, do: 'press pay', order: 0, session: 0, method: 'card', presses: 1, gap: 0, hangsUp: false, fate: { answer: 'no_id', hidden: 3_600_000, says: 'approved', book: [{ after: 0, status: 'approved' }] } },
      { after: 5000, do: 'book foreign record', order: 0, amount: 0, minutes: 0, book: [{ after: 0, status: 'declined' }] },
    ],
  },
  {
    found: 'A transaction that only an unsigned answer named counted as the first of two payments.',
    seed: 1,
    relays: 1,
    steps: [
      { after: 0, do: 'create session', order: 0, amount: 0, seconds: 86400 },
      { after: 1000, do: 'press pay', order: 0, session: 0, method: 'apm', presses: 1, gap: 0, hangsUp: false, fate: { answer: 'unsigned_other', notices: [{ after: 5000, times: 1 }], says: 'approved', book: [{ after: 0, status: 'approved' }] } },
    ],
  },
  {
    found: 'The answer of a person’s decision was kept after it, and the relay died between the two.',
    seed: 1,
    relays: 1,
    steps: [
      { after: 1000, do: 'buy', order: 1, amount: 0, presses: 1, gap: 0, method: 'card', fate: { says: 'approved', answer: 'lost', hidden: 3_600_000, book: [{ after: 0, status: 'approved' }] } },
      { after: 30_000, do: 'kill relay', relay: 0, calls: 4, effect: false, downMs: 5000 },
      { after: 10, do: 'settle', order: 1, session: 0, approve: false },
      { after: 1000, do: 'repeat decision', back: 0, later: 10_000 },
    ],
  },
  {
    found: 'A person’s word about one session took the sum of another, and the payment of that one for its proof.',
    seed: 14410981,
    relays: 1,
    steps: [
      { after: 2665, do: 'buy', order: 24, amount: 0, presses: 1, gap: 13, method: 'card', fate: { twice: true, says: 'declined', book: [{ after: 0, status: 'declined' }], back: 7 } },
      { after: 343, do: 'settle', order: 24, session: 0, approve: true },
      { after: 1000, do: 'repeat decision', back: 0, later: 13_201 },
      { after: 9, do: 'buy', order: 24, amount: 2, presses: 1, gap: 6, method: 'apm', fate: { slow: 80, answerSlow: 167, twice: true, dated: 473, says: 'redirect', tries: [{ after: 21_402, status: 'approved', same: true }], back: 8 } },
    ],
  },
  {
    found: 'An attempt that was declined before another one paid its order was watched no more, and charged.',
    seed: 36,
    relays: 2,
    steps: [
      { after: 1000, do: 'buy', order: 4, amount: 0, presses: 1, gap: 0, method: 'card', fate: { slow: 10, answerSlow: 11, notices: [{ after: 200, times: 1, of: 'approved' }], says: 'declined', book: [{ after: 0, status: 'declined' }, { after: 3_673_249, status: 'approved' }], back: 59_998, changesLate: 36_778_970 } },
      { after: 46_505, do: 'press pay', order: 4, session: 0, method: 'card', presses: 1, gap: 0, hangsUp: false, fate: { notices: [{ after: 200, times: 1 }], says: 'approved', book: [{ after: 0, status: 'approved' }], back: 3285 } },
    ],
  },
  {
    found: 'A credit moved to another attempt left one absent whose own answer had the codes of an approval.',
    seed: 730001177,
    relays: 3,
    steps: [
      { after: 1000, do: 'buy', order: 9, amount: 0, presses: 1, gap: 0, method: 'card', fate: { answer: 'other_order', notices: [{ after: 200, times: 1 }], says: 'declined', book: [{ after: 0, status: 'declined' }] } },
      { after: 7_199_979, do: 'press pay', order: 9, session: 0, method: 'card', presses: 2, gap: 2, hangsUp: false, fate: { answerSlow: 4721, dated: -63, says: 'approved', book: [{ after: 0, status: 'approved' }], back: 4 } },
    ],
  },
  {
    found: 'A payment was sent though its order was paid by another record before its relay heard that it is stored.',
    seed: 770000637,
    relays: 1,
    variant: { numbers: { form: 'small letters', isInAnswers: true }, paidDays: 'none' },
    steps: [
      { after: 10_000, do: 'break store', how: 'commit heard late', calls: 3 },
      { after: 1000, do: 'buy', order: 4, amount: 0, presses: 1, gap: 0, method: 'card', fate: { book: [{ after: 0, status: 'approved' }], says: 'approved' } },
      { after: 5000, do: 'book foreign record', order: 4, amount: 0, minutes: 0, book: [{ after: 0, status: 'approved' }] },
      { after: 1000, do: 'reconcile', order: 4 },
    ],
  },
  {
    found: 'A payment was sent though a query found an undecided record before its relay heard that it is stored.',
    seed: 770000637,
    relays: 1,
    variant: { numbers: { form: 'small letters', isInAnswers: true }, paidDays: 'none' },
    steps: [
      { after: 10_000, do: 'break store', how: 'commit heard late', calls: 3 },
      { after: 1000, do: 'buy', order: 4, amount: 0, presses: 1, gap: 0, method: 'card', fate: { book: [{ after: 0, status: 'approved' }], says: 'approved' } },
      { after: 5000, do: 'book foreign record', order: 4, amount: 0, minutes: 0, book: [{ after: 0, status: 'unlisted' }] },
      { after: 1000, do: 'reconcile', order: 4 },
    ],
  },
  {
    found: 'A later charge held the order of another contract’s charge, whose number it bears.',
    seed: 780005907,
    relays: 1,
    steps: [
      { after: 524, do: 'buy', order: 12, amount: 0, method: 'card', fate: { slow: 2959, twice: true, dated: -6, notices: [{ after: 49_372, times: 2 }, { after: 91_175, times: 1 }], contract: 'answer', later: [{ after: 338_339_826, amount: 1 }, { after: 111_855_954, amount: 1 }], says: 'declined', book: [{ after: 0, status: 'declined' }, { after: 905_490, status: 'approved' }], back: 193 }, presses: 3, gap: 1883 },
    ],
  },
  {
    found: 'A server paid after a payment that began and was declined while the gateway was asked.',
    seed: 840000301,
    relays: 1,
    steps: [
      { do: 'buy', order: 1, amount: 0, presses: 1, gap: 0, method: 'card', after: 1000, fate: { slow: 8, answerSlow: 141, says: 'refused_400' } },
      { do: 'press pay', order: 1, session: 0, method: 'card', gap: 0, presses: 1, hangsUp: false, after: 3610000, fate: { answerSlow: 1845, notices: [{ after: 200, times: 1 }], says: 'declined', book: [{ after: 0, status: 'declined' }] } },
      { do: 'pay from server', order: 1, amount: 0, method: 'card', fate: { answerSlow: 1502, says: 'redirect', book: [{ after: 1036799992, status: 'approved' }], tries: [{ after: 0, status: 'pending', same: false }], back: 3 }, requests: 2, keyless: false, after: 10 },
    ],
  },
  {
    found: 'A person said that an order is paid, and a charge of another currency was credited without a report.',
    seed: 930005041,
    relays: 3,
    steps: [
      { after: 51_478, do: 'buy', order: 9, amount: 0, presses: 1, gap: 45, method: 'apm', fate: { way: 'lost', slow: 77, says: 'redirect', tries: [{ after: 1_199_992, status: 'declined', same: true }] } },
      { after: 59_999, do: 'settle', order: 9, session: 2, approve: true },
      { after: 2997, do: 'book foreign record', order: 9, amount: 0, minutes: 21, isForeign: true, book: [{ after: 0, status: 'approved' }] },
    ],
  },
];
