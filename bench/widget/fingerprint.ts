import type { Browser, Frame, Page } from 'puppeteer-core';
import { median } from '../harness/micro.ts';
import { atLeast, atMost, type Benchmark, type Row } from '../harness/report.ts';
import { slowness } from './sight.ts';
import { launchPhone, PHONE, visit } from './slow-phone.ts';
import { type Fingerprint, type Stage, startStage } from './stage.ts';

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

/** How a shopper comes to press the button: on a slow phone or not, how long after the form can be typed into, and typing or not. */
type Shopper = { slow: boolean; afterMs: number; types: boolean; fingerprint?: Fingerprint };

/**
 * What a payment showed: how long the form waited for the device once the button was pressed, whether it got the fingerprint,
 * when that was read after the form could be typed into, and how long each key waited.
 */
type Payment = { waitMs: number; fingerprinted: boolean; readMs: number | undefined; keyDelays: number[] };

/** Published test number, in the groups in which somebody reads it off a card. */
const GROUPS = ['4111', '1111', '1111', '1111'];
const KEY_MS = [90, 250] as const;
const PAUSE_MS = [500, 1100] as const;

/** Opens the form, fills it, and presses the button. `seed` says in which rhythm is typed. */
async function payAs(browser: Browser, stage: Stage, shopper: Shopper, seed: number): Promise<Payment> {
  const { page, seen, close } = await visit(browser, { throttled: shopper.slow });
  try {
    const { fingerprint = 'ours' } = shopper;
    const { url, frameOrigin } = await stage.open({ form: 'ours', holding: 'in the page', fingerprint });
    await page.goto(url, { waitUntil: 'domcontentloaded' });
    const { frame, form } = await seen(frameOrigin, ({ typable }) => typable !== undefined);
    const typable = form.typable ?? 0;
    const due = form.origin + typable + shopper.afterMs;
    const button = await placeOf(page, frame, 'button[type=submit]');
    if (!shopper.types) await fill(frame);
    const typed = shopper.types ? await typeUntil(due, page, frame, randomOf(seed)) : 0;
    await wait(due - Date.now());
    if (shopper.types) await fill(frame);
    await page.touchscreen.tap(button.x, button.y);
    const { form: paid } = await seen(frameOrigin, ({ paidAt }) => paidAt !== undefined);
    // A key that is not listed was dealt with and drawn within 16 ms.
    const unlisted = Array.from({ length: Math.max(0, typed - paid.keyDelays.length) }, () => 0);
    return {
      waitMs: (paid.paidAt ?? Number.POSITIVE_INFINITY) - (paid.submittedAt ?? 0),
      fingerprinted: paid.fingerprinted === true,
      readMs: paid.readAt === undefined ? undefined : paid.readAt - typable,
      keyDelays: [...paid.keyDelays, ...unlisted],
    };
  } finally {
    await close();
  }
}

/** Types a card number again and again, four digits at a time, and tells how many keys that were. */
async function typeUntil(end: number, page: Page, frame: Frame, random: () => number): Promise<number> {
  const between = ([least, most]: readonly [number, number]) => least + random() * (most - least);
  const { x, y } = await placeOf(page, frame, 'input[autocomplete=cc-number]');
  // Fingers do not wait for the browser to have dealt with a key.
  const sent: Promise<unknown>[] = [page.touchscreen.tap(x, y)];
  const waitBetween = (bounds: readonly [number, number]) => wait(Math.min(between(bounds), end - Date.now()));
  while (Date.now() < end) {
    for (const group of GROUPS) {
      for (const key of group) {
        await waitBetween(KEY_MS);
        if (Date.now() < end) sent.push(page.keyboard.press(key === '4' ? 'Digit4' : 'Digit1'));
      }
      await waitBetween(PAUSE_MS);
    }
  }
  await Promise.all(sent);
  return sent.length - 1;
}

/** Fills the form as a password manager does: no field has the focus. */
async function fill(frame: Frame): Promise<void> {
  await frame.evaluate(() => {
    const filled = { 'cc-number': '4111111111111111', 'cc-exp': '1230', 'cc-csc': '737', 'cc-name': 'Ada Byron' };
    for (const [token, value] of Object.entries(filled)) {
      const input = document.querySelector<HTMLInputElement>(`input[autocomplete=${token}]`);
      if (!input) throw new Error(`the form has no ${token}`);
      input.value = value;
      input.dispatchEvent(new InputEvent('input', { bubbles: true }));
    }
  });
}

async function placeOf(page: Page, frame: Frame, selector: string): Promise<{ x: number; y: number }> {
  const inside = await frame.$eval(selector, (element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return { x: x + width / 2, y: y + height / 2 };
  });
  const holder = await page.$eval('iframe', (element) => {
    const { x, y } = element.getBoundingClientRect();
    return { x, y };
  });
  return { x: inside.x + holder.x, y: inside.y + holder.y };
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));
}

/** Numbers from 0 to 1 that look random, and are the same in each run (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
