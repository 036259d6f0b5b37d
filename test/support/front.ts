import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingHttpHeaders, request } from 'node:http';
import { createServer } from 'node:net';
import { onTestFinished } from 'vitest';
import { bodyOf, type IncomingMessage, type ServerResponse, serve } from './http-server.ts';
import { type StackOptions, startStack } from './stack.ts';

/** One request as it came over the wire, whole. */
export type Seen = { method: string; address: string; headers: IncomingHttpHeaders; body: string };

/** A proxy before a relay, as most have one: it sees every request, and can be slow or broken. */
export type Front = {
  url: string;
  seen: Seen[];
  /** The same as one text, to look for what must not be in it. */
  wire(): string;
  /** Keeps these requests waiting until what it returns is called. */
  hold(path: RegExp): () => void;
  /** Sends such pages, as text, as far as this part of them, and the rest when what it returns is called. */
  holdRest(path: RegExp, from: string): () => void;
  /** Takes the next such request to the relay, and loses the answer. */
  loseAnswer(path: RegExp): void;
};

/** Starts one before a relay on this port of loopback, for one test. */
export async function startFront(relayPort: number): Promise<Front> {
  const seen: Seen[] = [];
  const held = new Map<RegExp, PromiseWithResolvers<void>>();
  const halved = new Map<RegExp, { from: string; gate: PromiseWithResolvers<void> }>();
  const losing: RegExp[] = [];

  const pass = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const { method = '', url: address = '', headers } = req;
    const body = await bodyOf(req);
    seen.push({ method, address, headers, body });
    const loses = losing.findIndex((path) => path.test(address));
    if (loses >= 0) losing.splice(loses, 1);
    for (const [path, { promise }] of held) if (path.test(address)) await promise;
    const [, halving] = [...halved].find(([path]) => path.test(address)) ?? [];
    const asked = { ...headers, ...(halving && { 'accept-encoding': 'identity' }) };
    const to = { port: relayPort, host: '127.0.0.1', method, path: address, headers: asked };
    const upstream = request(to, async (answer) => {
      if (loses >= 0) {
        await bodyOf(answer);
        return void res.destroy();
      }
      res.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      if (!halving) return void answer.pipe(res);
      const text = await bodyOf(answer);
      const at = text.indexOf(halving.from);
      if (at < 0) return void res.destroy();
      res.write(text.slice(0, at));
      await halving.gate.promise;
      res.end(text.slice(at));
    });
    upstream.on('error', () => res.destroy());
    upstream.end(body);
  };
  const server = await serve((req, res) => void pass(req, res).catch(() => res.destroy()));
  onTestFinished(() => {
    for (const { resolve } of held.values()) resolve();
    for (const { gate } of halved.values()) gate.resolve();
    return server.close();
  });

  return {
    url: server.url,
    seen,
    wire: () => JSON.stringify(seen),
    hold(path) {
      const gate = Promise.withResolvers<void>();
      held.set(path, gate);
      return () => {
        held.delete(path);
        gate.resolve();
      };
    },
    holdRest(path, from) {
      const gate = Promise.withResolvers<void>();
      halved.set(path, { from, gate });
      return () => {
        halved.delete(path);
        gate.resolve();
      };
    },
    loseAnswer: (path) => void losing.push(path),
  };
}

/** Gateway, relay and shop with such a proxy before the relay, whose public address is the proxy's. */
export async function startFrontedStack(options: Omit<StackOptions, 'config'> = {}) {
  const port = await freePort();
  const front = await startFront(port);
  const stack = await startStack({ ...options, config: { public_url: front.url, listen: { port } } });
  return { ...stack, front };
}

/** The same with a shop whose page, on another site than the relay, has the frame of a session in its HTML and no script. */
export async function startStackAndPlainShop() {
  let checkoutUrl = '';
  const page = () =>
    `<!doctype html><title>Shop</title><iframe src="${checkoutUrl}" title="Pay" width="500" height="700">`;
  const createShop = () => ({
    app: (_req: IncomingMessage, res: ServerResponse) =>
      void res.writeHead(200, { 'content-type': 'text/html' }).end(page()),
  });
  const stack = await startFrontedStack({ createShop });
  checkoutUrl = (await stack.relay.session()).checkoutUrl;
  return { ...stack, plainShop: stack.shopUrl.replace('127.0.0.1', 'localhost'), checkoutUrl };
}

/** A port that nobody listens on, from below those that systems give to connections: those come and go at any moment. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 30_000);
    const probe = createServer().listen(port, '127.0.0.1');
    const isFree = await Promise.race([
      once(probe, 'listening').then(() => true),
      once(probe, 'error').then(() => false),
    ]).catch(() => false);
    await new Promise((done) => probe.close(done));
    if (isFree) return port;
  }
}
