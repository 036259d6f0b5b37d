import { ProblemError, StoreError } from '../../../relay/base/errors.ts';
import type { Config } from '../../../relay/config/load.ts';
import type { Signer } from '../../../relay/gateway/signing/signer.ts';
import type { Store } from '../../../relay/store/store.ts';
import type { Send } from '../../../relay/webhooks/send-webhook.ts';
import { type Relay, startRelay } from '../relay.ts';
import type { Gateway } from './gateway/gateway.ts';
import { createLife, gatedStore, gateOf, type Trouble } from './life.ts';
import type { Life, Owner, Request } from './owner.ts';
import type { World } from './world.ts';

/** What a request came to; `lost` where its relay died, or none lived. */
type Outcome<Value> =
  | { kind: 'answered'; value: Value }
  | { kind: 'problem'; code: string; status: number }
  | { kind: 'lost' };

/** The relays of a world, that share one store. */
export type Relays = {
  count: number;
  /** Sends a request to one of them; to the next that lives, where that one is dead. */
  request<Value>(
    at: number,
    request: Omit<Request, 'began'>,
    work: (relay: Relay, owner: Owner) => Promise<Value>,
  ): Promise<Outcome<Value>>;
  /** Lets one die at its call after so many, and another take its place. */
  kill(at: number, fuse: { calls: number; effect: boolean }, downMs: number): void;
  trouble: Trouble;
  /** How many calls of the store went wrong, and relays died, until now. */
  disturbances(): number;
  /** Requests to relays that live, which have no answer yet. */
  running(): string[];
  /** Requests are answered and nothing is in trouble from now on. */
  calm(): void;
  /** For good. */
  stop(): void;
};

type RelaysParts = {
  world: World;
  gateway: Gateway;
  openStore: () => Store;
  send: Send;
  config: Config;
  signer: Signer;
  count: number;
};

type Running = { life: Life; relay: Relay };

export function createRelays({ world, gateway, openStore, send, config, signer, count }: RelaysParts): Relays {
  const { clock, say } = world;
  const trouble: Trouble = { how: 'slow', calls: 0, had: 0 };
  const running = new Map<Request, Life>();
  let lives = 0;
  let isOver = false;

  const start = (at: number): Running => {
    lives += 1;
    const skew = count === 1 ? 0 : world.random(`skew ${at}`).between(-500, 500);
    const life = createLife(world, `relay ${at + 1}.${lives}`, skew);
    const gate = gateOf(life);
    const owner: Owner = { life };
    const random = world.random('relays');
    const relay = clock.as(owner, () =>
      startRelay({
        config,
        signer,
        random,
        store: gatedStore(world, openStore(), gate, trouble),
        call: (...args) => gate(() => gateway.call(...args)),
        send: (...args) => gate(() => send(...args)),
        fill: random.fill,
        now: () => new Date(clock.now() + life.skew),
      }),
    );
    return { life, relay };
  };
  const all = Array.from({ length: count }, (_, at) => start(at));

  const revive = (at: number): void => {
    if (isOver || !all[at]?.life.dead) return;
    all[at] = start(at);
    say(`${all[at]?.life.name} starts`);
  };

  return {
    count,
    trouble,
    disturbances: () => trouble.had + lives - count + all.filter(({ life }) => life.dead).length,
    async request(at, given, work) {
      const order = all.map((_, n) => all[(at + n) % all.length]);
      const one = order.find((entry) => entry !== undefined && !entry.life.dead);
      const request: Request = { ...given, began: world.next() };
      if (!one) return { kind: 'lost' };
      const { life, relay } = one;
      const owner = { life, request };
      clock.stir();
      say(`${life.name} <- ${request.name}`);
      running.set(request, life);
      const outcome = await Promise.race([
        clock
          .as(owner, () => work(relay, owner))
          .then(
            (value): { kind: 'answered'; value: typeof value } => ({ kind: 'answered', value }),
            (error: unknown) => problemOf(world, request, error),
          ),
        life.death.then((): { kind: 'lost' } => ({ kind: 'lost' })),
      ]);
      running.delete(request);
      say(
        `${life.name} -> ${request.name}: ${outcome.kind === 'answered' ? JSON.stringify(outcome.value) : tellOf(outcome)}`,
      );
      return outcome;
    },
    kill(at, fuse, downMs) {
      const victim = all[at % all.length];
      if (!victim || victim.life.dead || victim.life.fuse) return;
      victim.life.fuse = { ...fuse };
      clock.at(clock.now() + downMs, () => revive(at % all.length));
      // It may have nothing to call: then it dies now.
      clock.at(clock.now() + downMs / 2, victim.life.die);
    },
    running: () => [...running].filter(([, life]) => !life.dead).map(([{ name }]) => name),
    calm() {
      trouble.calls = 0;
    },
    stop() {
      isOver = true;
      for (const { life } of all) life.die();
    },
  };
}

function problemOf(world: World, request: Request, error: unknown): { kind: 'problem'; code: string; status: number } {
  if (error instanceof ProblemError) return { kind: 'problem', code: error.code, status: error.status };
  if (error instanceof StoreError) return { kind: 'problem', code: error.code, status: 503 };
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  world.breach('requests are answered', `${request.name} failed: ${text}`);
  return { kind: 'problem', code: 'internal', status: 500 };
}

function tellOf(outcome: { kind: 'problem'; code: string } | { kind: 'lost' }): string {
  return outcome.kind === 'problem' ? outcome.code : 'no answer';
}
