import type { Browser } from 'puppeteer-core';
import { median } from '../harness/micro.ts';
import { atLeast, atMost, type Benchmark, type Row } from '../harness/report.ts';
import { type Payment, payAs, type Shopper } from './shopper.ts';
import { slowness } from './sight.ts';
import { launchPhone, PHONE } from './slow-phone.ts';
import { type Stage, startStage } from './stage.ts';

const PAYMENTS = 20;
/** The height of the form in the shop's page; it does not matter here. */
const FRAME_HEIGHT = 560;

const shoppers = {
  typing: { slow: true, afterMs: 4000, types: true },
  idle: { slow: true, afterMs: 4000, types: false },
  'after 1 s': { slow: true, afterMs: 1000, types: false },
  'not slow': { slow: false, afterMs: 400, types: false },
  library: { slow: true, afterMs: 4000, types: true, fingerprint: 'library' },
} satisfies Record<string, Shopper>;
type Name = keyof typeof shoppers;

const labels: Readonly<Record<Name, string>> = {
  library: 'slow phone, paid 4 s after, typing till then, the library’s way (baseline)',
  typing: 'slow phone, paid 4 s after, typing till then',
  idle: 'slow phone, paid 4 s after, idle till then',
  'after 1 s': 'slow phone, paid 1 s after',
  'not slow': 'this machine, paid within 0.5 s',
};

/** How many payments carry the device's fingerprint, and whether anybody who types or pays waits for it. */
export const fingerprint: Benchmark = async (say, { rounds = PAYMENTS } = {}) => {
  const stage = await startStage(() => FRAME_HEIGHT);
  const browser = await launchPhone();
  try {
    const times = await slowness(browser, stage);
    const payments = await payInTurns(browser, stage, rounds, say);
    const share = (name: Name) => payments[name].filter(({ fingerprinted }) => fingerprinted).length / rounds;
    const slowWaits = [payments.typing, payments.idle, payments['after 1 s']].flat().map(({ waitMs }) => waitMs);
    return {
      rows: (['library', 'typing', 'idle', 'after 1 s', 'not slow'] as const).map((name) =>
        rowOf(labels[name], payments[name]),
      ),
      targets: [
        atLeast('share of payments with the fingerprint, slow phone, typing', share('typing'), 0.95),
        atLeast('share of payments with the fingerprint, slow phone, idle', share('idle'), 0.95),
        atMost('longest delay of a key while the fingerprint is read', longestDelay(payments.typing), 50, ' ms'),
        atMost('longest wait at submit, slow phone', Math.max(...slowWaits), 800, ' ms'),
        atMost(
          'longest wait at submit, not slow, within 0.5 s',
          Math.max(...payments['not slow'].map(({ waitMs }) => waitMs)),
          800,
          ' ms',
        ),
      ],
      notes: [
        `${rounds} payments of each kind, in turns, each in a new profile. Slow phone: CPU ${PHONE.cpu} times slower (a loop in the frame: ${times.toFixed(1)}), 1.6 Mbit/s down, 750 kbit/s up, 150 ms a request.`,
      ],
    };
  } finally {
    await browser.close();
    await stage.close();
  }
};

async function payInTurns(
  browser: Browser,
  stage: Stage,
  rounds: number,
  say: (line: string) => void,
): Promise<Record<Name, Payment[]>> {
  const payments: Record<Name, Payment[]> = { typing: [], idle: [], 'after 1 s': [], 'not slow': [], library: [] };
  for (let round = 1; round <= rounds; round++) {
    say(`payments, ${round} of ${rounds}`);
    for (const name of ['library', 'typing', 'idle', 'after 1 s', 'not slow'] as const) {
      payments[name].push(await payAs(browser, stage, shoppers[name], round));
    }
  }
  return payments;
}

function longestDelay(payments: readonly Payment[]): number {
  return Math.max(0, ...payments.flatMap(({ keyDelays }) => keyDelays));
}

function rowOf(what: string, payments: readonly Payment[]): Row {
  const keys = payments.flatMap(({ keyDelays }) => keyDelays).toSorted((a, b) => a - b);
  const read = payments.flatMap(({ readMs }) => readMs ?? []);
  return {
    what,
    figures: {
      'with fingerprint': `${payments.filter(({ fingerprinted }) => fingerprinted).length} of ${payments.length}`,
      'read after ms': read.length > 0 ? median(read) : '–',
      'wait at submit ms': median(payments.map(({ waitMs }) => waitMs)),
      'max ms': Math.max(...payments.map(({ waitMs }) => waitMs)),
      ...(keys.length > 0 && {
        keys: keys.length,
        'key delay max ms': keys.at(-1) ?? 0,
        'p95 ms': keys[Math.floor(keys.length * 0.95)] ?? 0,
      }),
    },
  };
}
