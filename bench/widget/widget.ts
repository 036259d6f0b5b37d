import { get } from 'node:http';
import type { Browser, HTTPRequest } from 'puppeteer-core';
import { atMost, type Benchmark, type Row, type Target } from '../harness/report.ts';
import { median } from '../harness/rounds.ts';
import type { Holding } from './pages.ts';
import { look, lookTwice, type Sight, slowness } from './sight.ts';
import { launchPhone, PHONE, visit } from './slow-phone.ts';
import { type Case, type Stage, startStage } from './stage.ts';

/** Visits of each page, in turns with the others', of which the median counts. */
const ROUNDS = 11;
/** Pairs of visits, of which the second finds what it may in the cache. */
const PAIRS = 7;

const holdings: readonly Holding[] = ['by script', 'in the page'];
/** The forms that a page can hold so. Adyen's Card comes by script alone. */
const forms: Readonly<Record<Holding, readonly Case['form'][]>> = {
  'by script': ['bare', 'ours', 'adyen'],
  'in the page': ['bare', 'ours'],
};
const names: Readonly<Record<Case['form'], string>> = {
  bare: 'bare form (baseline), frame',
  ours: 'our form, frame',
  adyen: 'Adyen’s Card, frames',
};
/** What is aimed at: the pay button, × the bare form's, and typing in milliseconds. */
const AIMS: Readonly<Record<Holding, { button: number; typingMs: number }>> = {
  'by script': { button: 1.08, typingMs: 850 },
  'in the page': { button: 1.05, typingMs: 750 },
};

type Say = (line: string) => void;
type Part = { rows: Row[]; targets: Target[] };

/** How soon our form is there, on a slow phone, against a bare form and Adyen's Card on the same page. */
export const widget: Benchmark = async (say) => {
  let height = 560;
  const stage = await startStage(() => height);
  const browser = await launchPhone();
  try {
    const times = await slowness(browser, stage);
    height = (await look(browser, stage, { form: 'ours', holding: 'by script' })).height;
    const parts = [await seeing(browser, stage, say), await seeingAgain(browser, stage, say)];
    return {
      rows: parts.flatMap(({ rows }) => rows),
      targets: parts.flatMap(({ targets }) => targets),
      notes: [
        `CPU ${PHONE.cpu} times slower (a loop in the frame: ${times.toFixed(1)}), 1.6 Mbit/s down, 750 kbit/s up, 150 ms a request, nothing cached at first.`,
        `Medians of ${ROUNDS} visits in turns, and of ${PAIRS} pairs of visits.`,
        'Adyen’s Card: what comes from Adyen’s servers is stubbed, the script of its fields and of its fingerprint left out. All that flatters it.',
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
      for (const form of forms[holding]) {
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
    for (const form of forms[holding]) {
      const { requests, bytes } = await weigh(browser, stage, { form, holding });
      rows.push({
        what: `${names[form]} ${holding}`,
        figures: {
          'pay button ms': of(form, 'visibleMs'),
          ratio: of(form, 'visibleMs') / of('bare', 'visibleMs'),
          ...(form !== 'bare' && { 'typable ms': of(form, 'typableMs') }),
          'layout shift': of(form, 'shift'),
          requests,
          KB: bytes / 1000,
        },
      });
    }
    const ratio = of('ours', 'visibleMs') / of('bare', 'visibleMs');
    targets.push(
      atMost(`pay button visible, frame ${holding}, × bare form`, ratio, AIMS[holding].button),
      atMost(`typing is handled, frame ${holding}`, of('ours', 'typableMs'), AIMS[holding].typingMs, ' ms'),
    );
  }
  const shift = Math.max(...(sights.get('ours, in the page') ?? []).map((sight) => sight.shift));
  return { rows, targets: [...targets, atMost('layout shift, frame in the page', shift, 0)] };
}

/** A second visit with another order. The bare form's tells what of it no form can save. */
async function seeingAgain(browser: Browser, stage: Stage, say: Say): Promise<Part> {
  const pairs = new Map<string, { first: Sight; second: Sight }[]>();
  for (let round = 1; round <= PAIRS; round++) {
    say(`looking at forms twice, ${round} of ${PAIRS}`);
    for (const holding of holdings) {
      for (const form of forms[holding]) {
        const name = `${form}, ${holding}`;
        pairs.set(name, [...(pairs.get(name) ?? []), await lookTwice(browser, stage, { form, holding })]);
      }
    }
  }
  const rows: Row[] = [];
  const targets: Target[] = [];
  for (const holding of holdings) {
    for (const form of forms[holding]) {
      const seen = pairs.get(`${form}, ${holding}`) ?? [];
      const what = form === 'bare' ? 'visibleMs' : 'typableMs';
      const ratio = median(seen.map(({ first, second }) => second[what] / first[what]));
      rows.push({
        what: `second visit, ${names[form]} ${holding}`,
        figures: {
          'pay button ms': median(seen.map(({ second }) => second.visibleMs)),
          ...(form !== 'bare' && { 'typable ms': median(seen.map(({ second }) => second.typableMs)) }),
          '× first visit': ratio,
        },
      });
      if (form === 'ours')
        targets.push(atMost(`second visit, typing is handled, frame ${holding}, × first`, ratio, 0.6));
    }
  }
  return { rows, targets };
}

/** What a shop's page costs until its form can be typed into. Bytes are those of the answers, with their headers. */
type Wire = { requests: number; bytes: number };

/** Opens a page without any slowness, notes what it asks for until its form can be typed into, and weighs the answers. */
async function weigh(browser: Browser, stage: Stage, kind: Case): Promise<Wire> {
  const { page, seen, close } = await visit(browser);
  try {
    const { url, frameOrigin } = await stage.open(kind);
    const asked: { request: HTTPRequest; at: number }[] = [];
    page.on('request', (request) => {
      if (request.url().startsWith('http')) asked.push({ request, at: Date.now() });
    });
    await page.goto(url, { waitUntil: 'domcontentloaded' });
    const isDone = kind.form === 'bare' ? 'payVisible' : 'typable';
    const { form } = await seen(frameOrigin, (form) => form[isDone] !== undefined);
    const end = form.origin + (form[isDone] ?? 0);
    const sizes = await Promise.all(asked.filter(({ at }) => at <= end).map(({ request }) => bytesOf(request)));
    return { requests: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
  } finally {
    await close();
  }
}

function bytesOf(request: HTTPRequest): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { ...request.headers(), 'accept-encoding': 'gzip, deflate, br', connection: 'close' };
    const asking = get(request.url(), { headers, agent: false }, (res) => {
      const { socket } = res;
      res.resume().on('end', () => resolve(socket.bytesRead));
    });
    asking.on('error', reject);
  });
}
