import { subscribe } from 'node:diagnostics_channel';
import { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { payRequest, sessionBody } from '../harness/payment.ts';
import { answerQuestions, sayListening } from '../processes/ipc.ts';
import { type Entry, instrumentRelay, recordInto } from './instrument.ts';

/** A relay that records the functions that are entered from a request to pay until its answer is sent. */
instrumentRelay();
const { startFromSettings } = await import('../processes/start-relay.ts');

const relay = await startFromSettings({ now: () => new Date() });

/** The header of the request to trace. */
const TRACED = 'x-traced';
let traced: { entries: Entry[]; sent: Promise<void> } | undefined;

subscribe('http.server.request.start', (message) => {
  if (typeof message !== 'object' || message === null || !('request' in message) || !('response' in message)) return;
  const { request, response } = message;
  if (!(request instanceof IncomingMessage) || !(response instanceof ServerResponse)) return;
  if (request.headers[TRACED] === undefined) return;
  const entries: Entry[] = [];
  // Work of the relay right after the answer belongs to the payment.
  const sent = new Promise<void>((done) => response.once('close', () => setImmediate(done)));
  traced = { entries, sent };
  recordInto(entries);
});

/** Creates a session and pays it over HTTP, as shops and shoppers do. Throws if the payment is not approved. */
async function pay(number: number, more: Record<string, string> = {}): Promise<void> {
  const made = await fetch(`${relay.url}/v1/sessions`, {
    method: 'POST',
    headers: { authorization: 'Bearer bench', 'content-type': 'application/json' },
    body: JSON.stringify(sessionBody(`T-${process.pid}-${number}`)),
  });
  const { client_secret } = z.object({ client_secret: z.string() }).parse(await made.json());
  const { headers, body } = payRequest(number);
  const paid = await fetch(`${relay.url}/checkout/api/pay`, {
    method: 'POST',
    headers: { ...headers, ...more, authorization: `Bearer ${client_secret}` },
    body,
  });
  z.object({ status: z.literal('approved') }).parse(await paid.json());
}

let payments = 0;

answerQuestions(async (question) => {
  z.literal('trace').parse(question);
  for (let warmUp = 0; warmUp < 3; warmUp++) await pay(payments++);
  await pay(payments++, { [TRACED]: '1' });
  await traced?.sent;
  return traced?.entries;
});
sayListening(Number(new URL(relay.url).port));
