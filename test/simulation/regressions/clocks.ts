import type { Regression } from './found.ts';

/** Histories in which a clock was wrong. */
// biome-ignore format: one step is one line
export const clocks: readonly Regression[] = [
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
  {
    found: 'A refund was searched for a shorter time because a clock that was behind told its end.',
    seed: 810010,
    relays: 3,
    steps: [
      { after: 7000, do: 'buy', amount: 0, presses: 1, gap: 0, order: 9, method: 'card', fate: { says: 'refused_400', back: 299 } },
      { after: 20000, do: 'step clock', relay: 1, ms: -2678400000 },
      { after: 1000, do: 'buy', order: 10, amount: 0, presses: 1, gap: 0, method: 'card', fate: { book: [{ after: 0, status: 'approved' }], says: 'approved' } },
      { after: 10000, do: 'refund', order: 10, repeat: false, part: true, fate: { does: 'refused_400', booked: 42898138, bookedAs: 'beyond' } },
      { after: 2406912, do: 'step clock', relay: 1, ms: 2678400000 },
    ],
  },
  {
    found: 'A relay whose clock was ahead died during a query, and its lease kept all others from the order.',
    seed: 1,
    relays: 1,
    steps: [
      { after: 0, do: 'create session', order: 0, amount: 0, seconds: 86400 },
      { after: 1000, do: 'step clock', relay: 0, ms: 691_200_000 },
      { after: 1000, do: 'break gateway', what: 'queries', how: 'timeout', ms: 20_000 },
      { after: 1000, do: 'pay from server', order: 1, amount: 0, method: 'card', requests: 1, fate: { answer: 'lost', says: 'declined', book: [] } },
      { after: 13_000, do: 'kill relay', relay: 0, calls: 0, effect: false, downMs: 10_000 },
    ],
  },
  {
    found: 'A person said that a contract’s payment does not pay its order, and a later charge of the contract paid it.',
    seed: 885001672,
    relays: 1,
    steps: [
      { after: 20_000, do: 'step clock', relay: 0, ms: 2_678_400_000 },
      { after: 9, do: 'buy', order: 13, amount: 0, presses: 1, gap: 50, method: 'apm', fate: { notices: [{ after: 200, times: 1 }], contract: 'record', later: [{ after: 305_279_761, amount: 0 }], says: 'redirect', tries: [{ after: 4967, status: 'approved', same: true }], back: 8 } },
      { after: 4, do: 'settle', order: 13, session: 0, approve: false },
      { after: 1000, do: 'repeat decision', back: 0, later: 3_159_875 },
      { after: 56_833, do: 'step clock', relay: 0, ms: -2_678_400_000 },
      { after: 7_199_989, do: 'press pay', order: 13, session: 2, method: 'card', presses: 1, gap: 48, hangsUp: false, fate: { says: 'refused_400' } },
    ],
  },
];
