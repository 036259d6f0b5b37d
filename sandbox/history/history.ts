import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createClient } from '../../client/index.ts';
import { demoMerchant } from '../demo.ts';
import { createGateway } from '../gateway/gateway.ts';
import { type Listening, listen } from '../listen.ts';
import type { RelayProcess } from '../relay-process.ts';
import type { ClockMessage } from './clock-message.ts';
import { makeOrders } from './orders.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** How long ago the first order is made. */
const HISTORY_MS = 30 * 24 * HOUR_MS;

/** The module that the relay loads first, so that its clock can be behind. */
const laggingClock = join(import.meta.dirname, 'lagging-clock.ts');

/** The orders whose webhooks the shop refuses. They are so old that the relay has given up their webhooks by now. */
const UNWANTED = /"order_no":"DEMO-11(84|92|94)"/;

type Past = {
  /** Starts a relay that sends its webhooks to an address, and preloads a module. */
  start: (addresses: { webhookUrl: string; gatewayUrl: string }, preload: string) => Promise<RelayProcess>;
  apiKey: string;
  /** The file with the records of the gateway that takes the payments. */
  booksFile: string;
  /** Called before each order, with its number and the total. */
  progress: (at: number, of: number) => void;
  /** Stops everything. */
  signal: AbortSignal;
};

/**
 * Makes a month of orders in the store of a relay and the records of a gateway that run only for this, so that the
 * console has data when a person first opens it. Returns the relay's address, which is in the records. Rejects if the
 * relay does not start, or stops meanwhile.
 */
export async function makeHistory({ start, apiKey, booksFile, progress, signal }: Past): Promise<{ url: string }> {
  await using started = new AsyncDisposableStack();
  const { app, clock, closeBooks } = createGateway({
    merchants: [demoMerchant],
    publicUrl: () => gateway.url,
    now: () => new Date(Date.now() - HISTORY_MS),
    answers: { payment_codes: 'each_state' },
    booksFile,
  });
  started.defer(closeBooks);
  const catchUp = (behindMs: number): void => clock.advance(Math.max(0, Date.now() - behindMs - clock.now().getTime()));
  const gateway: Listening = await listen(app, 0, { name: 'gateway of the month', variable: '', port: 0 });
  started.defer(() => gateway.close());
  const receiver = await listen(receive, 0, { name: 'receiver of webhooks', variable: '', port: 0 });
  started.defer(() => receiver.close());
  const relay = await start({ webhookUrl: `${receiver.url}/`, gatewayUrl: gateway.url }, laggingClock);
  started.defer(relay.stop);
  const client = createClient({
    url: relay.url,
    apiKey,
    fetch: (input, init) => {
      signal.throwIfAborted();
      return fetch(input, init);
    },
  });
  await makeOrders({ client, relayUrl: relay.url, gatewayUrl: gateway.url }, async (at, of) => {
    signal.throwIfAborted();
    progress(at, of);
    const behindMs = behindAt(at, of);
    catchUp(behindMs);
    const message: ClockMessage = { type: 'clock', behindMs };
    await relay.tell(message);
  });
  catchUp(0);
  return { url: relay.url };
}

/** The time of an order: more of them are recent, and their density varies. */
function behindAt(at: number, of: number): number {
  const ago = HISTORY_MS * (1 - at / of) ** 1.15 + 3 * HOUR_MS * Math.sin(at * 0.4);
  return Math.round(Math.min(Math.max(ago, MINUTE_MS), HISTORY_MS));
}

const receive: RequestListener = (request, response) => {
  text(request).then(
    (body) => response.writeHead(UNWANTED.test(body) ? 410 : 204).end(),
    () => response.destroy(),
  );
};
