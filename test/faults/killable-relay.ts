import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { loadAssets } from '../../relay/checkout/assets.ts';
import { checkConfig } from '../../relay/load-config.ts';
import { createLog } from '../../relay/log.ts';
import { startRelay } from '../../relay/server.ts';
import { openStore } from '../../relay/store/open.ts';
import type { Store } from '../../relay/store/store.ts';

/**
 * A relay of its own process that kills itself (SIGKILL, no exit handler runs) at the write number `at`, counted from the
 * moment when it is told to count: before the store is asked, in the middle (all is written, nothing is committed), or
 * after it is on disk and before anybody hears of it.
 */
const plan = z.object({ config: z.unknown(), at: z.int(), when: z.enum(['before', 'amid', 'after', 'never']) });
export type Plan = z.infer<typeof plan>;

const { config, at, when } = plan.parse(JSON.parse(process.env.KILLABLE_RELAY ?? ''));

let counts = false;
let writes = 0;

/** Counts a write at one of the three places, and dies where it is the one. */
function passes(place: Plan['when']): void {
  if (!counts || place !== when) return;
  writes += 1;
  if (writes === at) process.kill(process.pid, 'SIGKILL');
}

const reads = new Set([
  'session',
  'attemptsOfOrder',
  'operation',
  'refundsOf',
  'event',
  'listEvents',
  'figures',
  'check',
  'close',
]);

/** The store with a death before and after each of its writes. A lease that takes nothing writes nothing. */
function mortal(store: Store): Store {
  return new Proxy(store, {
    get(target, name, receiver) {
      const method: unknown = Reflect.get(target, name, receiver);
      if (typeof method !== 'function' || reads.has(String(name))) return method;
      const takes = /^(lease|claimEvents|purge|forgetKeys)/.test(String(name));
      return async (...values: unknown[]) => {
        if (!takes) passes('before');
        const result: unknown = await Reflect.apply(method, target, values);
        if (!takes || (Array.isArray(result) && result.length > 0)) passes('after');
        return result;
      };
    },
  });
}

const prepare = DatabaseSync.prototype.prepare;
DatabaseSync.prototype.prepare = function (...values) {
  const statement = prepare.apply(this, values);
  if (!/^\s*COMMIT/i.test(String(values[0]))) return statement;
  const run = statement.run.bind(statement);
  statement.run = () => {
    passes('amid');
    return run();
  };
  return statement;
};

const checked = checkConfig(config, {});
const relay = await startRelay({
  config: checked,
  store: mortal(await openStore(checked.store)),
  assets: await loadAssets(join(import.meta.dirname, '../../dist')),
  log: createLog('silent'),
});
process.on('message', () => {
  counts = true;
});
process.once('disconnect', () => process.exit(0));
process.send?.({ url: relay.url });
