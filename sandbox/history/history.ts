import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Clock } from '../gateway/base/clock.ts';
import { type Listening, listen } from '../listen.ts';
import type { RelayProcess } from '../relay-process.ts';
import type { ClockMessage } from './clock-message.ts';
import { makeOrders } from './orders.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** How long ago the first order is made. */
export const HISTORY_MS = 30 * 24 * HOUR_MS;

/** What the relay loads before anything else, so that its clock can be behind. */
const laggingClock = join(import.meta.dirname, 'lagging-clock.ts');

/** Whose webhooks the shop of that time wanted no more: of orders so old that the relay has given them up by now. */
const UNWANTED = /"order_no":"DEMO-11(84|92|94)"/;

type Past = {
  /** Starts a relay that sends its webhooks to an address, and preloads a module. */
  start: (webhookUrl: string, preload: string) => Promise<RelayProcess>;
  apiKey: string;
  gatewayUrl: string;
  /** The gateway's, which is HISTORY_MS behind. It is at the present afterwards. */
  clock: Clock;
};

/**
 * Makes a month of orders in the store of a relay that runs for that only, so that a person who opens the console for the first time
 * sees it full. Rejects where the relay does not start, or stops on the way; the clock is at the present in any case.
 */
export async function makeHistory({ start, apiKey, gatewayUrl, clock }: Past): Promise<void> {
  let receiver: Listening | undefined;
  let relay: RelayProcess | undefined;
  const catchUp = (behindMs: number): void => clock.advance(Math.max(0, Date.now() - behindMs - clock.now().getTime()));
  try {
    receiver = await listen(receive, 0, { name: 'receiver of webhooks', variable: '', port: 0 });
    relay = await start(`${receiver.url}/`, laggingClock);
    const { url, tell } = relay;
    await makeOrders({ url, apiKey, gatewayUrl }, async (at, of) => {
      const behindMs = behindAt(at, of);
      catchUp(behindMs);
      const message: ClockMessage = { type: 'clock', behindMs };
      await tell(message);
    });
  } finally {
    catchUp(0);
    await relay?.stop();
    await receiver?.close();
  }
}

/** When an order is made: more of them lately, and now more of them, now fewer. */
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
