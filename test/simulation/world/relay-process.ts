import { StoreError } from '../../../relay/base/errors.ts';
import type { Store } from '../../../relay/store/store.ts';
import type { StoreTrouble } from '../steps.ts';
import type { Life } from './owner.ts';
import type { World } from './world.ts';

/**
 * The failures of the store: the kind for the next calls, the number of failed calls, the end of the last one, and the times of the
 * last late commit and the last slow call.
 */
export type Trouble = { how: StoreTrouble; calls: number; had: number; over: number; lateAt: number; slowAt: number };

/**
 * A payment that was not sent can be repeated five seconds after the store is back. One second more, because timers may be late.
 */
export const SENDABLE_MS = 5000 + 1000;

/** Whether the store has been back for that long at a given time. */
export function isLongBack({ calls, over }: Trouble, at: number): boolean {
  return calls === 0 && at - over > SENDABLE_MS;
}

/** A method of the store by its facet. */
type MethodName = { [Facet in keyof Store]: `${Facet}.${Extract<keyof Store[Facet], string>}` }[keyof Store];

/** The calls that write sessions, orders and operations. */
const commits: ReadonlySet<string> = new Set<MethodName>([
  'sessions.create',
  'orders.write',
  'operations.begin',
  'operations.finish',
]);

/** Between `begin` and `end` no transaction that changes an order, a session or an operation can be committed. */
export type Failing = { begin(): void; end(): void };

type Method = (...args: unknown[]) => unknown;

/** A call of a relay. The call of a dead relay is never answered. */
type Gate = <Result>(call: () => Promise<Result>) => Promise<Result>;

const never = (): Promise<never> => new Promise(() => undefined);

export function createLife({ say }: World, name: string, own: Pick<Life, 'skew' | 'config'>): Life {
  const death = Promise.withResolvers<void>();
  const life: Life = {
    ...{ name, ...own, dead: false, death: death.promise },
    die() {
      if (life.dead) return;
      life.dead = true;
      say(`${name} dies`);
      death.resolve();
    },
  };
  return life;
}

/** The calls of one life of a relay. It may die at any of them. */
export function gateOf(life: Life): Gate {
  return async (call) => {
    if (life.dead) return never();
    const fuse = life.fuse;
    const isLast = fuse !== undefined && fuse.calls-- <= 0;
    if (isLast && !fuse.effect) {
      life.die();
      return never();
    }
    try {
      const result = await call();
      if (isLast) life.die();
      return life.dead ? never() : result;
    } catch (error) {
      if (isLast) life.die();
      if (life.dead) return never();
      throw error;
    }
  };
}

/**
 * A store as one relay opens it. `isFile`: the relay uses it alone, caches its orders, and writes nothing after its
 * death.
 */
type Opened = { store: Store; isFile: boolean; failing: Failing };

/** A store for one life of a relay: each call goes through its gate, and the store may be in trouble. */
export function gatedStore(world: World, { store, isFile, failing }: Opened, life: Life, trouble: Trouble): Store {
  const gate = gateOf(life);
  const call = async (name: string, method: Method, args: unknown[]): Promise<unknown> => {
    if ((life.cutOffUntil ?? 0) > world.clock.now()) {
      trouble.had += 1;
      throw new StoreError('the relay is cut off from the store');
    }
    const isSpared = /^commit/.test(trouble.how) && !commits.has(name);
    if (trouble.calls <= 0 || isSpared) return method(...args);
    trouble.calls -= 1;
    trouble.had += 1;
    const over = (): void => {
      trouble.over = Math.max(trouble.over, world.clock.now());
      // Relays notice it as soon as on an idle machine.
      world.clock.stir();
    };
    over();
    switch (trouble.how) {
      case 'not written':
        throw new StoreError('the store is not there');
      case 'written unheard':
      case 'commit unheard':
        await method(...args);
        throw new StoreError('the store was lost while it committed');
      case 'commit late': {
        const owner = world.clock.owner();
        const commit = (): unknown => {
          over();
          trouble.lateAt = world.clock.now();
          return method(...args);
        };
        world.clock.at(world.clock.now() + world.random('store').between(50, 60_000), () =>
          owner ? world.clock.as(owner, commit) : commit(),
        );
        throw new StoreError('the store waits for its standby');
      }
      case 'commit heard late': {
        const result = await method(...args);
        const ms = world.random('store').between(50, 12_000);
        trouble.over = Math.max(trouble.over, world.clock.now() + ms);
        await world.clock.wait(ms);
        over();
        return result;
      }
      case 'commit fails':
        failing.begin();
        try {
          return await method(...args);
        } finally {
          failing.end();
        }
      case 'slow':
        trouble.slowAt = world.clock.now();
        await world.clock.wait(world.random('store').between(50, 4000));
        over();
        trouble.slowAt = world.clock.now();
        return method(...args);
    }
  };
  /** The store, or a facet of it. The names of its methods begin with `of`. */
  const gated = <Methods extends object>(methods: Methods, of = ''): Methods => {
    const seen = new Map<string | symbol, unknown>();
    return new Proxy(methods, {
      get(target, name) {
        const known = seen.get(name);
        if (known) return known;
        const member: unknown = Reflect.get(target, name);
        const path = `${of}${String(name)}`;
        if (typeof member === 'object' && member !== null) {
          const facet = gated(member, `${path}.`);
          seen.set(name, facet);
          return facet;
        }
        if (typeof member !== 'function') return member;
        const method = (...args: unknown[]): Promise<unknown> =>
          gate(() =>
            call(path, (...given) => (isFile && life.dead ? never() : Reflect.apply(member, target, given)), args),
          );
        seen.set(name, method);
        return method;
      },
    });
  };
  return gated(store);
}
