import type { Logger } from './log.ts';

/** The dependencies that a relay can lose while it runs. */
export const dependencies = ['store', 'gateway', 'descriptors', 'connections', 'clock', 'disk'] as const;

export type Dependency = (typeof dependencies)[number];

/** A lost dependency, the code of the failure (of the system, the database or the relay), and the time of the loss (ISO 8601). */
export type Lost = { part: Dependency; code: string; since: string };

/** The lost dependencies, and the number of outages of each. */
export type Outages = {
  /** Reports that a dependency failed. The first report of an outage is logged; further ones only update the code. */
  failed(part: Dependency, code: string): void;
  /**
   * Reports that a dependency works. The end of an outage is logged. A dependency that failed again within `AGAIN_MS` counts as back after
   * `QUIET_MS` without failures, so that repeated failures are one outage in the log.
   */
  works(part: Dependency): void;
  /** Ends the outages of dependencies whose last use succeeded and that have not failed for their quiet time. */
  settle(): void;
  lost(): readonly Lost[];
  /** The number of outages, by dependency and code. */
  counts(): readonly { part: Dependency; code: string; count: number }[];
};

const messages = {
  store: { lost: 'store lost', back: 'store is back' },
  gateway: { lost: 'gateway not reached', back: 'gateway is back' },
  descriptors: { lost: 'file descriptors used up', back: 'file descriptors are free again' },
  connections: { lost: 'connections refused: server.max_connections reached', back: 'connections are accepted again' },
  clock: { lost: 'clock differs from the store’s', back: 'clock agrees with the store’s' },
  disk: { lost: 'disk of the store is slow', back: 'disk of the store is fast again' },
} as const satisfies Record<Dependency, { lost: string; back: string }>;

/** The codes of a process or a machine without free descriptors. */
const USED_UP: readonly (string | undefined)[] = ['EMFILE', 'ENFILE'];

/** Whether a code means that no file descriptor is free. */
export function isUsedUp(code: string | undefined): boolean {
  return USED_UP.includes(code);
}

/** The maximum number of codes with their own counters. */
const MAX_CODES = 50;

/** A dependency that fails again within `AGAIN_MS` of its return is back after `QUIET_MS` without failures. */
const AGAIN_MS = 60_000;
const QUIET_MS = 15_000;

/** Creates the list of outages, empty at first. */
export function createOutages(
  log: Logger,
  now: () => Date = () => new Date(),
  monotonic: () => number = () => performance.now(),
): Outages {
  const lost = new Map<Dependency, Lost & { began: number; failedAt: number; quietMs: number; works: boolean }>();
  const backAt = new Map<Dependency, number>();
  const counts = new Map<string, { part: Dependency; code: string; count: number }>();

  const count = (part: Dependency, given: string): void => {
    const code = counts.size < MAX_CODES || counts.has(`${part} ${given}`) ? given : 'other';
    const counted = counts.get(`${part} ${code}`) ?? { part, code, count: 0 };
    counted.count += 1;
    counts.set(`${part} ${code}`, counted);
  };
  const failed = (part: Dependency, given: string): void => {
    const code = codeForm(given);
    const at = monotonic();
    const known = lost.get(part);
    if (known) [known.code, known.failedAt, known.works] = [code, at, false];
    else {
      const isAgain = at - (backAt.get(part) ?? Number.NEGATIVE_INFINITY) < AGAIN_MS;
      const quietMs = isAgain ? QUIET_MS : 0;
      lost.set(part, { part, code, since: now().toISOString(), began: at, failedAt: at, quietMs, works: false });
      count(part, code);
      log.error({ part, code }, messages[part].lost);
    }
    if (part !== 'descriptors' && isUsedUp(code)) failed('descriptors', code);
  };

  const works = (part: Dependency): void => {
    const known = lost.get(part);
    if (!known) return;
    known.works = true;
    const at = monotonic();
    if (at - known.failedAt < known.quietMs) return;
    lost.delete(part);
    backAt.set(part, at);
    const ms = Math.round(at - known.began);
    log.info({ part, code: known.code, since: known.since, ms }, messages[part].back);
  };

  return {
    failed,
    works,
    settle() {
      for (const { part, works: isWorking } of [...lost.values()]) if (isWorking) works(part);
    },
    lost: () => [...lost.values()].map(({ part, code, since }) => ({ part, code, since })),
    counts: () => [...counts.values()],
  };
}

/** Replaces codes that are not words of fixed vocabularies: they may quote data. */
function codeForm(code: string): string {
  return /^[A-Z0-9][A-Z0-9_]{2,60}$/.test(code) && !/^\d{6,}$/.test(code) ? code : 'UNKNOWN';
}

/** The code of an error of the system, TLS or the HTTP client, or of the first of several; undefined if it has none. */
export function systemCode(error: unknown): string | undefined {
  if (error instanceof AggregateError && error.errors.length > 0) return systemCode(error.errors[0]);
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return code !== undefined && /^[A-Z][A-Z0-9_]+$/.test(code) ? code : undefined;
}
