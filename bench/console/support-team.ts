import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { isMissing, type Person, signIn, team } from '../harness/person.ts';
import { quantile } from '../harness/statistics.ts';
import { answerQuestions, sayListening } from '../processes/ipc.ts';
import { readCsv } from './csv.ts';
import { requests, type ScreenRequest } from './requests.ts';
import type { Samples } from './samples.ts';

/**
 * Twenty people who work at the console, with the requests that its page sends. Each opens another screen every few seconds, gets
 * changes as a stream (two of them by polling), and reads the list again after a change. One downloads a CSV file and one reads
 * figures, repeatedly.
 */
const question = z.union([
  z.enum(['begin', 'end']),
  z.object({ origin: z.string(), samples: z.custom<Samples>((value) => typeof value === 'object') }),
]);

/** The time that a person looks at a screen. */
const LOOK_MS = 5000;
const FIGURES_MS = 15_000;
/** The pause of the page between a change and reading the list again. */
const GATHER_MS = 250;
const POLL_MS = 5000;
const CSV_LINES = 20_000;

/** The number of people whose page polls for changes. */
const POLLING = 2;
const LISTS = ['Needs you', 'Orders', 'Order', 'Orders', 'Operations', 'Webhooks', 'Order', 'Audit', 'Operation'];

let people: Person[] = [];
let available: readonly ScreenRequest[] = [];
let samples: Samples | undefined;
let working: { ending: AbortController; all: Promise<unknown> } | undefined;
let [times, failures]: [number[], string[]] = [[], []];

answerQuestions(async (message) => {
  const what = question.parse(message);
  if (typeof what === 'object') {
    samples = what.samples;
    people = await Promise.all(team.map(({ name }) => signIn(what.origin, name)));
    available = await availableOf(what.samples);
    return 'signed in';
  }
  if (what === 'begin') {
    [times, failures] = [[], []];
    const ending = new AbortController();
    working = { ending, all: Promise.all(people.map((person, at) => work(person, at, ending.signal))) };
    return 'begun';
  }
  working?.ending.abort();
  await working?.all;
  const [failure] = failures;
  return {
    requests: times.length,
    failures: failures.length,
    ...(failure === undefined ? {} : { failure }),
    p95_ms: times.length > 0 ? quantile(times, 0.95) : 0,
  };
});
sayListening(0);

/** The requests of the screens for which the relay has a route. */
async function availableOf(known: Samples): Promise<ScreenRequest[]> {
  const found: ScreenRequest[] = [];
  for (const one of requests.filter(({ screen }) => LISTS.includes(screen))) {
    try {
      await people[0]?.get(one.route(known, 0));
      found.push(one);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
  return found;
}

/** The work of one person until the signal. */
async function work(person: Person, at: number, signal: AbortSignal): Promise<void> {
  const state: { screen: readonly ScreenRequest[]; asked: number } = { screen: [], asked: at * 1000 };
  const read = async (): Promise<void> => {
    const known = samples;
    if (!known || signal.aborted) return;
    await Promise.all(state.screen.map((one) => timed(() => person.get(one.route(known, state.asked)))));
  };
  const changes = at < POLLING ? poll(person, signal, read) : stream(person, signal, read);
  const own =
    at === team.length - 1
      ? downloadCsv(person, signal)
      : at === team.length - 2
        ? readFigures(person, signal)
        : openScreens(at, state, read, signal);
  await Promise.all([changes, own]);
}

/** Opens one screen after the other, each for a few seconds. */
async function openScreens(
  at: number,
  state: { screen: readonly ScreenRequest[]; asked: number },
  read: () => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  // People start at different times.
  await pause((at / team.length) * LOOK_MS, signal);
  while (!signal.aborted) {
    state.asked += 1;
    const turn = Math.floor(state.asked / 3) + state.asked;
    const screen = LISTS[turn % LISTS.length];
    const own = available.filter((one) => one.screen === screen);
    // The screen Needs you sends all its requests at once, a list only one.
    const chosen = own[state.asked % own.length];
    state.screen = screen === 'Needs you' ? own : chosen ? [chosen] : [];
    await read();
    await pause(LOOK_MS, signal);
  }
}

/** Gets changes as a stream. Like the page, it reads the list a moment after a change, once for all changes in that time. */
async function stream(person: Person, signal: AbortSignal, read: () => Promise<void>): Promise<void> {
  const headers = { ...person.headers(), accept: 'text/event-stream' };
  const answer = await person.pool.request({ method: 'GET', path: person.pathOf('/live'), headers, signal });
  if (answer.statusCode !== 200) return void failures.push(`live: ${answer.statusCode}`);
  let gathering: Promise<void> | undefined;
  try {
    for await (const chunk of answer.body) {
      if (!String(chunk).includes('event: change')) continue;
      gathering ??= pause(GATHER_MS, signal).then(() => {
        gathering = undefined;
        return read();
      });
    }
  } catch (error) {
    if (!signal.aborted) failures.push(String(error));
  }
  await gathering;
}

/** Gets changes by polling, and reads the list after each poll. */
async function poll(person: Person, signal: AbortSignal, read: () => Promise<void>): Promise<void> {
  let since = '';
  while (!signal.aborted) {
    await timed(async () => {
      const text = await person.get(`/live${since}`);
      const { next } = z.object({ next: z.string() }).parse(JSON.parse(text));
      since = `?since=${next}`;
    });
    await read();
    await pause(POLL_MS, signal);
  }
}

/** Reads figures of other days each time; changes do not matter there. */
async function readFigures(person: Person, signal: AbortSignal): Promise<void> {
  const known = samples;
  const figures = requests.filter(({ screen }) => screen === 'Figures');
  for (let asked = 0; known && !signal.aborted; asked++) {
    const one = figures[asked % figures.length];
    if (one) await timed(() => person.get(one.route(known, asked)));
    await pause(FIGURES_MS, signal);
  }
}

/** Downloads a CSV file again and again. */
async function downloadCsv(person: Person, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await readCsv(person, '/v1/orders?', CSV_LINES);
    await pause(LOOK_MS, signal);
  }
}

/** Records the time of a request, or its failure. */
async function timed(work: () => Promise<unknown>): Promise<void> {
  const start = performance.now();
  try {
    await work();
    times.push(performance.now() - start);
  } catch (error) {
    failures.push(String(error));
  }
}

/** Waits; ends early at the signal. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const done = new AbortController();
  await Promise.race([
    setTimeout(ms, undefined, { signal: done.signal }).catch(() => undefined),
    once(signal, 'abort', { signal: done.signal }).catch(() => undefined),
  ]);
  done.abort();
}
