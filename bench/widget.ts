import type { Browser } from 'puppeteer-core';
import { median } from './micro.ts';
import { atMost, type Benchmark, type Row, type Target } from './report.ts';
import type { Holding } from './widget/pages.ts';
import { look, type Sight, slowness } from './widget/sight.ts';
import { launchPhone, PHONE } from './widget/slow-phone.ts';
import { type Case, type Stage, startStage } from './widget/stage.ts';
import { type Submitted, submit, type Typed, typeNumber } from './widget/typing.ts';
import { weigh } from './widget/wire.ts';

/** Visits of each page, in turns with the others', of which the median counts. */
const ROUNDS = 11;
/** Card numbers typed with each way to take the fingerprint, each beginning later after the form has come to life. */
const NUMBERS = 8;
const LATER_EACH_MS = 250;
const SUBMITS = 5;
const pressed = [
  ['pay pressed as soon as typing is handled', 0],
  ['pay pressed 2 s later, a field open till then', 2000],
] as const;

const holdings: readonly Holding[] = ['by script', 'in the page'];
const forms = ['bare', 'ours'] as const;

type Say = (line: string) => void;
type Part = { rows: Row[]; targets: Target[] };

/** How soon our form is there and how it answers to keys, on a slow phone, against a bare form on the same page. */
export const widget: Benchmark = async (say) => {
  let height = 560;
  const stage = await startStage(() => height);
  const browser = await launchPhone();
  try {
    const times = await slowness(browser, stage);
    height = (await look(browser, stage, { form: 'ours', holding: 'by script' })).height;
    const parts = [
      await seeing(browser, stage, say),
      await typing(browser, stage, say),
      await paying(browser, stage, say),
    ];
    return {
      rows: parts.flatMap(({ rows }) => rows),
      targets: parts.flatMap(({ targets }) => targets),
      notes: [
        `CPU ${PHONE.cpu} times slower (a loop in the frame: ${times.toFixed(1)}), 1.6 Mbit/s down, 750 kbit/s up, 150 ms a request, nothing cached.`,
        `Medians of ${ROUNDS} visits in turns; ${NUMBERS} card numbers that begin up to ${((NUMBERS - 1) * LATER_EACH_MS) / 1000} s after typing is handled.`,
      ],
    };
  } finally {
    await browser.close();
    await stage.close();
  }
};

async function seeing(browser: Browser, stage: Stage, say: Say): Promise<Part> {
  const sights = new Map<string, Sight[]>();
  for (let round = 1; round <= ROUNDS; round++) {
    say(`looking at forms, ${round} of ${ROUNDS}`);
    for (const holding of holdings) {
      for (const form of forms) {
        const name = `${form}, ${holding}`;
        sights.set(name, [...(sights.get(name) ?? []), await look(browser, stage, { form, holding })]);
      }
    }
  }
  const rows: Row[] = [];
  const targets: Target[] = [];
  for (const holding of holdings) {
    const of = (form: Case['form'], what: keyof Sight) =>
      median((sights.get(`${form}, ${holding}`) ?? []).map((sight) => sight[what]));
    for (const form of forms) {
      const { requests, bytes } = await weigh(browser, stage, { form, holding });
      rows.push({
        what: form === 'bare' ? `bare form (baseline), frame ${holding}` : `our form, frame ${holding}`,
        figures: {
          'pay button ms': of(form, 'visibleMs'),
          ratio: of(form, 'visibleMs') / of('bare', 'visibleMs'),
          ...(form === 'ours' && { 'typable ms': of(form, 'typableMs') }),
          'layout shift': of(form, 'shift'),
          requests,
          KB: bytes / 1000,
        },
      });
    }
    const ratio = of('ours', 'visibleMs') / of('bare', 'visibleMs');
    targets.push(
      atMost(`pay button visible, frame ${holding}, × bare form`, ratio, 1.1),
      atMost(`typing is handled, frame ${holding}`, of('ours', 'typableMs'), 900, ' ms'),
    );
  }
  const shift = Math.max(...(sights.get('ours, in the page') ?? []).map((sight) => sight.shift));
  return { rows, targets: [...targets, atMost('layout shift, frame in the page', shift, 0)] };
}

async function typing(browser: Browser, stage: Stage, say: Say): Promise<Part> {
  const typed = { whole: [] as Typed[], built: [] as Typed[] };
  for (let number = 0; number < NUMBERS; number++) {
    say(`typing, ${number + 1} of ${NUMBERS}`);
    for (const collectors of ['whole', 'built'] as const) {
      typed[collectors].push(await typeNumber(browser, stage, collectors, number * LATER_EACH_MS));
    }
  }
  const longest = delaysOf(typed.built).at(-1) ?? 0;
  return {
    rows: [
      typedRow('keys while the library takes the fingerprint whole (baseline)', typed.whole),
      typedRow('keys while it is taken in pieces', typed.built),
    ],
    targets: [atMost('longest delay of a key while the fingerprint is taken', longest, 50, ' ms')],
  };
}

async function paying(browser: Browser, stage: Stage, say: Say): Promise<Part> {
  const rows: Row[] = [];
  const waits: number[] = [];
  for (const [what, afterMs] of pressed) {
    say(what);
    const submitted: Submitted[] = [];
    for (let time = 0; time < SUBMITS; time++) submitted.push(await submit(browser, stage, afterMs));
    const times = submitted.map(({ waitMs }) => waitMs);
    const whole = submitted.filter(({ fingerprinted }) => fingerprinted).length;
    waits.push(...times);
    rows.push({ what, figures: { 'wait ms': median(times), 'with fingerprint': `${whole} of ${SUBMITS}` } });
  }
  return { rows, targets: [atMost('longest wait for the device at submit', Math.max(...waits), 800, ' ms')] };
}

function delaysOf(typed: readonly Typed[]): number[] {
  return typed.flatMap(({ delays }) => delays).toSorted((a, b) => a - b);
}

function typedRow(what: string, typed: readonly Typed[]): Row {
  const delays = delaysOf(typed);
  const taken = typed.flatMap(({ takenMs }) => takenMs ?? []);
  return {
    what,
    figures: {
      'key delay max ms': delays.at(-1) ?? 0,
      'p95 ms': delays[Math.floor(delays.length * 0.95)] ?? 0,
      'taken after ms': median(taken),
    },
  };
}
