import type { Request, Response } from 'express';
import type { MannerName } from '../faults/issuer-manners.ts';

/** What the bank's way in does about a visit. */
type Entrance =
  | { does: 'lead'; to: string; cookie?: string }
  | { does: 'fail'; status: number }
  | { does: 'reset' }
  /** Whoever waits gives up, or is gone with the gateway. */
  | { does: 'nothing' };

/**
 * Answers a visit of the bank's way in by its manner: leads to the page where the shopper decides, or to the bank's app, or not
 * yet. `visit` counts from one.
 */
export function enter(manner: MannerName, token: string, visit: number, request: Request, response: Response): void {
  const entrance = entranceOf(manner, token, visit, request);
  switch (entrance.does) {
    case 'lead':
      if (entrance.cookie) response.cookie('sandbank', entrance.cookie, { httpOnly: true, path: '/issuer' });
      response.redirect(302, entrance.to);
      break;
    case 'fail':
      response.status(entrance.status).type('text/plain').send('Not now.');
      break;
    case 'reset':
      request.socket.resetAndDestroy();
      break;
    case 'nothing':
      break;
  }
}

function entranceOf(manner: MannerName, token: string, visit: number, request: Request): Entrance {
  const lead: Entrance = { does: 'lead', to: `/issuer/${token}` };
  const failFirst = (status: number, times = 1): Entrance => (visit <= times ? { does: 'fail', status } : lead);
  switch (manner) {
    case 'plain':
    case 'once':
      return lead;
    case 'browsers_only':
      return request.get('user-agent') ? lead : { does: 'fail', status: 403 };
    case 'cookie': {
      const { cookie = '' } = request.headers;
      if (cookie.split('; ').includes(`sandbank=${token}`)) return lead;
      if (request.query.again !== undefined) return { does: 'fail', status: 403 };
      return { does: 'lead', to: `/issuer/start/${token}?again=1`, cookie: token };
    }
    case 'app':
      return { does: 'lead', to: `sandbank://pay/${token}` };
    case 'busy':
      return failFirst(503);
    case 'down':
      return failFirst(503, 2);
    case 'reset':
      return visit > 1 ? lead : { does: 'reset' };
    case 'silent':
      return visit > 1 ? lead : { does: 'nothing' };
    case 'first_401':
      return failFirst(401);
    case 'first_403':
      return failFirst(403);
    case 'first_404':
      return failFirst(404);
    case 'first_429':
      return failFirst(429);
    case 'first_500':
      return failFirst(500);
  }
}
