import { cpSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Clients, startClients } from './clients.ts';
import { firstTrouble } from './first-trouble.ts';
import { type Outcome, outcomeOf } from './outcome.ts';
import { FIRST_KEY, type Stage, type StageOptions, startStage } from './stage.ts';
import { verdictOf } from './verdict.ts';

/** One rehearsal: its set-up, the failure, and whether requests may fail during it. */
export type Rehearsal = {
  /** Describes the failure in a few words. */
  breaks: string;
  stage: StageOptions;
  /** The command that installs missing programs, or undefined if none is missing. If one is, the rehearsal is skipped. */
  needs?: () => string | undefined;
  /** True if no request may fail. */
  noFailures?: boolean;
  /** Causes the failure and repairs it, under load. */
  run(stage: Stage, clients: Clients, say: (line: string) => void): Promise<Findings>;
};

/** The results of a rehearsal's own checks: lines for the report, and problems that make it fail. */
export type Findings = { notes?: string[]; wrong?: string[] };

/** The time of load before and after the failure. */
const STEADY_MS = 3000;

/** The folder for the logs of failed rehearsals. */
const LOGS = join(import.meta.dirname, '../../../dist/rehearsals');

/** Runs a rehearsal, from its set-up to the comparison of all books. */
export async function rehearse(name: string, rehearsal: Rehearsal, say: (line: string) => void): Promise<Outcome> {
  say('starting the relays and their servers');
  const stage = await startStage(rehearsal.stage);
  try {
    const clients = startClients(stage.url, FIRST_KEY);
    await setTimeout(STEADY_MS);
    say(rehearsal.breaks);
    const [from, since] = [performance.now(), new Date()];
    const { notes = [], wrong = [] } = await rehearsal.run(stage, clients, say);
    await setTimeout(STEADY_MS);
    const to = performance.now();
    say('waiting for the last orders');
    await clients.stop();
    say('comparing the books of clients, relay, gateway and shop');
    const { gateway, shop, relays } = stage;
    const verdict = await verdictOf(gateway, clients, shop.received);
    const outcome = outcomeOf(rehearsal, {
      clients,
      verdict,
      window: { what: rehearsal.breaks, from, to },
      trouble: firstTrouble(
        relays.map(({ log }) => log),
        since,
      ),
      counts: {
        payments: gateway.payments.list().length,
        refunds: gateway.books.refunds.list().length,
        webhooks: new Set(shop.received.map(({ id }) => id)).size,
      },
      notes,
      wrong,
    });
    if (!outcome.passed) keepLogs(name, relays, say);
    return outcome;
  } finally {
    await stage.close();
  }
}

function keepLogs(name: string, relays: Stage['relays'], say: (line: string) => void): void {
  const folder = join(LOGS, name);
  mkdirSync(folder, { recursive: true });
  for (const { log } of relays) cpSync(log, join(folder, basename(log)));
  say(`the logs of the relays are in ${folder}`);
}
