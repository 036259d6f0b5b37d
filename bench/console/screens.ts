import { isMissing, type Person } from '../harness/person.ts';
import { type Aim, atMost, type Row, type Say } from '../harness/report.ts';
import { median, quantile } from '../harness/statistics.ts';
import { requests, type ScreenRequest } from './requests.ts';
import type { Samples } from './samples.ts';

/** The aim: milliseconds until a screen, or the first byte of a file, is there. */
export const MAX_MS = 150;
const TIMES = 60;
const WARM_UP = 3;

/** The times of one request in milliseconds, and the size of its last answer. */
type RequestTimes = { request: ScreenRequest; times: number[]; kb: number };

/** Measures each request of each screen, one after the other. A route that the relay does not have is left out and noted. */
export async function measureScreens(
  title: string,
  person: Person,
  samples: Samples,
  only: readonly string[],
  say: Say,
): Promise<{ rows: Row[]; aims: Aim[]; notes: string[] }> {
  const measured: RequestTimes[] = [];
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
    aims: screens.map((screen) => {
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

/** Sends a request many times, each time with other samples. */
async function measure(request: ScreenRequest, person: Person, samples: Samples): Promise<RequestTimes> {
  const { times = TIMES } = request;
  const taken: number[] = [];
  let bytes = 0;
  // The first requests are a warm-up.
  for (let at = 0; at < times + (times < TIMES ? 0 : WARM_UP); at++) {
    const route = request.route(samples, at);
    const start = performance.now();
    bytes = (await person.get(route)).length;
    taken.push(performance.now() - start);
  }
  return { request, times: taken.slice(-times), kb: bytes / 1000 };
}
