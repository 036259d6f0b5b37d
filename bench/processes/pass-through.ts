import express, { type RequestHandler } from 'express';
import { Pool } from 'undici';
import { answerQuestions, cpuUsage, sayListeningAt } from './ipc.ts';

/**
 * The baseline of payments and refunds: Express 5 receives a request, an undici Pool sends its body to the gateway, and the answer
 * is passed back. It parses, checks, signs, stores and logs nothing.
 */
const pool = new Pool(process.env.GATEWAY ?? '', { connections: null });

/** A handler that passes requests to this path of the gateway. */
function passTo(path: string): RequestHandler {
  return (req, res, next) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('error', next);
    req.on('end', async () => {
      try {
        const headers = { 'content-type': 'application/json' };
        const answer = await pool.request({ path, method: 'POST', headers, body: Buffer.concat(chunks) });
        const body = Buffer.from(await answer.body.arrayBuffer());
        res.status(answer.statusCode).set('Content-Type', String(answer.headers['content-type'])).send(body);
      } catch (error) {
        next(error);
      }
    });
  };
}

const app = express();
app.disable('x-powered-by');
app.disable('etag');
app.post('/checkout/api/pay', passTo('/v1/authorise'));
app.post('/v1/refund', passTo('/v1/refund'));

answerQuestions(cpuUsage);
const server = app.listen(0, '127.0.0.1', () => sayListeningAt(server));
