import express, { type ErrorRequestHandler, type RequestHandler, type Response, Router } from 'express';
import { z } from 'zod';
import { type Clock, MAX_MOVE_MS } from '../base/clock.ts';
import type { Books } from '../books/books.ts';
import { chargeBack, paymentStatus } from '../books/payments.ts';
import { AddressUnreadable, type RegisteredAddresses } from '../books/registered-addresses.ts';
import { viewOf } from './books-view.ts';

type Surroundings = { books: Books; clock: Clock; registeredAddresses: RegisteredAddresses };

const clockMove = z.union([
  z.strictObject({ advance_ms: z.int().min(0).max(MAX_MOVE_MS) }),
  z.strictObject({ now: z.iso.datetime({ offset: true }) }),
]);
const addresses = z.strictObject({ addresses: z.array(z.string().max(50)).max(1000) });

/**
 * What tests and people may do beside the spec, as JSON: look at the books, move the clock, register addresses, cancel a
 * running period by hand or charge it now, charge a payment back.
 */
export function adminApi({ books, clock, registeredAddresses }: Surroundings): Router {
  const router = Router();
  const json = express.json({ limit: '100kb' });
  const tellClock = (response: Response) => response.json({ now: clock.now().toISOString() });
  const tellAddresses = (response: Response) => response.json({ addresses: registeredAddresses.list() });

  router.get('/admin/clock', (_request, response) => void tellClock(response));
  router.post('/admin/clock', json, (request, response) => {
    const parsed = clockMove.safeParse(request.body);
    if (!parsed.success) return refuse(response, 400, 'give advance_ms, or now as an ISO 8601 time');
    const ms =
      'now' in parsed.data ? new Date(parsed.data.now).getTime() - clock.now().getTime() : parsed.data.advance_ms;
    if (ms < 0 || ms > MAX_MOVE_MS) return refuse(response, 400, 'the clock goes forward only, by ten years at most');
    clock.advance(ms);
    tellClock(response);
  });

  router.get('/admin/addresses', (_request, response) => void tellAddresses(response));
  router.put('/admin/addresses', json, (request, response) => {
    const parsed = addresses.safeParse(request.body);
    if (!parsed.success) return refuse(response, 400, 'give addresses, a list of texts');
    try {
      registeredAddresses.replace(parsed.data.addresses);
    } catch (error) {
      if (!(error instanceof AddressUnreadable)) throw error;
      return refuse(response, 400, error.message);
    }
    tellAddresses(response);
  });

  router.get('/admin/books', (_request, response) => void response.json(viewOf(books)));

  router.post('/admin/contracts/:recurring_id/periods/cancel', (request, response) => {
    const contract = books.contracts.withId(String(request.params.recurring_id));
    if (!contract) return refuse(response, 404, 'no such contract');
    if (!books.contracts.cancelPeriod(contract)) return refuse(response, 409, 'no period of this contract is open');
    response.json({ recurring_id: contract.recurring_id, period: contract.period });
  });

  router.post('/admin/contracts/:recurring_id/periods/charge', (request, response) => {
    const contract = books.contracts.withId(String(request.params.recurring_id));
    if (!contract) return refuse(response, 404, 'no such contract');
    if (!books.contracts.chargePeriod(contract)) return refuse(response, 409, 'no period of this contract is open');
    response.json({ recurring_id: contract.recurring_id, period: contract.period });
  });

  router.post('/admin/payments/:transaction_id/charge_back', (request, response) => {
    const payment = books.payments.withTransaction(String(request.params.transaction_id));
    if (!payment) return refuse(response, 404, 'no such payment');
    if (!chargeBack(payment, books.payments)) return refuse(response, 409, 'this payment is not approved');
    response.json({ transaction_id: payment.transaction_id, payment_status: paymentStatus(payment) });
  });

  return router;
}

function refuse(response: Response, status: 400 | 404 | 409, error: string): void {
  response.status(status).json({ error });
}

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
