import type { ErrorRequestHandler, RequestHandler } from 'express';
import { maskText } from './messages/mask-text.ts';

/** §4: every operation is an HTTP POST. */
export const postOnly: RequestHandler = (_request, response) => {
  response.status(405).set('Allow', 'POST').type('text/plain').send('Every operation is an HTTP POST.');
};

/** What went wrong on the way to a page, without a stack trace: the sender's mistake, or ours, which the terminal tells. */
export const plainTrouble: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  if (response.headersSent) return next(error);
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  const theirs = typeof status === 'number' && status >= 400 && status < 500;
  if (!theirs) console.error(maskText(error instanceof Error ? (error.stack ?? error.name) : String(error)));
  const text = theirs ? 'This request cannot be read.' : 'The sandbox gateway failed; its terminal says why.';
  response
    .status(theirs ? status : 500)
    .type('text/plain')
    .send(text);
};
