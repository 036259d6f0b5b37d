import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { type Child, startChild } from './child.ts';
import { relaySettings } from './settings.ts';

/** How payments are made: so many, so many at a time, to a gateway that takes so long. */
export type Load = { payments: number; concurrency: number; delay_ms: number };

/** What one run cost. CPU is that of the measured process alone. */
export type Figures = Load & { cpu_us: number; per_second: number; p50_ms: number; p99_ms: number };

const cpu = z.object({ cpu_us: z.number() });
const memory = z.object({ rss: z.number(), heap: z.number() });
const loaded = z.object({
  payments: z.int(),
  seconds: z.number(),
  p50_ms: z.number(),
  p99_ms: z.number(),
  failures: z.int(),
  failure: z.string().optional(),
});

export class PaymentsFailed extends Error {
  override readonly name = 'PaymentsFailed';
  readonly code = 'payments_failed';
}

/** Something that takes payments: the relay, or the baseline. */
export type Target = {
  run(load: Load): Promise<Figures>;
  memory(): Promise<{ rss: number; heap: number }>;
  stop(): Promise<void>;
};

/** The two processes that stand around every target: the gateway, and the shoppers. */
export type Surroundings = {
  passThrough(): Promise<Target>;
  relay(options: RelayOptions): Promise<Target>;
  /** A new folder that is deleted at the end. */
  folder(): string;
  stop(): Promise<void>;
};

export type RelayOptions = {
  store: string;
  webhooks?: 'delivered' | 'kept';
  env?: Record<string, string>;
  execArgv?: string[];
};

/** Starts the gateway and the load generator. */
export async function startSurroundings(): Promise<Surroundings> {
  const [gateway, shoppers] = await Promise.all([startChild('gateway.ts'), startChild('load.ts')]);
  const started = new Set<Target>();
  const folders: string[] = [];

  const target = (
    child: Child,
    secretsFor: (count: number) => Promise<string[]>,
    end: () => Promise<unknown>,
  ): Target => {
    const made: Target = {
      async run(load) {
        await gateway.ask(load.delay_ms, z.literal('ok'));
        const secrets = await secretsFor(load.payments);
        const origin = `http://127.0.0.1:${child.port}`;
        const before = await child.ask('cpu', cpu);
        const result = await shoppers.ask({ origin, concurrency: load.concurrency, secrets }, loaded);
        const after = await child.ask('cpu', cpu);
        if (result.failures > 0) throw new PaymentsFailed(`${result.failures} payments failed: ${result.failure}`);
        const { seconds, p50_ms, p99_ms } = result;
        const cpu_us = (after.cpu_us - before.cpu_us) / load.payments;
        return { ...load, cpu_us, per_second: load.payments / seconds, p50_ms, p99_ms };
      },
      memory: () => child.ask('memory', memory),
      async stop() {
        if (!started.delete(made)) return;
        await end();
        await child.kill();
      },
    };
    started.add(made);
    return made;
  };

  return {
    async passThrough() {
      const env = { GATEWAY: `http://127.0.0.1:${gateway.port}` };
      const child = await startChild('pass-through.ts', { env });
      return target(
        child,
        async (count) => Array.from({ length: count }, () => 'none'),
        async () => undefined,
      );
    },
    async relay({ store, webhooks = 'kept', env = {}, execArgv = [] }) {
      const settings = relaySettings({ store, gatewayPort: gateway.port, webhooks });
      const child = await startChild('relay.ts', { env: { ...env, SETTINGS: JSON.stringify(settings) }, execArgv });
      return target(
        child,
        (sessions) => child.ask({ sessions }, z.array(z.string())),
        async () => {
          await child.ask('stop', z.literal('stopped'));
          await child.ended;
        },
      );
    },
    folder() {
      const folder = mkdtempSync(join(tmpdir(), 'turnpike-bench-'));
      folders.push(folder);
      return folder;
    },
    async stop() {
      await Promise.all([...started].map((one) => one.stop()));
      await Promise.all([gateway.kill(), shoppers.kill()]);
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    },
  };
}
