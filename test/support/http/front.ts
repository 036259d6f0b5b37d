import { type IncomingHttpHeaders, request } from 'node:http';
import { onTestFinished } from 'vitest';
import { type StackOptions, startStack } from '../relays/stack.ts';
import { freePort } from './free-port.ts';
import { bodyOf, type IncomingMessage, type ServerResponse, serve } from './http-server.ts';

/** One complete request as received. */
export type Seen = { method: string; address: string; headers: IncomingHttpHeaders; body: string };

/** Selects requests: by address, or by the whole request. */
type Match = RegExp | ((request: Seen) => boolean);

/**
 * What happens to a request: it never reaches the relay; it is executed and its answer is lost; or it is executed and
 * the proxy answers with its own page.
 */
type Fault = 'lose_request' | 'lose_answer' | 'bad_gateway';

/** A proxy before a relay, as in most installations: it sees every request, and can be slow or fail. */
type Front = {
  url: string;
  seen: Seen[];
  /** The same as one text, for searches of forbidden values. */
  wire(): string;
  /** Holds these requests until the returned function is called. */
  hold(match: Match): () => void;
  /** Sends these pages, as text, up to this part, and the rest when the returned function is called. */
  holdRest(path: RegExp, from: string): () => void;
  /** Forwards the next such request to the relay and loses the answer. */
  loseAnswer(path: RegExp): void;
  /** Changes the bodies of these answers until the test is over. */
  rewrite(match: Match, change: (body: string) => string): void;
  /** Ends these answers while they are sent, as a restarted proxy does. */
  cut(match: Match): void;
  /** Applies this to these requests until the returned function is called. */
  fail(match: Match, fault: Fault): () => void;
};

/** Starts one before a relay on this loopback port, for one test. */
async function startFront(relayPort: number): Promise<Front> {
  const seen: Seen[] = [];
  const held = new Map<Match, PromiseWithResolvers<void>>();
  const halved = new Map<RegExp, { from: string; gate: PromiseWithResolvers<void> }>();
  const losing: RegExp[] = [];
  const failing: { match: Match; fault: Fault }[] = [];
  const rewritten: { match: Match; change: (body: string) => string }[] = [];
  const underWay = new Map<ServerResponse, Seen>();

  const faultOf = (request: Seen): Fault | undefined => {
    const once = losing.findIndex((path) => matches(path, request));
    if (once >= 0) losing.splice(once, 1);
    return once >= 0 ? 'lose_answer' : failing.find(({ match }) => matches(match, request))?.fault;
  };

  const pass = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const { method = '', url: address = '', headers } = req;
    const body = await bodyOf(req);
    const whole = { method, address, headers, body };
    seen.push(whole);
    underWay.set(res, whole);
    res.once('close', () => underWay.delete(res));
    const fault = faultOf(whole);
    if (fault === 'lose_request') return void res.destroy();
    for (const [match, { promise }] of held) if (matches(match, whole)) await promise;
    const [, halving] = [...halved].find(([path]) => path.test(address)) ?? [];
    const rewriting = rewritten.find(({ match }) => matches(match, whole));
    const asked = { ...headers, ...((halving ?? rewriting) && { 'accept-encoding': 'identity' }) };
    // On a new connection: the relay may be closing a kept-alive one, which would lose the request.
    const to = { port: relayPort, host: '127.0.0.1', method, path: address, headers: asked, agent: false };
    const upstream = request(to, async (answer) => {
      if (fault) {
        await bodyOf(answer);
        if (fault === 'lose_answer') return void res.destroy();
        return void res.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>');
      }
      if (rewriting) {
        const { 'content-length': _, ...kept } = answer.headers;
        return void res.writeHead(answer.statusCode ?? 502, kept).end(rewriting.change(await bodyOf(answer)));
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
    // A stream ends when the browser disconnects.
    res.once('close', () => upstream.destroy());
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
    hold(match) {
      const gate = Promise.withResolvers<void>();
      held.set(match, gate);
      return () => {
        held.delete(match);
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
    rewrite: (match, change) => void rewritten.push({ match, change }),
    cut(match) {
      for (const [res, request] of underWay) if (matches(match, request)) res.destroy();
    },
    fail(match, fault) {
      const entry = { match, fault };
      failing.push(entry);
      return () => void failing.splice(failing.indexOf(entry), 1);
    },
  };
}

function matches(match: Match, request: Seen): boolean {
  return match instanceof RegExp ? match.test(request.address) : match(request);
}

/** Gateway, relay and shop with such a proxy before the relay, whose public address is the proxy's. */
export async function startFrontedStack(options: StackOptions = {}) {
  const port = await freePort();
  const front = await startFront(port);
  const stack = await startStack({
    ...options,
    config: { ...options.config, public_url: front.url, listen: { port } },
  });
  return { ...stack, front };
}

/**
 * The same with a shop whose page, on another site than the relay, contains a session's frame in its HTML and no
 * script.
 */
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
