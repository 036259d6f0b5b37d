import express, { type RequestHandler } from 'express';
import { Pool } from 'undici';
import { answerQuestions, sayListening, usage } from './answer.ts';

/**
 * The baseline of the relay's figures: Express 5 takes a request, an undici Pool sends its bytes to the gateway, and the
 * answer's bytes go back. It reads, checks, signs, stores and logs nothing.
 */
const pool = new Pool(process.env.GATEWAY ?? '', { connections: null });

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

answerQuestions(usage);
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  sayListening(typeof address === 'object' && address ? address.port : 0);
});
