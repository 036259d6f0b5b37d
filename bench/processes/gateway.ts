import { createServer } from 'node:http';
import { z } from 'zod';
import { sign } from '../../shared/gateway/signature.ts';
import { benchAccount } from '../harness/settings.ts';
import { answerQuestions, sayListening } from './answer.ts';
import { answerXml } from './answer-xml.ts';

/**
 * A gateway that approves every payment and refund after `delay_ms`, as cheaply as it can: it is neither the relay nor the
 * baseline, and shares the machine with both. It is the shop that takes webhooks too: those at `/webhooks` when it is told
 * to, those at `/webhooks/never` never.
 */
const questions = z.union([
  z.object({ delay_ms: z.number() }),
  z.object({ webhooks: z.enum(['hold', 'release', 'arrivals']) }),
]);

let delayMs = 0;
let payments = 0;

/** Answers to webhooks that wait until they are released; undefined while webhooks are answered at once. */
let held: (() => void)[] | undefined;
let released = 0;
/** When each webhook was answered, in milliseconds since the release. */
let arrivals: number[] = [];

const server = createServer((req, res) => {
  if (req.url === '/webhooks/never') return void req.resume();
  const chunks: Buffer[] = [];
  req.on('data', (chunk: Buffer) => chunks.push(chunk));
  req.on('end', () => {
    if (req.url === '/webhooks') return takeWebhook(() => res.end());
    const { type, body } = answer(req.url ?? '', Buffer.concat(chunks).toString('latin1'));
    const send = (): void => {
      res.writeHead(200, { 'content-type': type, 'content-length': Buffer.byteLength(body) }).end(body);
    };
    if (delayMs === 0) send();
    else setTimeout(send, delayMs);
  });
});

function takeWebhook(end: () => void): void {
  const take = (): void => {
    arrivals.push(performance.now() - released);
    end();
  };
  if (held) held.push(take);
  else take();
}

function answer(path: string, message: string): { type: string; body: string } {
  if (path === '/v1/refund') return { type: 'application/json', body: refundAnswer(message) };
  if (path === '/v1/retrievalRefund') return { type: 'application/json', body: refundSearchAnswer() };
  payments += 1;
  const [order_no, amount, currency] = [
    field(message, 'order_no'),
    field(message, 'amount'),
    field(message, 'currency'),
  ];
  const body = answerXml({ order_no, amount, currency }, `2026${String(payments).padStart(16, '0')}`);
  return { type: 'text/xml; charset=utf-8', body };
}

/** A field of a JSON text, found without reading all of it. */
function field(message: string, name: string): string {
  const start = message.indexOf(`"${name}":"`);
  return start < 0 ? '-' : message.slice(start + name.length + 4, message.indexOf('"', start + name.length + 4));
}

answerQuestions((asked) => {
  const question = questions.parse(asked);
  if ('delay_ms' in question) {
    delayMs = question.delay_ms;
    return 'ok';
  }
  switch (question.webhooks) {
    case 'hold':
      held ??= [];
      return 'ok';
    case 'release': {
      const waiting = held ?? [];
      held = undefined;
      released = performance.now();
      arrivals = [];
      for (const take of waiting) take();
      return 'ok';
    }
    case 'arrivals':
      return arrivals;
  }
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  sayListening(typeof address === 'object' && address ? address.port : 0);
});

const { merchant_id, account_id, signing_secret } = benchAccount;

const asked = z.object({ refund_orders: z.array(z.record(z.string(), z.unknown())) });

/** The gateway's signed answer to refunds that it makes (§2.5). */
function refundAnswer(message: string): string {
  const refund_orders = asked.parse(JSON.parse(message)).refund_orders.map((item) => ({
    ...item,
    refund_reference: '',
    refund_reference_id: `${item.transaction_id}-01`,
    refund_status: '1',
    refund_message: 'V0000:OK',
  }));
  return signed({ refund_orders });
}

/** Its answer to a refund search that finds nothing (§4.2). */
function refundSearchAnswer(): string {
  return signed({ refund_orders: [] });
}

function signed(fields: object): string {
  const message = { merchant_id, account_id, return_status: '1', return_message: 'OK', ...fields };
  return JSON.stringify({ ...message, encryption_data: sign(message, signing_secret) });
}
