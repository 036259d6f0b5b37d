import { StoreError } from '../../../relay/base/errors.ts';
import type { Store } from '../../../relay/store/store.ts';
import type { StoreTrouble } from '../steps.ts';
import type { Life } from './owner.ts';
import type { World } from './world.ts';

/**
 * What is wrong with the store's next calls, how many went wrong, and when the last of them was over; when a commit came late last, and
 * when a call was last slow.
 */
export type Trouble = { how: StoreTrouble; calls: number; had: number; over: number; lateAt: number; slowAt: number };

/** What was not sent can be sent again five seconds after the store is back, and relays' timers may be a second late. */
export const SENDABLE_MS = 5000 + 1000;

/** Whether the store has been back for so long at a moment. */
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

/** A call that leaves a relay. What a dead relay called is never answered. */
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

/** The calls of one life of a relay: at any of them it may die. */
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

/** A store as one relay opens it. `isFile`: a relay alone has its orders at hand, and writes nothing after its death. */
type Opened = { store: Store; isFile: boolean; failing: Failing };

/** A store as one life of a relay sees it: each call goes through its gate, and the store may be in trouble. */
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
      // Relays find out as soon as on a machine that is not busy.
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
  /** The store, or a facet of it. `of` begins the names of its methods. */
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
