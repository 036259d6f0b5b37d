import { type Request, type Response, Router, urlencoded } from 'express';
import { z } from 'zod';
import type { IssuerPayment, Payments } from '../books/payments.ts';
import { enter } from './issuer-entrance.ts';
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
