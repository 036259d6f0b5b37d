import { type EffectFate, type Fate, type History, type Step, usualEffect, usualFate } from './steps.ts';

/** A step as a report prints it: of a fate only what is unusual. */
type Short<Of> = Of extends { fate: EffectFate }
  ? Omit<Of, 'fate'> & { fate: Partial<EffectFate> }
  : Of extends { fate: Fate }
    ? Omit<Of, 'fate'> & { fate: Partial<Fate> & Pick<Fate, 'says'> }
    : Of;

/** A history that once broke an invariant, shortened, and the invariant's breach at that time. */
type Found = Omit<History, 'steps'> & { found: string; steps: Short<Step>[] };

// biome-ignore format: one step is one line
const found: readonly Found[] = [
  {
    found: 'An attempt in flight whose session a record approved was asked about no more.',
    seed: 1,
    relays: 1,
    steps: [
      { after: 0, do: 'create session', order: 0, amount: 0, seconds: 86400 },
      { after: 1000, do: 'press pay', order: 0, session: 0, method: 'card', presses: 1, gap: 0, hangsUp: false, fate: { says: 'declined', book: [{ after: 0, status: 'declined' }, { after: 2000, status: 'approved' }], notices: [{ after: 10, times: 1 }] } },
      { after: 2070, do: 'press pay', order: 0, session: 0, method: 'apm', presses: 1, gap: 0, hangsUp: false, fate: { slow: 1000, says: 'redirect', answerSlow: 1000, tries: [{ after: 20000, status: 'approved', same: false }], notices: [{ after: 200, times: 1 }] } },
    ],
  },
  {
    found: 'An unsigned decline was taken for a signed one, and another payment was sent unasked.',
    seed: 1,
    relays: 1,
    steps: [
      { after: 0, do: 'create session', order: 0, amount: 0, seconds: 86400 },
      { after: 1000, do: 'press pay', order: 0, session: 0, method: 'apm', presses: 1, gap: 0, hangsUp: false, fate: { answer: 'unsigned', says: 'declined', book: [{ after: 0, status: 'declined' }, { after: 2000, status: 'approved' }] } },
      { after: 60_000, do: 'press pay', order: 0, session: 0, method: 'card', presses: 1, gap: 0, hangsUp: false, fate: { says: 'approved', book: [{ after: 0, status: 'approved' }] } },
    ],
  },
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
    found: 'A query that was halved ran on beyond its lease.',
    seed: 6095,
    relays: 1,
    steps: [
      { after: 36232, do: 'buy', order: 20, amount: 0, method: 'card', fate: { notices: [{ after: 200, times: 1 }], says: 'declined', book: [{ after: 0, status: 'declined' }, { after: 7, status: 'approved' }], back: 4994 }, presses: 1, gap: 48 },
      { after: 309, do: 'press pay', order: 20, session: 1, method: 'apm', fate: { answerSlow: 962, twice: true, notices: [{ after: 200, times: 1 }], says: 'redirect', back: 7 }, gap: 43, presses: 1, hangsUp: true },
    ],
  },
  {
    found: 'The two seconds between queries counted from an answer.',
    seed: 6243,
    relays: 3,
    steps: [
      { after: 0, do: 'create session', order: 0, amount: 0, seconds: 86400 },
      { after: 13701, do: 'press pay', order: 0, session: 0, method: 'apm', fate: { twice: true, dated: 7, notices: [{ after: 200, times: 1 }], says: 'declined', book: [{ after: 0, status: 'declined' }, { after: 3, status: 'approved' }], back: 5 }, gap: 27, presses: 1, hangsUp: true },
      { after: 300, do: 'press pay', order: 0, session: 0, method: 'apm', fate: { twice: true, notices: [{ after: 200, times: 1 }], says: 'redirect', tries: [{ after: 2283, status: 'approved', same: false }], back: 12531 }, gap: 0, presses: 2, hangsUp: false },
    ],
  },
  {
    found: 'Halves of a query were applied only after the last one.',
    seed: 8192,
    relays: 1,
    steps: [
      { after: 0, do: 'create session', order: 0, amount: 0, seconds: 86400 },
      { after: 0, do: 'press pay', order: 0, session: 0, method: 'apm', fate: { notices: [{ after: 45865, times: 2 }], says: 'refused_400', book: [{ after: 1302, status: 'approved' }], back: 1369 }, gap: 1, presses: 2, hangsUp: false },
      { after: 10010, do: 'pay out', repeat: true, fate: { does: 'refused_400' } },
      { after: 7, do: 'press pay', order: 0, session: 0, method: 'apm', fate: { answerSlow: 354, notices: [{ after: 698719, times: 1 }], says: 'redirect', tries: [{ after: 2375, status: 'declined', same: false }, { after: 19685, status: 'declined', same: false }, { after: 30439, status: 'approved', same: true }], back: 375 }, gap: 2493, presses: 1, hangsUp: false },
      { after: 7285, do: 'buy', order: 4, amount: 0, method: 'apm', fate: { answerSlow: 7, notices: [{ after: 3599994, times: 3 }], says: 'redirect', back: 9 }, presses: 1, gap: 37 },
      { after: 21828, do: 'buy', order: 6, amount: 0, method: 'card', fate: { slow: 2991, hidden: 586795, says: 'unlisted', book: [{ after: 0, status: 'pending' }, { after: 1681553, status: 'declined' }], back: 4370 }, presses: 1, gap: 11 },
      { after: 460, do: 'break store', how: 'slow', calls: 268 },
      { after: 2, do: 'buy', order: 7, amount: 0, method: 'card', fate: { hidden: 2, says: 'approved', book: [{ after: 0, status: 'approved' }], back: 4990 }, presses: 1, gap: 7 },
      { after: 2121, do: 'pay out', repeat: true, fate: { does: 'failed', answerSlow: 4615 } },
      { after: 111180, do: 'buy', order: 10, amount: 0, method: 'apm', fate: { says: 'redirect', book: [{ after: 3, status: 'declined' }], tries: [{ after: 4999, status: 'pending', same: false }], back: 1 }, presses: 1, gap: 2294 },
      { after: 10591, do: 'buy', order: 13, amount: 2, method: 'apm', fate: { slow: 2, notices: [{ after: 581, times: 3 }], says: 'redirect', back: 3 }, presses: 1, gap: 777 },
      { after: 8110, do: 'break store', how: 'slow', calls: 3 },
    ],
  },
  {
    found: 'A payment that was orphaned was not asked about.',
    seed: 8363,
    relays: 2,
    steps: [
      { after: 66659, do: 'buy', order: 6, amount: 2, method: 'apm', fate: { answer: 'other_amount', hidden: 10799977, notices: [{ after: 200, times: 1 }], says: 'redirect', back: 337 }, presses: 1, gap: 2499 },
      { after: 20284, do: 'buy', order: 7, amount: 0, method: 'card', fate: { answer: 'lost', twice: true, notices: [{ after: 200, times: 1 }], says: 'approved', book: [{ after: 0, status: 'approved' }], back: 4654 }, presses: 1, gap: 29 },
      { after: 129, do: 'buy', order: 9, amount: 0, method: 'card', fate: { twice: true, notices: [{ after: 200, times: 1 }], says: 'refused_429', back: 4 }, presses: 1, gap: 2108 },
      { after: 7, do: 'buy', order: 10, amount: 0, method: 'apm', fate: { answer: 'other_amount', answerSlow: 8, hidden: 527344, notices: [{ after: 200, times: 1 }], says: 'redirect', back: 826 }, presses: 1, gap: 1 },
      { after: 47292, do: 'press pay', order: 7, session: 0, method: 'card', fate: { answer: 'lost', answerSlow: 4, notices: [{ after: 200, times: 1 }], says: 'declined', book: [{ after: 0, status: 'declined' }], back: 6 }, gap: 3, presses: 1, hangsUp: false },
      { after: 107, do: 'break gateway', what: 'queries', how: 'timeout', ms: 89194 },
    ],
  },
  {
    found: 'A contract that a record told of was forgotten by the answer that came later.',
    seed: 159,
    relays: 2,
    steps: [
      { after: 8, do: 'buy', order: 16, amount: 0, method: 'card', fate: { unstored: 76, dated: 1, contract: 'record', later: [{ after: 232638587, amount: 1 }], says: 'approved', book: [{ after: 0, status: 'approved' }], back: 2452 }, presses: 1, gap: 2494 },
    ],
  },
  {
    found: 'A query that could not be stored was followed by another one at once.',
    seed: 437138,
    relays: 3,
    steps: [
      { after: 0, do: 'create session', order: 0, amount: 0, seconds: 86400 },
      { after: 8, do: 'spoil records', order: 0, ms: 1392147, how: 'unreadable' },
      { after: 187, do: 'spoil records', order: 0, ms: 3, how: 'timeout' },
      { after: 3, do: 'buy', order: 1, amount: 0, method: 'card', fate: { hidden: 411325, unstored: 27, nameless: true, twice: true, notices: [{ after: 200, times: 1 }], says: 'declined', book: [{ after: 0, status: 'declined' }], back: 4 }, presses: 1, gap: 4 },
      { after: 126, do: 'press pay', order: 1, session: 0, method: 'card', fate: { answer: 'lost', twice: true, notices: [{ after: 200, times: 1 }], says: 'redirect', tries: [{ after: 1176980, status: 'declined', same: true }] }, gap: 2499, presses: 1, hangsUp: false },
      { after: 294, do: 'buy', order: 2, amount: 0, method: 'card', fate: { nameless: true, notices: [{ after: 200, times: 1 }], says: 'approved', book: [{ after: 0, status: 'approved' }], back: 1458 }, presses: 1, gap: 5 },
      { after: 993, do: 'buy', order: 3, amount: 0, method: 'card', fate: { answer: 'unsigned', dated: -304, notices: [{ after: 200, times: 1 }], says: 'unlisted', book: [{ after: 0, status: 'unlisted' }, { after: 126292455, status: 'approved' }], back: 437 }, presses: 1, gap: 0 },
      { after: 2994, do: 'press pay', order: 3, session: 0, method: 'card', fate: { unstored: 64, notices: [{ after: 200, times: 1 }], says: 'unlisted', book: [{ after: 0, status: 'pending' }, { after: 7199990, status: 'declined' }], back: 19551 }, gap: 421, presses: 1, hangsUp: false },
      { after: 1, do: 'buy', order: 4, amount: 1, method: 'apm', fate: { answerSlow: 8, nameless: true, dated: 29, notices: [{ after: 200, times: 1 }], says: 'redirect', tries: [{ after: 11, status: 'approved', same: true }], back: 9890 }, presses: 1, gap: 1 },
      { after: 1, do: 'buy', order: 5, amount: 0, method: 'card', fate: { answer: 'no_id', answerSlow: 346, hidden: 16011, twice: true, notices: [{ after: 200, times: 1 }], says: 'unlisted', book: [{ after: 0, status: 'pending' }, { after: 422621062, status: 'declined' }], back: 954 }, presses: 1, gap: 33 },
      { after: 8, do: 'press pay', order: 5, session: 0, method: 'apm', fate: { answer: 'other_amount', twice: true, notices: [{ after: 200, times: 1 }], says: 'redirect', tries: [{ after: 1143261, status: 'pending', same: false }], back: 4993 }, gap: 2498, presses: 1, hangsUp: false },
      { after: 140, do: 'press pay', order: 5, session: 0, method: 'card', fate: { way: 'not_sent', hidden: 7, notices: [{ after: 200, times: 1 }], says: 'approved', book: [{ after: 0, status: 'approved' }], back: 178 }, gap: 40, presses: 3, hangsUp: false },
      { after: 10, do: 'change order', order: 5, session: 2, amount: 0 },
      { after: 354, do: 'buy', order: 6, amount: 0, method: 'apm', fate: { way: 'lost', answer: 'no_id', hidden: 4032, twice: true, notices: [{ after: 200, times: 1 }], says: 'redirect', tries: [{ after: 899812, status: 'pending', same: false }], back: 12 }, presses: 3, gap: 2 },
      { after: 11, do: 'buy', order: 5, amount: 0, method: 'card', fate: { slow: 2990, nameless: true, twice: true, notices: [{ after: 200, times: 1 }], says: 'declined', book: [{ after: 0, status: 'declined' }, { after: 9990, status: 'approved' }], back: 0 }, presses: 2, gap: 2491 },
      { after: 6, do: 'pay from server', order: 7, amount: 0, method: 'card', fate: { slow: 9, hidden: 7885379, twice: true, dated: 593, notices: [{ after: 200, times: 1 }], says: 'refused_400', book: [{ after: 0, status: 'approved' }], back: 4989 }, requests: 1 },
      { after: 28359, do: 'buy', order: 9, amount: 0, method: 'apm', fate: { hidden: 1083478, notices: [{ after: 200, times: 1 }], says: 'redirect', tries: [{ after: 698, status: 'declined', same: true }, { after: 765, status: 'approved', same: false }], back: 59996 }, presses: 1, gap: 21 },
      { after: 737, do: 'press pay', order: 8, session: 2, method: 'apm', fate: { slow: 7, answerSlow: 11990, notices: [{ after: 200, times: 1 }], says: 'redirect', back: 34 }, gap: 30, presses: 1, hangsUp: true },
      { after: 702, do: 'press pay', order: 9, session: 2, method: 'card', fate: { slow: 2, answerSlow: 2860, hidden: 30, nameless: true, twice: true, notices: [{ after: 200, times: 1 }], says: 'redirect', tries: [{ after: 387357, status: 'approved', same: true }], back: 2059 }, gap: 34, presses: 1, hangsUp: false },
      { after: 12541, do: 'buy', order: 10, amount: 0, method: 'apm', fate: { answer: 'lost', hidden: 10799977, twice: true, notices: [{ after: 200, times: 1 }], says: 'redirect', tries: [{ after: 29812, status: 'approved', same: false }], back: 28687 }, presses: 3, gap: 4 },
      { after: 16578, do: 'break store', how: 'slow', calls: 297 },
      { after: 7, do: 'view session', order: 9, session: 0 },
      { after: 191, do: 'buy', order: 9, amount: 0, method: 'apm', fate: { unstored: 24, twice: true, notices: [{ after: 200, times: 1 }], says: 'redirect', back: 12 }, presses: 2, gap: 41 },
      { after: 202, do: 'buy', order: 11, amount: 0, method: 'card', fate: { answer: 'lost', hidden: 1199993, dated: -6, notices: [{ after: 200, times: 1 }], says: 'refused_400', book: [{ after: 3, status: 'approved' }], back: 10 }, presses: 1, gap: 6 },
      { after: 2992, do: 'press pay', order: 11, session: 0, method: 'card', fate: { slow: 5, hidden: 2975145, notices: [{ after: 200, times: 1 }], says: 'approved', book: [{ after: 0, status: 'approved' }] }, gap: 0, presses: 2, hangsUp: false },
      { after: 917, do: 'buy', order: 12, amount: 0, method: 'card', fate: { slow: 5, answerSlow: 1078, twice: true, dated: 528, notices: [{ after: 200, times: 1 }], says: 'declined', book: [{ after: 0, status: 'declined' }, { after: 13, status: 'approved' }], back: 2357 }, presses: 1, gap: 486 },
      { after: 4, do: 'press pay', order: 12, session: 0, method: 'card', fate: { way: 'not_sent', notices: [{ after: 200, times: 1 }], says: 'redirect', tries: [{ after: 794590, status: 'approved', same: false }], back: 266 }, gap: 746, presses: 1, hangsUp: false },
      { after: 7423, do: 'press pay', order: 12, session: 0, method: 'card', fate: { answer: 'lost', notices: [{ after: 200, times: 1 }], says: 'unlisted', book: [{ after: 0, status: 'pending' }, { after: 5, status: 'approved' }] }, gap: 29, presses: 1, hangsUp: false },
      { after: 6958, do: 'buy', order: 13, amount: 0, method: 'card', fate: { twice: true, notices: [{ after: 200, times: 1 }], says: 'unlisted', book: [{ after: 0, status: 'pending' }, { after: 45728, status: 'declined' }], back: 59702 }, presses: 1, gap: 2493 },
      { after: 6267, do: 'change order', order: 9, session: 0, amount: 0 },
      { after: 1732, do: 'buy', order: 14, amount: 0, method: 'apm', fate: { slow: 4, nameless: true, dated: -386, notices: [{ after: 200, times: 1 }], says: 'redirect', tries: [{ after: 9, status: 'approved', same: false }], back: 3494 }, presses: 1, gap: 1 },
      { after: 1020, do: 'press pay', order: 10, session: 0, method: 'apm', fate: { way: 'not_sent', answerSlow: 8, hidden: 10509321, unstored: 30, notices: [{ after: 200, times: 1 }], says: 'declined', book: [{ after: 0, status: 'declined' }], back: 11 }, gap: 37, presses: 1, hangsUp: false },
      { after: 1034, do: 'buy', order: 14, amount: 0, method: 'apm', fate: { answer: 'http_500', notices: [{ after: 200, times: 1 }], says: 'redirect', tries: [{ after: 4493, status: 'approved', same: false }], back: 1799 }, presses: 2, gap: 45 },
      { after: 1, do: 'press pay', order: 13, session: 0, method: 'apm', fate: { answer: 'unsigned', hidden: 5140073, twice: true, dated: -361, notices: [{ after: 200, times: 1 }], says: 'redirect', tries: [{ after: 24941, status: 'declined', same: false }] }, gap: 2, presses: 1, hangsUp: false },
      { after: 1000, do: 'buy', amount: 0, presses: 1, gap: 0, order: 15, method: 'card', fate: { twice: true, notices: [{ after: 200, times: 1 }], says: 'declined', book: [{ after: 0, status: 'declined' }, { after: 505, status: 'approved' }] } },
      { after: 2989, do: 'buy', amount: 0, presses: 1, gap: 0, order: 15, method: 'apm', fate: { slow: 3318, nameless: true, notices: [{ after: 200, times: 1 }], says: 'redirect', tries: [{ after: 1622, status: 'declined', same: false }] } },
      { after: 259, do: 'pay from server', order: 16, amount: 0, method: 'card', fate: { nameless: true, dated: 591, notices: [{ after: 200, times: 1 }], says: 'refused_400', back: 877 }, requests: 2 },
      { after: 1462, do: 'break store', how: 'not written', calls: 3 },
      { after: 12, do: 'buy', order: 17, amount: 0, method: 'apm', fate: { twice: true, notices: [{ after: 200, times: 1 }], says: 'redirect', tries: [{ after: 596374, status: 'declined', same: false }, { after: 794433, status: 'approved', same: false }], back: 6 }, presses: 1, gap: 2327 },
      { after: 264, do: 'press pay', order: 15, session: 0, method: 'card', fate: { answerSlow: 497, hidden: 4352, unstored: 59, notices: [{ after: 200, times: 1 }], says: 'declined', book: [{ after: 0, status: 'declined' }], back: 686 }, gap: 2495, presses: 3, hangsUp: false },
    ],
  },
  {
    found: 'What a notification named was asked about while the order’s own query of it was under way.',
    seed: 34,
    relays: 1,
    steps: [
      { after: 5, do: 'buy', order: 8, amount: 0, method: 'apm', fate: { answerSlow: 70, notices: [{ after: 2439032, times: 2 }, { after: 1676117, times: 2 }], says: 'redirect', tries: [{ after: 24989, status: 'approved', same: true }], back: 3 }, presses: 1, gap: 3 },
      { after: 253, do: 'break gateway', what: 'everything', how: 'not_sent', ms: 3369169 },
      { after: 1072, do: 'forge notification', order: 8, session: 1, times: 2 },
      { after: 6272338, do: 'break gateway', what: 'everything', how: 'refused_400', ms: 4992 },
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
    found: 'A press waited for two queries of ten seconds each.',
    seed: 1,
    relays: 1,
    steps: [
      { after: 0, do: 'create session', order: 0, amount: 0, seconds: 86400 },
      { after: 1000, do: 'press pay', order: 0, session: 0, method: 'card', presses: 1, gap: 0, hangsUp: false, fate: { says: 'refused_400' } },
      { after: 60_000, do: 'break gateway', what: 'queries', how: 'timeout', ms: 120_000 },
      { after: 1000, do: 'view session', order: 0, session: 0 },
      { after: 2000, do: 'press pay', order: 0, session: 0, method: 'card', presses: 1, gap: 0, hangsUp: false, fate: { says: 'approved', book: [{ after: 0, status: 'approved' }] } },
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
    found: 'A clock that was set forward made a payment absent that was sent a minute before.',
    seed: 1,
    relays: 1,
    steps: [
      { after: 0, do: 'create session', order: 0, amount: 0, seconds: 86400 },
      { after: 1000, do: 'press pay', order: 0, session: 0, method: 'card', presses: 1, gap: 0, hangsUp: false, fate: { answer: 'lost', says: 'declined' } },
      { after: 40_000, do: 'step clock', relay: 0, ms: 3_600_000 },
      { after: 10_000, do: 'view session', order: 0, session: 0 },
      { after: 10_000, do: 'view session', order: 0, session: 0 },
      { after: 60_000, do: 'step clock', relay: 0, ms: -3_600_000 },
    ],
  },
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
    found: 'A clock that was ahead, and a restart, ended the wait after a return early.',
    seed: 5000261,
    relays: 3,
    steps: [
      { after: 20000, do: 'step clock', relay: 0, ms: 250535 },
      { after: 86, do: 'buy', order: 4, amount: 0, method: 'apm', fate: { notices: [{ after: 200, times: 1 }], says: 'redirect', back: 726 }, presses: 1, gap: 4 },
      { after: 295, do: 'press pay', order: 4, session: 1, method: 'apm', fate: { notices: [{ after: 200, times: 1 }], says: 'redirect', tries: [{ after: 17205, status: 'approved', same: true }], back: 3 }, gap: 10, presses: 1, hangsUp: true },
      { after: 1000, do: 'kill relay', relay: 0, calls: 0, effect: false, downMs: 30000 },
    ],
  },
  {
    found: 'A record of another amount replaced the payment that a person had named.',
    seed: 5500128,
    relays: 1,
    ways: { zone: { change: 'autumn', minutesBefore: 58 } },
    steps: [
      { after: 1000, do: 'buy', order: 5, amount: 0, presses: 1, gap: 0, method: 'apm', fate: { hidden: 1198863, says: 'redirect', tries: [{ after: 44441, status: 'approved', same: false }] } },
      { after: 231451, do: 'book foreign record', order: 5, amount: 1, minutes: 20, book: [{ after: 0, status: 'approved' }] },
      { after: 5000, do: 'settle', order: 5, session: 0, approve: true },
    ],
  },
  {
    found: 'A query by transaction showed a payment whose order the gateway writes its own way.',
    seed: 6000618,
    relays: 1,
    ways: { numbers: { form: 'trailing blank', isInAnswers: false }, zone: { change: 'spring', minutesBefore: 25, isLate: true } },
    steps: [
      { after: 414, do: 'buy', order: 12, amount: 0, method: 'apm', fate: { hidden: 6101065, notices: [{ after: 55102, times: 1 }], says: 'redirect', tries: [{ after: 41968, status: 'approved', same: true }], back: 432 }, presses: 3, gap: 3 },
      { after: 1898073, do: 'buy', order: 22, amount: 0, presses: 1, gap: 0, method: 'apm', fate: { hidden: 774041, says: 'redirect', tries: [{ after: 4721, status: 'approved', same: false }] } },
      { after: 3017, do: 'say returned', order: 22, session: 0 },
      { after: 696747, do: 'press pay', order: 22, session: 0, method: 'card', presses: 1, gap: 0, hangsUp: false, fate: { notices: [{ after: 200, times: 1 }], says: 'declined', book: [{ after: 0, status: 'declined' }] } },
      { after: 3504809, do: 'view session', order: 22, session: 0 },
    ],
  },
  {
    found: 'A later charge was taken for a second payment because a clock was ahead when the first was sent.',
    seed: 1,
    relays: 1,
    steps: [
      { after: 1000, do: 'step clock', relay: 0, ms: 3_600_000 },
      { after: 10_000, do: 'pay from server', order: 0, amount: 0, method: 'card', requests: 1, fate: { notices: [{ after: 200, times: 1 }], contract: 'answer', later: [{ after: 86_400_016, amount: 1 }], says: 'approved', book: [{ after: 0, status: 'approved' }] } },
      { after: 60_000, do: 'step clock', relay: 0, ms: -3_600_000 },
    ],
  },
  {
    found: 'A part of a refund that came late was taken for a part of another refund of the payment.',
    seed: 12000125,
    relays: 2,
    ways: { zone: { change: 'spring', minutesBefore: 21 } },
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
    ways: { zone: { change: 'spring', minutesBefore: 35, isLate: true } },
    steps: [
      { after: 3913782, do: 'buy', order: 28, amount: 0, method: 'card', fate: { hidden: 4996, unstored: 4, notices: [{ after: 200, times: 1 }], says: 'approved', book: [{ after: 0, status: 'approved' }], back: 1 }, presses: 1, gap: 3 },
      { after: 1000, do: 'buy', order: 29, amount: 0, presses: 1, gap: 0, method: 'card', fate: { notices: [{ after: 200, times: 1 }], says: 'approved', book: [{ after: 0, status: 'approved' }] } },
      { after: 10000, do: 'refund', order: 29, part: true, repeat: false, fate: { way: 'lost', more: [{ same: true, does: 'unlisted_failed' }, { same: false, does: 'failed' }], turned: true } },
      { after: 1993, do: 'refund', order: 29, part: true, repeat: false, fate: { more: [{ same: false, does: 'unlisted' }, { same: true, does: 'failed' }], turned: true } },
      { after: 161, do: 'break store', how: 'commit unheard', calls: 235 },
    ],
  },
  {
    found: 'A clock that was ahead used up the limits of a shopper.',
    seed: 1,
    relays: 1,
    steps: [
      { after: 0, do: 'create session', order: 0, amount: 0, seconds: 86400 },
      { after: 1000, do: 'step clock', relay: 0, ms: 7_200_000 },
      { after: 10_000, do: 'press pay', order: 0, session: 0, method: 'card', presses: 1, gap: 0, hangsUp: false, fate: { says: 'declined', book: [{ after: 0, status: 'declined' }] } },
      { after: 10_000, do: 'press pay', order: 0, session: 0, method: 'card', presses: 1, gap: 0, hangsUp: false, fate: { says: 'declined', book: [{ after: 0, status: 'declined' }] } },
      { after: 10_000, do: 'step clock', relay: 0, ms: -7_200_000 },
      { after: 700_000, do: 'press pay', order: 0, session: 0, method: 'card', presses: 1, gap: 0, hangsUp: false, fate: { says: 'approved', book: [{ after: 0, status: 'approved' }] } },
    ],
  },
  {
    found: 'A clock that was ahead when an answer was lost kept people from hearing of it for a month.',
    seed: 1,
    relays: 1,
    steps: [
      { after: 0, do: 'create session', order: 0, amount: 0, seconds: 86400 },
      { after: 1000, do: 'step clock', relay: 0, ms: 2_678_400_000 },
      { after: 1000, do: 'break gateway', what: 'queries', how: 'timeout', ms: 200_000_000 },
      { after: 1000, do: 'pay from server', order: 1, amount: 0, method: 'card', requests: 1, fate: { answer: 'lost', says: 'declined', book: [] } },
      { after: 20_000, do: 'step clock', relay: 0, ms: -2_678_400_000 },
      { after: 100_000_000, do: 'view session', order: 0, session: 0 },
    ],
  },
  {
    found: 'A clock that was ahead for an hour made a relay forget a key, and a refund was made twice.',
    seed: 1,
    relays: 1,
    steps: [
      { after: 0, do: 'buy', order: 0, amount: 0, presses: 1, gap: 0, method: 'card', fate: { says: 'approved', book: [{ after: 0, status: 'approved' }] } },
      { after: 5000, do: 'refund', order: 0, part: true, repeat: false, fate: {} },
      { after: 20_000, do: 'step clock', relay: 0, ms: 691_200_000 },
      { after: 4_000_000, do: 'view session', order: 0, session: 0 },
      { after: 60_000, do: 'step clock', relay: 0, ms: -691_200_000 },
      { after: 1000, do: 'repeat request', back: 0, later: 1000, isOther: false },
      { after: 10_000, do: 'view session', order: 0, session: 0 },
    ],
  },
];

function whole(step: Short<Step>): Step {
  switch (step.do) {
    case 'buy':
    case 'press pay':
    case 'pay from server':
      return { ...step, fate: { ...usualFate, ...step.fate } };
    case 'refund':
    case 'capture':
    case 'cancel':
    case 'review':
    case 'pay out':
      return { ...step, fate: { ...usualEffect, ...step.fate } };
    default:
      return step;
  }
}

/** Regression tests: each of these must go well. */
export const kept: readonly History[] = found.map(({ seed, relays, ways = {}, steps }) => ({
  ...{ seed, relays, ways, steps: steps.map(whole) },
}));
