import { isMissing, NotAnswered, type Person } from '../filled/person.ts';
import { atMost, type Row, type Target } from '../harness/report.ts';
import { median } from '../harness/rounds.ts';
import { requests, type ScreenRequest } from './requests.ts';
import type { Samples } from './samples.ts';

const MAX_MS = 150;
const TIMES = 60;
const WARM_UP = 3;

/** How many lines of a CSV file are read, after which it is given up. */
const CSV_LINES = 100_000;

type Measured = { request: ScreenRequest; times: number[]; kb: number };

/** How long each request of each screen takes, one after the other. A route that a relay has not is left out. */
export async function measureScreens(
  title: string,
  person: Person,
  samples: Samples,
  only: readonly string[],
  say: (line: string) => void,
): Promise<{ rows: Row[]; targets: Target[]; notes: string[] }> {
  const measured: Measured[] = [];
  const missing: string[] = [];
  for (const request of requests) {
    if (only.length > 0 && !only.some((name) => request.screen.toLowerCase().startsWith(name))) continue;
    say(`${title}: ${request.screen}, ${request.what}`);
    try {
      measured.push(await measure(request, person, samples));
    } catch (error) {
      if (!isMissing(error)) throw error;
      missing.push(`${title}: ${request.screen}, ${request.what}: ${error.message.slice(0, 150)}`);
    }
  }
  const screens = [...new Set(measured.map(({ request }) => request.screen))];
  return {
    rows: measured.map(({ request, times, kb }) => ({
      what: `${title}: ${request.screen}, ${request.what}`,
      figures: { 'p50 ms': median(times), 'p95 ms': quantile(times, 0.95), 'max ms': Math.max(...times), KB: kb },
    })),
    targets: screens.map((screen) => {
      const own = measured.filter(({ request }) => request.screen === screen);
      return atMost(
        `${title}: ${screen}, p95`,
        Math.max(...own.map(({ times }) => quantile(times, 0.95))),
        MAX_MS,
        ' ms',
      );
    }),
    notes: missing,
  };
}

async function measure(request: ScreenRequest, person: Person, samples: Samples): Promise<Measured> {
  const { times = TIMES } = request;
  const taken: number[] = [];
  let bytes = 0;
  // Each asks for something else, those that only warm up too.
  for (let at = 0; at < times + (times < TIMES ? 0 : WARM_UP); at++) {
    const route = request.route(samples, at);
    const start = performance.now();
    bytes = (await person.get(route)).length;
    taken.push(performance.now() - start);
  }
  return { request, times: taken.slice(-times), kb: bytes / 1000 };
}

/** The value that a share of all are not above. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** How soon a CSV file of many orders begins, and how fast it comes. */
export async function measureCsv(title: string, person: Person): Promise<{ rows: Row[]; targets: Target[] }> {
  const files = [
    ['all orders', '/v1/orders?'],
    ['paid orders', '/v1/orders?status=paid'],
    ['audit', '/v1/audit?limit=1000'],
  ] as const;
  const rows: Row[] = [];
  const begins: number[] = [];
  for (const [what, route] of files) {
    const { first_ms, lines, seconds } = await readCsv(person, route);
    begins.push(first_ms);
    rows.push({
      what: `${title}: CSV, ${what}`,
      figures: { 'first byte ms': first_ms, 'lines per s': lines / seconds, lines },
    });
  }
  return { rows, targets: [atMost(`${title}: first byte of a CSV file`, Math.max(...begins), MAX_MS, ' ms')] };
}

/** Reads a CSV file until it is over or long enough. */
export async function readCsv(
  person: Person,
  route: string,
  maxLines = CSV_LINES,
): Promise<{ first_ms: number; lines: number; seconds: number }> {
  const start = performance.now();
  const headers = { ...person.headers(), accept: 'text/csv' };
  const { body, statusCode } = await person.pool.request({ method: 'GET', path: person.pathOf(route), headers });
  if (statusCode !== 200) throw new NotAnswered(`${route}: ${statusCode} ${await body.text()}`);
  let [first_ms, lines] = [0, 0];
  for await (const chunk of body) {
    if (first_ms === 0) first_ms = performance.now() - start;
    for (const byte of Buffer.from(chunk)) if (byte === 10) lines += 1;
    if (lines >= maxLines) break;
  }
  return { first_ms, lines, seconds: (performance.now() - start) / 1000 };
}
