import express, { type ErrorRequestHandler, type RequestHandler, type Response, Router } from 'express';
import { z } from 'zod';
import { operationNames } from '../../../shared/gateway/operations.ts';
import { MAX_MOVE_MS } from '../base/clock.ts';
import type { Contract } from '../books/contract.ts';
import { chargeBack, paymentStatus } from '../books/payments.ts';
import { AddressUnreadable } from '../books/registered-addresses.ts';
import { canStrike, faultNames } from '../faults/faults.ts';
import { type AnswerStyle, answerStyle, mannerNames } from '../faults/manners.ts';
import { reasonsOf } from '../messages/mask.ts';
import { notificationShapes } from '../notifications/notices.ts';
import type { Parts } from '../operations/handler.ts';
import { viewOf } from './admin-books.ts';

const clockMove = z.union([
  z.strictObject({ advance_ms: z.int().min(0).max(MAX_MOVE_MS) }),
  z.strictObject({ now: z.iso.datetime({ offset: true }) }),
]);
const addresses = z.strictObject({ addresses: z.array(z.string().max(50)).max(1000) });

/**
 * What tests and people may do beside the spec, as JSON: look at the books, move the clock, register addresses, cancel a
 * running period by hand or charge it now, charge a payment back.
 */
export function adminApi({ books, clock, registeredAddresses }: Parts): Router {
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

  const period = (path: string, take: (contract: Contract) => boolean) =>
    router.post(`/admin/contracts/:recurring_id/periods/${path}`, (request, response) => {
      const contract = books.contracts.withId(String(request.params.recurring_id));
      if (!contract) return refuse(response, 404, 'no such contract');
      if (!take(contract)) return refuse(response, 409, 'no period of this contract is open');
      response.json({ recurring_id: contract.recurring_id, period: contract.period });
    });
  period('cancel', (contract) => books.contracts.cancelPeriod(contract));
  period('charge', (contract) => books.contracts.chargePeriod(contract));

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

/** What arms a fault: which one, for messages of which operation (all if left out), and for how many (one if left out). */
export const arming = z
  .strictObject({
    operation: z.enum([...operationNames, '*']).default('*'),
    fault: z.enum(faultNames),
    times: z.int().min(1).max(1000).default(1),
  })
  .refine(({ operation, fault }) => operation === '*' || canStrike(fault, operation), {
    path: ['operation'],
    error: 'This fault never strikes this operation',
  });

/** The shape of notifications to come. */
export const shaping = z.strictObject({ shape: z.enum([...notificationShapes, 'rotate']) });

/** The manner of the issuer for payments to come. */
export const choosing = z.strictObject({ manner: z.enum(mannerNames) });

/** What may be set as JSON, for tests: the faults that are armed, the shape of notifications, the issuer's manner, the style of answers. */
export function settingsApi({ armed, notifier, issuers, styles }: Parts): Router {
  const router = Router();
  const json = express.json({ limit: '10kb' });
  const setting = <Value>(
    method: 'put' | 'post',
    path: string,
    schema: z.ZodType<Value>,
    take: (value: Value) => void,
    shown: () => object,
  ) => {
    router.get(path, (_request, response) => void response.json(shown()));
    router[method](path, json, (request, response) => {
      const parsed = schema.safeParse(request.body);
      if (!parsed.success) return void response.status(400).json({ error: reasonsOf(parsed.error) });
      take(parsed.data);
      response.json(shown());
    });
  };
  const faults = () => ({ faults: armed.list() });
  setting('post', '/admin/faults', arming, (fault) => armed.arm(fault), faults);
  router.delete('/admin/faults', (_request, response) => {
    armed.clear();
    response.json(faults());
  });
  const setShape = ({ shape }: z.output<typeof shaping>): void => {
    notifier.shape = shape;
  };
  setting('put', '/admin/notifications', shaping, setShape, () => ({ shape: notifier.shape }));
  const setManner = ({ manner }: z.output<typeof choosing>): void => {
    issuers.chosen = manner;
  };
  setting('put', '/admin/issuer', choosing, setManner, () => ({ manner: issuers.chosen }));
  const setStyle = (style: AnswerStyle): void => {
    styles.current = style;
  };
  setting('put', '/admin/answers', answerStyle, setStyle, () => styles.current);
  return router;
}
