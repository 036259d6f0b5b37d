import { createServer } from 'node:http';
import { z } from 'zod';
import { paymentAnswer, queryAnswer, refundAnswer, refundSearchAnswer } from './gateway-answers.ts';
import { answerQuestions, sayListeningAt } from './ipc.ts';

/**
 * A gateway that approves every payment and refund after `delay_ms`. It does as little work as possible, because it shares the
 * machine with what is measured. It is also the shop that receives webhooks: it answers those at `/webhooks`, and never those at
 * `/webhooks/never`.
 */
const questions = z.union([
  z.object({ delay_ms: z.number() }),
  z.object({ webhooks: z.enum(['hold', 'release', 'arrivals']) }),
]);

let delayMs = 0;

/** Answers to webhooks that wait for the release; undefined while webhooks are answered at once. */
let held: (() => void)[] | undefined;
let releasedAt = 0;
/** The time of each answer to a webhook, in milliseconds since the release. */
let arrivals: number[] = [];

const server = createServer((req, res) => {
  if (req.url === '/webhooks/never') return void req.resume();
  const chunks: Buffer[] = [];
  req.on('data', (chunk: Buffer) => chunks.push(chunk));
  req.on('end', () => {
    if (req.url === '/webhooks') return receiveWebhook(() => res.end());
    const { type, body } = answer(req.url ?? '', Buffer.concat(chunks).toString('latin1'));
    const send = (): void => {
      res.writeHead(200, { 'content-type': type, 'content-length': Buffer.byteLength(body) }).end(body);
    };
    if (delayMs === 0) send();
    else setTimeout(send, delayMs);
  });
});

/** Answers a webhook at once, or at the release. */
function receiveWebhook(end: () => void): void {
  const answerWebhook = (): void => {
    arrivals.push(performance.now() - releasedAt);
    end();
  };
  if (held) held.push(answerWebhook);
  else answerWebhook();
}

function answer(path: string, message: string): { type: string; body: string } {
  if (path === '/v1/refund') return { type: 'application/json', body: refundAnswer(message) };
  if (path === '/v1/retrievalRefund') return { type: 'application/json', body: refundSearchAnswer() };
  if (path === '/v1/retrievalTrans') return { type: 'application/json', body: queryAnswer(message) };
  return { type: 'text/xml; charset=utf-8', body: paymentAnswer(message) };
}

answerQuestions((message) => {
  const question = questions.parse(message);
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
      releasedAt = performance.now();
      arrivals = [];
      for (const answerWebhook of waiting) answerWebhook();
      return 'ok';
    }
    case 'arrivals':
      return arrivals;
  }
});
server.listen(0, '127.0.0.1', () => sayListeningAt(server));
