import type { ErrorRequestHandler, RequestHandler } from 'express';

/** Another site open in the same browser must not change anything here. Other programs send no such header. */
export const ownPagesOnly: RequestHandler = (request, response, next) => {
  const site = request.get('sec-fetch-site') ?? 'none';
  if (request.method === 'GET' || site === 'none' || site === 'same-origin') next();
  else response.status(403).json({ error: 'this comes from another site' });
};

/** A body that express could not read is the sender's mistake. */
export const unreadable: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  const readable = !(error instanceof Error && 'type' in error && typeof error.type === 'string');
  if (readable) next(error);
  else response.status(400).json({ error: 'the body cannot be read' });
};
