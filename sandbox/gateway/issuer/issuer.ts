import { type Request, type Response, Router, urlencoded } from 'express';
import { z } from 'zod';
import type { IssuerPayment, Payments } from '../books/payments.ts';
import type { MannerName } from '../faults/issuer-manners.ts';
import { closedPage, decidedPage, issuerPage, unknownPaymentPage } from './issuer-page.ts';

/** The issuer_url of a payment. Like many a bank's it is only the way to the page, which a redirect names. */
export function issuerAddress(publicUrl: string, token: string): string {
  return `${publicUrl}/issuer/start/${token}`;
}

const decision = z.strictObject({ choice: z.enum(['approve', 'refuse']) });

/** The bank's pages: the way in, the page with the two buttons, and the way back to return_url. */
export function issuer(payments: Payments): Router {
  const router = Router();
  const visits = new Map<string, number>();
  const count = (path: string): number => {
    const visit = (visits.get(path) ?? 0) + 1;
    visits.set(path, visit);
    return visit;
  };
  const known = (handle: (payment: IssuerPayment, request: Request, response: Response) => void) => {
    return (request: Request, response: Response) => {
      const payment = payments.atIssuer(String(request.params.token));
      if (payment) handle(payment, request, response);
      else response.status(404).send(unknownPaymentPage().toString());
    };
  };

  router.get(
    '/issuer/start/:token',
    known((payment, request, response) => {
      const { manner, issuer_token } = payment;
      enter(manner, issuer_token, count(request.path), request, response);
    }),
  );
  router.get(
    '/issuer/:token',
    known((payment, request, response) => {
      const isClosed = payment.manner === 'once' && count(request.path) > 1;
      if (isClosed) response.status(410).send(closedPage().toString());
      else response.send(pageOf(payment));
    }),
  );
  router.post(
    '/issuer/:token',
    urlencoded({ extended: false, limit: '1kb' }),
    known((payment, request, response) => {
      const parsed = decision.safeParse(request.body);
      if (!parsed.success) return void response.status(400).send(pageOf(payment));
      payments.decide(payment, parsed.data.choice);
      response.redirect(303, payment.return_url ?? `/issuer/${payment.issuer_token}`);
    }),
  );
  return router;
}

function pageOf(payment: IssuerPayment): string {
  return (payment.state.status === 'undecided' ? issuerPage(payment) : decidedPage(payment)).toString();
}

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
function enter(manner: MannerName, token: string, visit: number, request: Request, response: Response): void {
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
