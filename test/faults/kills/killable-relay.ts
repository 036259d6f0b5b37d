import { AsyncLocalStorage } from 'node:async_hooks';
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { z } from 'zod';
import { createLog } from '../../../relay/base/log.ts';
import { checkConfig } from '../../../relay/config/load.ts';
import { loadAssets } from '../../../relay/pages/assets.ts';
import { startRelay } from '../../../relay/server.ts';
import { openStore } from '../../../relay/store/open.ts';

/** The place in a write: everything is written and nothing committed, or it is committed and not yet reported. */
const place = z.enum(['amid', 'after']);
export type Place = z.infer<typeof place>;

/**
 * A relay in a separate process that kills itself (SIGKILL, no exit handler runs) in its next write of `writes`, at
 * the place that a message names. `dist` is the folder of the browser parts.
 */
const plan = z.object({
  config: z.unknown(),
  dist: z.string().default(join(import.meta.dirname, '../../../dist')),
});
export type Plan = z.input<typeof plan>;

const { config, dist } = plan.parse(JSON.parse(process.env.KILLABLE_RELAY ?? ''));

let killPlace: Place | undefined;

function passes(at: Place): void {
  if (killPlace === at) process.kill(process.pid, 'SIGKILL');
}

/**
 * The writes in which it is killed: those of sessions, payments and operations. Background writes of the relay run in
 * between.
 */
const writes = new Set(['sessions.create', 'orders.write', 'operations.begin', 'operations.finish']);

/** Their results when they wrote. A write whose order or operation changed meanwhile writes nothing and is repeated. */
const wrote = z.union([z.literal(true), z.object({ kind: z.enum(['created', 'written', 'begun']) })]);

/** The number of running writes, and the write in which the test acts. */
let underWay = 0;
const writing = new AsyncLocalStorage<string>();

/** The store, or a facet of it, which kills the process after each of these writes. */
function killedIn<Methods extends object>(methods: Methods, of = ''): Methods {
  return new Proxy(methods, {
    get(target, key, receiver) {
      const method: unknown = Reflect.get(target, key, receiver);
      const name = `${of}${String(key)}`;
      if (typeof method === 'object' && method !== null) return killedIn(method, `${name}.`);
      if (typeof method !== 'function' || !writes.has(name)) return method;
      return async (...values: unknown[]) => {
        underWay += 1;
        try {
          const result: unknown = await writing.run(name, () => Reflect.apply(method, target, values));
          if (wrote.safeParse(result).success) passes('after');
          return result;
        } finally {
          underWay -= 1;
        }
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
    // One commit covers all waiting changes.
    if (underWay > 0) passes('amid');
    return run();
  };
  return statement;
};

const query: unknown = Reflect.get(Client.prototype, 'query');
if (typeof query !== 'function') throw new TypeError('pg has no query');
const inTransaction = new WeakSet<Client>();
Reflect.set(Client.prototype, 'query', function (this: Client, ...values: unknown[]): unknown {
  const [statement = ''] = /^(BEGIN|COMMIT|ROLLBACK)/.exec(String(values[0])) ?? [];
  if (statement === 'BEGIN') inTransaction.add(this);
  else if (statement !== '') inTransaction.delete(this);
  // A statement outside a transaction, and a procedure, commit by themselves.
  if (writing.getStore() && !inTransaction.has(this) && statement !== 'ROLLBACK') passes('amid');
  return Reflect.apply(query, this, values);
});

const checked = checkConfig(config, {});
const relay = await startRelay({
  config: checked,
  store: killedIn(await openStore(checked.store)),
  assets: await loadAssets(dist),
  log: createLog('silent'),
});
process.on('message', (message) => {
  killPlace = place.parse(message);
  process.send?.('acknowledged');
});
process.once('disconnect', () => process.exit(0));
// Otherwise the compiled code of a killed process is not kept for the next one.
flushCompileCache();
process.send?.({ url: relay.url });
