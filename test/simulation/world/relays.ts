import type { Logger } from '../../../relay/base/log.ts';
import type { Signer } from '../../../relay/gateway/signing/signer.ts';
import type { Store } from '../../../relay/store/store.ts';
import type { Send } from '../../../relay/webhooks/send-webhook.ts';
import { type Relay, startRelay } from '../relay.ts';
import { type Clocks, createClocks } from './clocks.ts';
import type { Gateway } from './gateway/gateway.ts';
import { exchange, type HttpAnswer, type HttpRequest } from './http/wire.ts';
import type { Life, Owner, Request } from './owner.ts';
import { createLife, type Failing, gatedStore, gateOf, type Trouble } from './relay-process.ts';
import type { Settings } from './settings.ts';
import type { World } from './world.ts';

/** The outcome of a request. `lost`: its relay died, no relay was running, or the client disconnected. */
export type Outcome =
  | { kind: 'answered'; status: number; headers: HttpAnswer['headers']; text: string; body: Record<string, unknown> }
  | { kind: 'problem'; status: number; code: string; owner: Owner }
  | { kind: 'lost' };

/** Receives each request when it is sent. The returned function receives the answer, or undefined without one. */
type Watcher = (
  http: HttpRequest,
  owner: Required<Owner>,
) => ((answer: HttpAnswer | undefined) => void | Promise<void>) | undefined;

/** The relays of a world, which share one store. */
export type Relays = {
  count: number;
  clocks: Clocks;
  /** Sends a request to a relay, or to the next running one if that relay is dead. */
  request(at: number, request: Omit<Request, 'began'>, http: HttpRequest): Promise<Outcome>;
  /** Lets a relay die at a later call, and starts another one in its place. */
  kill(at: number, fuse: { calls: number; effect: boolean }, downMs: number): void;
  /** Takes the store from one of them for some time. */
  cutOff(at: number, ms: number): void;
  /** Stops all of them at once. They start again later. */
  restart(downMs: number): void;
  /** Watches requests and their answers. */
  watch(watcher: Watcher): void;
  trouble: Trouble;
  /** The number of failed calls of the store and of dead relays until now. */
  disturbances(): number;
  /** The requests to living relays that have no answer yet or still cause work. */
  running(): string[];
  /** From now on requests are answered and nothing fails. */
  calm(): void;
  /** Stops all of them permanently. */
  stop(): void;
};

type RelaysParts = {
  world: World;
  gateway: Gateway;
  openStore: () => Store;
  failing: Failing;
  send: Send;
  settings: Settings;
  signer: Signer;
  count: number;
};

type Running = { life: Life; relay: Relay };

export function createRelays({
  world,
  gateway,
  openStore,
  failing,
  send,
  settings,
  signer,
  count,
}: RelaysParts): Relays {
  const { clock, say } = world;
  const trouble: Trouble = { how: 'slow', calls: 0, had: 0, over: 0, lateAt: 0, slowAt: 0 };
  const watchers: Watcher[] = [];
  const running = new Map<Request, Life>();
  let lives = 0;
  let isOver = false;

  const start = (at: number): Running => {
    lives += 1;
    const config = settings.current();
    const life = createLife(world, `relay ${at + 1}.${lives}`, { skew: clocks.atStart(at), config });
    const gate = gateOf(life);
    const owner: Owner = { life };
    const random = world.random('relays');
    const relay = clock.as(owner, () =>
      startRelay({
        name: life.name,
        config,
        signer,
        random,
        store: gatedStore(world, { store: openStore(), isFile: count === 1, failing }, life, trouble),
        post: (...args) => gate(() => gateway.post(...args)),
        send: (...args) => gate(() => send(...args)),
        log: logOf(world, life),
        fill: random.fill,
        now: () => new Date(clock.now() + life.skew),
      }),
    );
    return { life, relay };
  };
  const clocks: Clocks = createClocks(world, count, (at) => known(all[at]).life);
  const all: Running[] = Array.from({ length: count }, (_, at) => start(at));

  const revive = (at: number): void => {
    if (isOver || !all[at]?.life.dead) return;
    all[at] = start(at);
    say(`${all[at]?.life.name} starts`);
  };

  return {
    count,
    clocks,
    trouble,
    watch: (watcher) => void watchers.push(watcher),
    disturbances: () => trouble.had + lives - count + all.filter(({ life }) => life.dead).length,
    async request(at, given, http) {
      const order = all.map((_, n) => all[(at + n) % all.length]);
      const one = order.find((entry) => entry !== undefined && !entry.life.dead);
      const request: Request = { ...given, began: world.next() };
      if (!one) return { kind: 'lost' };
      const { life, relay } = one;
      const owner = { life, request };
      clock.stir();
      say(`${life.name} <- ${request.name}`);
      running.set(request, life);
      const watching = watchers.map((watcher) => watcher(http, owner));
      const { answer, hangUp } = clock.as(owner, () => exchange(relay.server, http));
      if (request.hangsUpAt !== undefined) clock.at(request.hangsUpAt, hangUp);
      const response = await Promise.race([answer, life.death.then(() => undefined)]);
      if (life.dead) hangUp();
      running.delete(request);
      for (const watcher of watching) void watcher?.(response);
      const outcome = outcomeOf(response, owner);
      say(`${life.name} -> ${request.name}: ${textOf(response)}`);
      if (outcome.kind === 'problem' && outcome.code === 'internal')
        world.breach('requests are answered', `${request.name} failed`);
      return outcome;
    },
    kill(at, fuse, downMs) {
      const victim = all[at % all.length];
      if (!victim || victim.life.dead || victim.life.fuse) return;
      victim.life.fuse = { ...fuse };
      clock.at(clock.now() + downMs, () => revive(at % all.length));
      // It may make no further call: then it dies now.
      clock.at(clock.now() + downMs / 2, victim.life.die);
    },
    cutOff(at, ms) {
      const { life } = known(all[at % count]);
      life.cutOffUntil = clock.now() + ms;
      Object.assign(trouble, { had: trouble.had + 1, over: Math.max(trouble.over, life.cutOffUntil) });
      clock.at(life.cutOffUntil, clock.stir);
    },
    restart(downMs) {
      for (const [at, { life }] of all.entries()) {
        life.die();
        clock.at(clock.now() + downMs, () => revive(at));
      }
    },
    running: () => [
      ...[...running].filter(([, life]) => !life.dead).map(([{ name }]) => name),
      ...all.filter(({ life }) => !life.dead).flatMap(({ relay }) => relay.working()),
    ],
    calm() {
      trouble.calls = 0;
    },
    stop() {
      isOver = true;
      for (const { life } of all) life.die();
    },
  };
}

function known(one: Running | undefined): Running {
  if (!one) throw new Error('there is no such relay');
  return one;
}

function outcomeOf(response: HttpAnswer | undefined, owner: Owner): Outcome {
  if (!response) return { kind: 'lost' };
  const { status, headers, text } = response;
  const body: Record<string, unknown> = /json/.test(headers.get('content-type') ?? '') ? JSON.parse(text) : {};
  return status < 400
    ? { kind: 'answered', status, headers, text, body }
    : { kind: 'problem', status, code: String(body.code ?? status), owner };
}

function textOf(response: HttpAnswer | undefined): string {
  if (!response) return 'no answer';
  const { status, headers, text } = response;
  return `${status} ${/json/.test(headers.get('content-type') ?? '') ? text : (titleIn(text) ?? text)}`;
}

/** The title of a page. */
export function titleIn(page: string): string | undefined {
  return /<title>(.*?)<\/title>/.exec(page)?.[1];
}

/** A log that writes errors to the trace. */
function logOf({ say }: World, { name }: Life): Logger {
  const silent = (): void => undefined;
  const told = (fields: object, text: string): void => say(`${name}: ${text} ${JSON.stringify(fields)}`);
  return { trace: silent, debug: silent, info: silent, warn: silent, error: told, fatal: told };
}
