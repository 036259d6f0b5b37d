import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { type Reception, receive } from './incoming.ts';
import { isPlain } from './json-body.ts';
import { answerError } from './routes.ts';

/** A POST route whose plain requests (see `isPlain`) are answered without Express. `answer` may throw ProblemError. */
export type ShortWay = { path: string; answer: (req: IncomingMessage, res: ServerResponse) => Promise<void> };

/**
 * Answers the plain requests of a route and leaves every other request to `others`, Express. On its way through Express a
 * payment costs a twentieth more (`npm run bench -- relay`); short-way.test.ts holds that both answer alike.
 */
export function shortWayBefore(
  others: RequestListener,
  { path, answer }: ShortWay,
  reception: Reception,
): RequestListener {
  const { log, work } = reception;
  return (req, res) => {
    if (req.url !== path || req.method !== 'POST' || !isPlain(req)) {
      others(req, res);
      return;
    }
    let problem: ReturnType<typeof answerError>;
    receive(
      reception,
      req,
      res,
      () => ({ route: path, problem }),
      (refused) => {
        const answered = refused ? Promise.reject(refused) : answer(req, res);
        const end = answered.catch((error: unknown) => {
          problem = answerError(log, res, path, error);
        });
        work.count({ route: path, response: res }, end);
      },
    );
  };
}
