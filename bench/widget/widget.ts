import type { Browser } from 'puppeteer-core';
import { addTo, atMost, type Benchmark, type Report, type Say } from '../harness/report.ts';
import { median } from '../harness/statistics.ts';
import { type LoadTimes, measureLoad, measureSecondLoad, measureSlowdown } from './load-times.ts';
import type { Embedding } from './pages.ts';
import { type FormCase, type Servers, startServers } from './servers.ts';
import { launchPhone, PHONE } from './slow-phone.ts';
import { measureTransfer } from './transfer.ts';

/** Visits of each page, in turns with the others; the median counts. */
const ROUNDS = 11;
/** Pairs of visits: the second one can use the cache. */
const PAIRS = 7;

const embeddings: readonly Embedding[] = ['by script', 'in the page', 'of its own'];
/** The forms that can be embedded so. Adyen's Card exists by script only. */
const forms: Readonly<Record<Embedding, readonly FormCase['form'][]>> = {
  'by script': ['bare', 'ours', 'adyen'],
  'in the page': ['bare', 'ours'],
  'of its own': ['bare', 'ours'],
};
const names: Readonly<Record<FormCase['form'], string>> = {
  bare: 'bare form (baseline)',
  ours: 'our form',
  adyen: 'Adyen’s Card',
};
const places: Readonly<Record<Embedding, string>> = {
  'by script': 'frame by script',
  'in the page': 'frame in the page',
  'of its own': 'page of its own',
};
/** The aims × the time until the bare form's pay button is visible: for the pay button, and for typing. Typing on our own page has none. */
const LIMITS: Readonly<Record<Embedding, { button: number; typing?: number }>> = {
  'by script': { button: 1.08, typing: 1.06 },
  'in the page': { button: 1.05, typing: 1 },
  'of its own': { button: 1.15 },
};
/** The maximum time until a second visit handles typing, × that of the first. */
const SECOND_VISIT = 0.55;

/** How fast our form loads on a slow phone, compared with a bare form and Adyen's Card in the same page. */
export const widget: Benchmark = async (say) => {
  let height = 560;
  const servers = await startServers(() => height);
  const browser = await launchPhone();
  try {
    const slowdown = await measureSlowdown(browser, servers);
    height = (await measureLoad(browser, servers, { form: 'ours', embedding: 'by script' })).height;
    const report: Report = { rows: [], aims: [], notes: [] };
    addTo(report, await firstVisits(browser, servers, say));
    addTo(report, await secondVisits(browser, servers, say));
    report.notes.push(
      `CPU ${PHONE.cpu} times slower (a loop in the frame: ${slowdown.toFixed(1)}), 1.6 Mbit/s down, 750 kbit/s up, 150 ms a request, nothing cached at first.`,
      `Medians of ${ROUNDS} visits in turns, and of ${PAIRS} pairs of visits.`,
      'Adyen’s Card: its servers are stubs, without the scripts of its fields and of its fingerprint. This makes it faster than it is.',
    );
    return report;
  } finally {
    await browser.close();
    await servers.close();
  }
};

/** Measures every form in turns, several times. Returns the results by `nameOf`. */
async function inRounds<Result>(
  rounds: number,
  measure: (formCase: FormCase) => Promise<Result>,
  say: (round: number) => void,
): Promise<Map<string, Result[]>> {
  const results = new Map<string, Result[]>();
  for (let round = 1; round <= rounds; round++) {
    say(round);
    for (const embedding of embeddings) {
      for (const form of forms[embedding]) {
        const name = nameOf(form, embedding);
        results.set(name, [...(results.get(name) ?? []), await measure({ form, embedding })]);
      }
    }
  }
  return results;
}

const nameOf = (form: FormCase['form'], embedding: Embedding): string => `${form}, ${embedding}`;

async function firstVisits(browser: Browser, servers: Servers, say: Say): Promise<Report> {
  const measure = (formCase: FormCase) => measureLoad(browser, servers, formCase);
  const visits = await inRounds(ROUNDS, measure, (round) => say(`first visits, ${round} of ${ROUNDS}`));
  const report: Report = { rows: [], aims: [], notes: [] };
  for (const embedding of embeddings) {
    const medianTime = (form: FormCase['form'], figure: keyof LoadTimes) =>
      median((visits.get(nameOf(form, embedding)) ?? []).map((times) => times[figure]));
    for (const form of forms[embedding]) {
      const { requests, bytes } = await measureTransfer(browser, servers, { form, embedding });
      report.rows.push({
        what: `${names[form]}, ${places[embedding]}`,
        figures: {
          'pay button ms': medianTime(form, 'visibleMs'),
          ratio: medianTime(form, 'visibleMs') / medianTime('bare', 'visibleMs'),
          ...(form !== 'bare' && { 'typable ms': medianTime(form, 'typableMs') }),
          'layout shift': medianTime(form, 'shift'),
          requests,
          KB: bytes / 1000,
        },
      });
    }
    const timesBare = (figure: 'visibleMs' | 'typableMs') =>
      medianTime('ours', figure) / medianTime('bare', 'visibleMs');
    const { button, typing } = LIMITS[embedding];
    report.aims.push(atMost(`pay button visible, ${places[embedding]}, × bare form`, timesBare('visibleMs'), button));
    if (typing) {
      report.aims.push(atMost(`typing is handled, ${places[embedding]}, × bare form`, timesBare('typableMs'), typing));
    }
  }
  const shift = Math.max(...(visits.get(nameOf('ours', 'in the page')) ?? []).map((times) => times.shift));
  report.aims.push(atMost('layout shift, frame in the page', shift, 0));
  return report;
}

/** A second visit with another order. Nothing of the bare form is cached: its ratio shows the effect of warm processes. */
async function secondVisits(browser: Browser, servers: Servers, say: Say): Promise<Report> {
  const measure = (formCase: FormCase) => measureSecondLoad(browser, servers, formCase);
  const pairs = await inRounds(PAIRS, measure, (round) => say(`second visits, ${round} of ${PAIRS}`));
  const report: Report = { rows: [], aims: [], notes: [] };
  for (const embedding of embeddings) {
    for (const form of forms[embedding]) {
      const own = pairs.get(nameOf(form, embedding)) ?? [];
      const figure = form === 'bare' ? 'visibleMs' : 'typableMs';
      const ratio = median(own.map(({ first, second }) => second[figure] / first[figure]));
      report.rows.push({
        what: `second visit, ${names[form]}, ${places[embedding]}`,
        figures: {
          'pay button ms': median(own.map(({ second }) => second.visibleMs)),
          ...(form !== 'bare' && { 'typable ms': median(own.map(({ second }) => second.typableMs)) }),
          '× first visit': ratio,
        },
      });
      if (form === 'ours')
        report.aims.push(atMost(`second visit, typing is handled, ${places[embedding]}, × first`, ratio, SECOND_VISIT));
    }
  }
  const typable = (form: FormCase['form']) =>
    median((pairs.get(nameOf(form, 'by script')) ?? []).map(({ second }) => second.typableMs));
  report.aims.push(
    atMost('second visit, typing is handled, frame by script, × Adyen’s Card', typable('ours') / typable('adyen'), 1),
  );
  return report;
}
