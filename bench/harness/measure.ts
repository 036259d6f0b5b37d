import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { type Child, startChild } from './child.ts';
import type { ConfirmStep } from './confirm-steps.ts';
import { recordVisit } from './recorded-answers.ts';
import { relaySettings } from './settings.ts';
import { paid, requestsOf, type Visits } from './visits.ts';

/** A fixed number of visits at any time (a closed loop), or a fixed number that begin in each second (an open loop). */
type Pace = { concurrency: number } | { per_second: number };

/** A load: `count` visits of one kind at a pace, while the gateway takes `delay_ms` for each answer. */
export type Load = { kind: Visits['kind']; count: number; pace: Pace; delay_ms: number };

/** The figures of one run. CPU is for one visit: `cpu_us` of the measured process alone, `database_us` of the database server if known. */
export type Figures = {
  cpu_us: number;
  database_us?: number;
  per_second: number;
  p50_ms: number;
  p95_ms: number;
  p99_ms: number;
};

/** A closed loop of payments. */
export function payments(count: number, concurrency: number, delay_ms = 0): Load {
  return { kind: 'payment', count, pace: { concurrency }, delay_ms };
}

/** An open loop of payments, with a gateway that takes 50 ms. */
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

/** Runs the visits, with measurements before and after them. */
type Around = <Result>(visits: () => Promise<Result>) => Promise<Result>;

/** Something that answers visitors: the relay, or a baseline. */
export type Target = {
  /** Measures it under a load. `around` gets only the visits; their sessions or payments were created before. */
  run(load: Load, around?: Around): Promise<Figures>;
  /** The CPU of a step of the confirmation, for each of the last `count` payments, in microseconds. Only of a relay. */
  confirm(step: ConfirmStep, count: number): Promise<number>;
  /** The CPU of listing those that are not listed yet, in microseconds. Only of a relay. */
  list(count: number): Promise<number>;
  /** The resident memory of its process, in MB. Only of a relay. */
  memory(): Promise<number>;
  /** Starts a retention of this many days, or ends it with 0. Only of a relay. */
  retain(days: number): Promise<void>;
  origin: string;
  stop(): Promise<void>;
};

/** The two processes that every target needs: the gateway, which also receives webhooks, and the visitors. They start targets too. */
export type Surroundings = {
  /** The baseline of payments and refunds: it passes requests to the gateway. */
  passThrough(): Promise<Target>;
  /** The baseline of checkouts: it serves the recorded answers of a relay to one checkout as static files. */
  files(): Promise<Target>;
  relay(options: RelayOptions): Promise<Target>;
  /** Several relays on one store, which share the load. `cpu_us` is the sum of all; other data is of the first relay. */
  relays(count: number, options: RelayOptions): Promise<Target>;
  webhooks: Receiver;
  /** A new folder that is deleted at the end. */
  folder(): string;
  stop(): Promise<void>;
};

/** The shop that receives webhooks, of relays with `webhooks: 'delivered'`. */
type Receiver = {
  /** From now on, webhooks get no answer until `release`. */
  hold(): Promise<void>;
  /** Answers all webhooks that wait, and later ones at once. */
  release(): Promise<void>;
  /** The time of each answer, in milliseconds since `release`. */
  arrivals(): Promise<number[]>;
};

export type RelayOptions = {
  store: string;
  /** Whether the shop answers webhooks (`delivered`) or never does (`kept`, the default). */
  webhooks?: 'delivered' | 'kept';
  /** Reads the CPU that the database server has used, in microseconds. */
  databaseCpu?: () => number | undefined;
  /** Waits for deferred work of the relays: before a run is measured, and at its end, where the CPU of that work counts. */
  settled?: () => Promise<void>;
  /** Who may sign in to the console. */
  people?: readonly object[];
};

/** The functions of a target: they prepare visits, and stop it. */
type TargetSetup = {
  /** Creates sessions and gives their client secrets. */
  secrets(count: number): Promise<string[]>;
  /** Makes payments that can be refunded. */
  payments(count: number): Promise<z.infer<typeof paid>[]>;
  databaseCpu?: (() => number | undefined) | undefined;
  settled?: (() => Promise<void>) | undefined;
  end?(): Promise<unknown>;
};

/** Starts the gateway and the visitors. */
export async function startSurroundings(): Promise<Surroundings> {
  const [gateway, visitors] = await Promise.all([
    startChild('processes/gateway.ts'),
    startChild('processes/visitors.ts'),
  ]);
  const started = new Set<Target>();
  const root = mkdtempSync(join(tmpdir(), 'turnpike-bench-'));
  // For root, PostgreSQL runs as another user, who reaches its own folder in this one.
  chmodSync(root, 0o711);
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

  const target = (child: Child, setup: TargetSetup, others: readonly Child[] = []): Target => {
    const all = [child, ...others];
    const cpuOfAll = async (): Promise<number> => {
      const answers = await Promise.all(all.map((one) => one.ask('cpu', cpu)));
      return answers.reduce((sum, { cpu_us }) => sum + cpu_us, 0);
    };
    const made: Target = {
      async run({ kind, count, pace, delay_ms }, around = (visits) => visits()) {
        const visits: Visits =
          kind === 'refund'
            ? { kind, payments: await setup.payments(count) }
            : { kind, secrets: await setup.secrets(count) };
        await gateway.ask({ delay_ms }, ok);
        await setup.settled?.();
        const [before, databaseBefore] = [await cpuOfAll(), setup.databaseCpu?.()];
        const { seconds, p50_ms, p95_ms, p99_ms } = await around(() => visit(all, pace, visits));
        await setup.settled?.();
        const [after, databaseAfter] = [await cpuOfAll(), setup.databaseCpu?.()];
        const cpu_us = (after - before) / count;
        const isKnown = databaseBefore !== undefined && databaseAfter !== undefined;
        const database = isKnown ? { database_us: (databaseAfter - databaseBefore) / count } : {};
        return { cpu_us, ...database, per_second: count / seconds, p50_ms, p95_ms, p99_ms };
      },
      async list(count) {
        const { cpu_us } = await child.ask('list', cpu);
        return cpu_us / count;
      },
      async confirm(step, count) {
        const { cpu_us } = await child.ask({ confirm: step }, cpu);
        return cpu_us / count;
      },
      async memory() {
        const { mb } = await child.ask('memory', z.object({ mb: z.number() }));
        return mb;
      },
      async retain(days) {
        await child.ask({ retain: days }, ok);
      },
      origin: originOf(child),
      async stop() {
        if (!started.delete(made)) return;
        await setup.end?.();
        await Promise.all(all.map((one) => one.kill()));
      },
    };
    started.add(made);
    return made;
  };

  /** Placeholders: the baselines do not check secrets or payments. */
  const baseline: TargetSetup = {
    secrets: async (count) => Array.from({ length: count }, () => 'cs_none.none'),
    payments: async (count) =>
      Array.from({ length: count }, (_, at) => ({ order_no: `B-${at}`, transaction_id: `${at}` })),
  };

  const startRelay = async (options: RelayOptions): Promise<{ child: Child; setup: TargetSetup }> => {
    const { store, webhooks = 'kept', databaseCpu, settled, people = [] } = options;
    const settings = relaySettings({ store, gatewayPort: gateway.port, webhooks, people });
    const child = await startChild('processes/relay.ts', {
      env: { SETTINGS: JSON.stringify(settings) },
      log: join(folder(), 'relay.log'),
    });
    const secrets = (sessions: number): Promise<string[]> => child.ask({ sessions }, z.array(z.string()));
    const setup: TargetSetup = {
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
    return { child, setup };
  };

  return {
    async passThrough() {
      const child = await startChild('processes/pass-through.ts', { env: { GATEWAY: originOf(gateway) } });
      return target(child, baseline);
    },
    async files() {
      const recorded = folder();
      const { child, setup } = await startRelay({ store: `sqlite:${join(folder(), 'recorded.db')}` });
      const [checkout = []] = requestsOf({ kind: 'checkout', secrets: await setup.secrets(1) }, () => 0);
      await recordVisit(originOf(child), checkout, recorded);
      await target(child, setup).stop();
      return target(await startChild('processes/static-files.ts', { env: { FOLDER: recorded } }), baseline);
    },
    async relay(options) {
      const { child, setup } = await startRelay(options);
      return target(child, setup);
    },
    async relays(count, options) {
      const [first, ...others] = await Promise.all(Array.from({ length: count }, () => startRelay(options)));
      if (!first) throw new TypeError('no relay');
      const end = (): Promise<unknown> => Promise.all([first, ...others].map(({ setup }) => setup.end?.()));
      return target(
        first.child,
        { ...first.setup, end },
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
