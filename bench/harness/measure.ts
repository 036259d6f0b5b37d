import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { type Child, startChild } from './child.ts';
import { recordVisit } from './recorded.ts';
import { relaySettings } from './settings.ts';
import { paid, requestsOf, type Visits } from './visits.ts';

/** So many visits at any time, each as soon as there is room (a closed loop), or so many begun in each second (an open loop). */
type Pace = { concurrency: number } | { per_second: number };

/** What visitors do: so many visits of one kind, at some pace, with a gateway that takes so long. */
export type Load = { kind: Visits['kind']; count: number; pace: Pace; delay_ms: number };

/** What one visit of a run cost. CPU is that of the measured process alone; the database's, where it is known, stands beside it. */
export type Figures = {
  cpu_us: number;
  database_us?: number;
  per_second: number;
  p50_ms: number;
  p95_ms: number;
  p99_ms: number;
};

/** So many payments, so many of them at a time. */
export function payments(count: number, concurrency: number, delay_ms = 0): Load {
  return { kind: 'payment', count, pace: { concurrency }, delay_ms };
}

/** So many payments in each second, however long others take, to a gateway that takes 50 ms. */
export function steady(per_second: number, seconds: number): Load {
  return { kind: 'payment', count: per_second * seconds, pace: { per_second }, delay_ms: 50 };
}

const ok = z.literal('ok');
const cpu = z.object({ cpu_us: z.number() });
const loaded = z.object({
  seconds: z.number(),
  p50_ms: z.number(),
  p95_ms: z.number(),
  p99_ms: z.number(),
  failures: z.int(),
  failure: z.string().optional(),
  answers: z.array(z.string()),
});

class VisitsFailed extends Error {
  override readonly name = 'VisitsFailed';
  readonly code = 'visits_failed';
}

type Around = <Result>(visits: () => Promise<Result>) => Promise<Result>;

/** Something that answers visitors: the relay, or a baseline. */
export type Target = {
  /** Puts a load on it. `around` is given the visits alone, without what is made for them before. */
  run(load: Load, around?: Around): Promise<Figures>;
  origin: string;
  stop(): Promise<void>;
};

/** The two processes that stand around every target: the gateway, which is the receiver of webhooks too, and the visitors. */
export type Surroundings = {
  passThrough(): Promise<Target>;
  /** Serves what a relay with an empty store answered to one whole checkout. */
  files(): Promise<Target>;
  relay(options: RelayOptions): Promise<Target>;
  /** So many relays on one store, which share the load. Their CPU is counted together; the rest is told of the first. */
  relays(count: number, options: RelayOptions): Promise<Target>;
  webhooks: Receiver;
  /** A new folder that is deleted at the end. */
  folder(): string;
  stop(): Promise<void>;
};

/** The shop that takes webhooks of relays which deliver them. */
type Receiver = {
  /** Leaves webhooks without an answer from now on. */
  hold(): Promise<void>;
  /** Answers them at once, those that wait included. */
  release(): Promise<void>;
  /** When each webhook was answered, in milliseconds since the release. */
  arrivals(): Promise<number[]>;
};

export type RelayOptions = {
  store: string;
  webhooks?: 'delivered' | 'kept';
  /** Tells the CPU that the store's server has used, in microseconds. */
  databaseCpu?: () => number | undefined;
  /** Waits until the relays have done what was left to do later: before a run is measured, and at the end of it, which counts its CPU. */
  settled?: () => Promise<void>;
  /** Who may sign in to the console. */
  people?: readonly object[];
};

/** What a target is made of: how visitors get what they need, and how it ends. */
type Parts = {
  secrets(count: number): Promise<string[]>;
  /** Payments that can be refunded. */
  payments(count: number): Promise<z.infer<typeof paid>[]>;
  databaseCpu?: (() => number | undefined) | undefined;
  settled?: (() => Promise<void>) | undefined;
  end?(): Promise<unknown>;
};

/** Starts the gateway and the visitors. */
export async function startSurroundings(): Promise<Surroundings> {
  const [gateway, visitors] = await Promise.all([startChild('gateway.ts'), startChild('load.ts')]);
  const started = new Set<Target>();
  const root = mkdtempSync(join(tmpdir(), 'turnpike-bench-'));
  let folders = 0;

  const folder = (): string => {
    folders += 1;
    const path = join(root, String(folders));
    mkdirSync(path);
    return path;
  };

  const visit = async (
    children: readonly Child[],
    pace: Pace,
    visits: Visits,
    keep = false,
  ): Promise<z.infer<typeof loaded>> => {
    const result = await visitors.ask({ origins: children.map(originOf), pace, visits, keep }, loaded);
    if (result.failures > 0) throw new VisitsFailed(`${result.failures} requests failed: ${result.failure}`);
    return result;
  };

  const target = (child: Child, parts: Parts, others: readonly Child[] = []): Target => {
    const all = [child, ...others];
    const cpuOfAll = async (): Promise<number> => {
      const told = await Promise.all(all.map((one) => one.ask('cpu', cpu)));
      return told.reduce((sum, { cpu_us }) => sum + cpu_us, 0);
    };
    const made: Target = {
      async run({ kind, count, pace, delay_ms }, around = (visits) => visits()) {
        const visits: Visits =
          kind === 'refund'
            ? { kind, payments: await parts.payments(count) }
            : { kind, secrets: await parts.secrets(count) };
        await gateway.ask({ delay_ms }, ok);
        await parts.settled?.();
        const [before, databaseBefore] = [await cpuOfAll(), parts.databaseCpu?.()];
        const { seconds, p50_ms, p95_ms, p99_ms } = await around(() => visit(all, pace, visits));
        await parts.settled?.();
        const [after, databaseAfter] = [await cpuOfAll(), parts.databaseCpu?.()];
        const cpu_us = (after - before) / count;
        const isKnown = databaseBefore !== undefined && databaseAfter !== undefined;
        const database = isKnown ? { database_us: (databaseAfter - databaseBefore) / count } : {};
        return { cpu_us, ...database, per_second: count / seconds, p50_ms, p95_ms, p99_ms };
      },
      origin: originOf(child),
      async stop() {
        if (!started.delete(made)) return;
        await parts.end?.();
        await Promise.all(all.map((one) => one.kill()));
      },
    };
    started.add(made);
    return made;
  };

  /** What visitors of a baseline need, which looks at none of it. */
  const baseline: Parts = {
    secrets: async (count) => Array.from({ length: count }, () => 'cs_none.none'),
    payments: async (count) =>
      Array.from({ length: count }, (_, at) => ({ order_no: `B-${at}`, transaction_id: `${at}` })),
  };

  const startRelay = async (options: RelayOptions): Promise<{ child: Child; parts: Parts }> => {
    const { store, webhooks = 'kept', databaseCpu, settled, people = [] } = options;
    const settings = relaySettings({ store, gatewayPort: gateway.port, webhooks, people });
    const child = await startChild('relay.ts', {
      env: { SETTINGS: JSON.stringify(settings) },
      log: join(folder(), 'relay.log'),
    });
    const secrets = (sessions: number): Promise<string[]> => child.ask({ sessions }, z.array(z.string()));
    const parts: Parts = {
      secrets,
      async payments(count) {
        await gateway.ask({ delay_ms: 0 }, ok);
        const visits: Visits = { kind: 'payment', secrets: await secrets(count) };
        const { answers } = await visit([child], { concurrency: 50 }, visits, true);
        return answers.map((answer) => paid.parse(JSON.parse(answer)));
      },
      databaseCpu,
      settled,
      async end() {
        await child.ask('stop', z.literal('stopped'));
        await child.ended;
      },
    };
    return { child, parts };
  };

  return {
    async passThrough() {
      const child = await startChild('pass-through.ts', { env: { GATEWAY: originOf(gateway) } });
      return target(child, baseline);
    },
    async files() {
      const recorded = folder();
      const { child, parts } = await startRelay({ store: `sqlite:${join(folder(), 'recorded.db')}` });
      const [checkout = []] = requestsOf({ kind: 'checkout', secrets: await parts.secrets(1) }, () => 0);
      await recordVisit(originOf(child), checkout, recorded);
      await target(child, parts).stop();
      return target(await startChild('files.ts', { env: { FOLDER: recorded } }), baseline);
    },
    async relay(options) {
      const { child, parts } = await startRelay(options);
      return target(child, parts);
    },
    async relays(count, options) {
      const [first, ...others] = await Promise.all(Array.from({ length: count }, () => startRelay(options)));
      if (!first) throw new TypeError('no relay');
      const end = (): Promise<unknown> => Promise.all([first, ...others].map(({ parts }) => parts.end?.()));
      return target(
        first.child,
        { ...first.parts, end },
        others.map(({ child }) => child),
      );
    },
    webhooks: {
      hold: async () => void (await gateway.ask({ webhooks: 'hold' }, ok)),
      release: async () => void (await gateway.ask({ webhooks: 'release' }, ok)),
      arrivals: () => gateway.ask({ webhooks: 'arrivals' }, z.array(z.number())),
    },
    folder,
    async stop() {
      await Promise.all([...started].map((one) => one.stop()));
      await Promise.all([gateway.kill(), visitors.kill()]);
      rmSync(root, { recursive: true, force: true });
    },
  };
}

function originOf({ port }: Child): string {
  return `http://127.0.0.1:${port}`;
}
