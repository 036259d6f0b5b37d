import { createServer } from 'node:http';
import { answerXml } from '../answer-xml.ts';
import { answerQuestions, sayListening } from './answer.ts';

/**
 * A gateway that approves every payment after DELAY milliseconds, as cheaply as it can: it is neither the relay nor the
 * baseline, and shares the machine with both. It takes webhooks too, and answers those at `/webhooks/never` never.
 */
let delayMs = 0;

const server = createServer((req, res) => {
  if (req.url === '/webhooks/never') return void req.resume();
  const chunks: Buffer[] = [];
  req.on('data', (chunk: Buffer) => chunks.push(chunk));
  req.on('end', () => {
    if (req.url === '/webhooks') return void res.end();
    const body = answer(Buffer.concat(chunks).toString('latin1'));
    const send = (): void => {
      res.writeHead(200, { 'content-type': 'text/xml; charset=utf-8', 'content-length': body.length }).end(body);
    };
    if (delayMs === 0) send();
    else setTimeout(send, delayMs);
  });
});

let payments = 0;

function answer(message: string): string {
  payments += 1;
  const [order_no, amount, currency] = [
    field(message, 'order_no'),
    field(message, 'amount'),
    field(message, 'currency'),
  ];
  return answerXml({ order_no, amount, currency }, `2026${String(payments).padStart(16, '0')}`);
}

/** A field of a JSON text, found without reading all of it. */
function field(message: string, name: string): string {
  const start = message.indexOf(`"${name}":"`);
  return start < 0 ? '-' : message.slice(start + name.length + 4, message.indexOf('"', start + name.length + 4));
}

answerQuestions((question) => {
  delayMs = Number(question);
  return 'ok';
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  sayListening(typeof address === 'object' && address ? address.port : 0);
});
