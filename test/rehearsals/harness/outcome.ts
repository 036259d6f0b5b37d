import { gapOf, type Phase } from '../../../bench/failover/phases.ts';
import type { Clients, Try } from './clients.ts';
import type { Verdict } from './verdict.ts';

/** The outcome of a rehearsal, with the lines of its report. */
export type Outcome = { passed: boolean; lines: string[] };

type Found = {
  clients: Pick<Clients, 'tries' | 'failures'>;
  verdict: Verdict;
  /** The time from the failure to the end of the load. */
  window: Phase;
  trouble: string | undefined;
  counts: { payments: number; refunds: number; webhooks: number };
  notes: readonly string[];
  /** Problems that the rehearsal itself found. */
  wrong: readonly string[];
};

const MAX_LINES = 10;

/** Makes the outcome. The rehearsal passed if nothing was lost or made twice, and, with `noFailures`, no request failed. */
export function outcomeOf({ noFailures = false }: { noFailures?: boolean }, found: Found): Outcome {
  const { clients, verdict, window, trouble, counts, notes } = found;
  const tries = clients.tries.filter(({ at, ms }) => at + ms >= window.from);
  const failures = clients.failures.filter(({ at }) => at >= window.from);
  const failed = tries.filter(({ status }) => status === 0 || status >= 400);
  const forbidden = noFailures && failed.length > 0 ? [`failed requests: ${countsOf(failed.map(nameOf))}`] : [];
  const wrong = [...verdict.wrong, ...found.wrong, ...forbidden];
  const made = `${counts.payments} payments, ${counts.refunds} refunds, ${counts.webhooks} webhooks`;
  const lines = [
    `clients saw     ${countsOf(tries.map(nameOf))}`,
    `calls that failed after the client’s repetitions: ${countsOf(failures.map(({ kind, code }) => `${kind} ${code}`)) || 'none'}`,
    `payments were refused for ${(gapOf(window, clients.tries) / 1000).toFixed(1)} s (longest time without an approval)`,
    ...(wrong.length === 0
      ? [`lost or twice   nothing: ${made}`]
      : wrong.slice(0, MAX_LINES).map((one) => `WRONG           ${one}`)),
    ...(wrong.length > MAX_LINES ? [`WRONG           … ${wrong.length} in all`] : []),
    ...verdict.replays.slice(0, MAX_LINES).map((one) => `answered anew    ${one}`),
    ...verdict.waiting.slice(0, MAX_LINES).map((one) => `for a person    ${one}`),
    `log said first  ${trouble ?? 'nothing'}`,
    ...notes,
  ];
  return { passed: wrong.length === 0, lines };
}

function nameOf({ kind, status, code, paid }: Try): string {
  return [kind, status === 0 ? undefined : status, paid ?? code].filter((part) => part !== undefined).join(' ');
}

/** The number of each name, the most frequent first. */
function countsOf(names: readonly string[]): string {
  return [...Map.groupBy(names, (name) => name)]
    .map(([name, { length }]) => ({ name, length }))
    .toSorted((one, other) => other.length - one.length)
    .map(({ name, length }) => `${name}: ${length}`)
    .join(', ');
}
