import express, { type ErrorRequestHandler, type RequestHandler, type Response, Router } from 'express';
import { z } from 'zod';
import { operationNames } from '../../../shared/gateway/operations.ts';
import { MAX_MOVE_MS } from '../base/clock.ts';
import type { Contract } from '../books/contract.ts';
import type { Payment } from '../books/payments.ts';
import { AddressUnreadable } from '../books/registered-addresses.ts';
import { type AnswerStyle, answerStyle } from '../faults/answer-style.ts';
import { canApplyTo, faultNames } from '../faults/faults.ts';
import { issuerBehaviourNames } from '../faults/issuer-behaviours.ts';
import { reasonsOf } from '../messages/mask.ts';
import { notificationShapes } from '../notifications/notices.ts';
import type { Parts } from '../operations/handler.ts';
import { viewOf } from './admin-books.ts';
import { act, isPaymentAction, paymentActionNames } from './payment-actions.ts';

const clockMove = z.union([
  z.strictObject({ advance_ms: z.int().min(0).max(MAX_MOVE_MS) }),
  z.strictObject({ now: z.iso.datetime({ offset: true }) }),
]);
const addresses = z.strictObject({ addresses: z.array(z.string().max(50)).max(1000) });

/** The requested action is not possible, or no longer possible. */
export class NotNow extends Error {
  readonly code = 'not_now';
  override readonly name = 'NotNow';
}

/**
 * Actions outside the specification for tests and people, as JSON: move the clock, register addresses, arm faults,
 * choose the form of notifications, the issuer's behaviour and the style of answers, read the records, cancel, charge
 * or decline a running period, and change a payment as its bank, its card holder, a reviewer or the merchant in the
 * portal would.
 */
export function adminApi(gateway: Parts): Router {
  const { books, clock, registeredAddresses, armed, notifier, issuers, styles } = gateway;
  const router = Router();
  const json = express.json({ limit: '100kb' });
  /** A setting that is shown, and changed by a body of this schema. `mistake` is the message for any other body. */
  const setting = <Value>(
    method: 'put' | 'post',
    path: string,
    schema: z.ZodType<Value>,
    take: (value: Value) => void,
    shown: () => object,
    mistake?: string,
  ) => {
    router.get(path, (_request, response) => void response.json(shown()));
    router[method](path, json, (request, response) => {
      const parsed = schema.safeParse(request.body);
      if (!parsed.success) return refuse(response, 400, mistake ?? reasonsOf(parsed.error));
      try {
        take(parsed.data);
      } catch (error) {
        if (!(error instanceof NotNow || error instanceof AddressUnreadable)) throw error;
        return refuse(response, 400, error.message);
      }
      response.json(shown());
    });
  };

  const moveClock = (move: z.output<typeof clockMove>): void => {
    const ms = 'now' in move ? new Date(move.now).getTime() - clock.now().getTime() : move.advance_ms;
    if (ms < 0 || ms > MAX_MOVE_MS) throw new NotNow('the clock goes forward only, by ten years at most');
    clock.advance(ms);
  };
  const now = () => ({ now: clock.now().toISOString() });
  setting('post', '/admin/clock', clockMove, moveClock, now, 'give advance_ms, or now as an ISO 8601 time');
  const register = (given: z.output<typeof addresses>) => registeredAddresses.replace(given.addresses);
  const registered = () => ({ addresses: registeredAddresses.list() });
  setting('put', '/admin/addresses', addresses, register, registered, 'give addresses, a list of texts');
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
  const setBehaviour = ({ manner }: z.output<typeof choosing>): void => {
    issuers.chosen = manner;
  };
  setting('put', '/admin/issuer', choosing, setBehaviour, () => ({ manner: issuers.chosen }));
  const setStyle = (style: AnswerStyle): void => {
    styles.current = style;
  };
  setting('put', '/admin/answers', answerStyle, setStyle, () => styles.current);

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
  period('decline', (contract) => books.contracts.chargePeriod(contract, true));

  /** Acts on the first of these payments for which the action is possible. */
  const actOn = (action: string, payments: readonly Payment[], response: Response): void => {
    if (!isPaymentAction(action)) {
      refuse(response, 404, `no such action; there are ${paymentActionNames.join(', ')}`);
      return;
    }
    let refusal: string | undefined;
    for (const payment of payments) {
      refusal = act(action, payment, gateway);
      if (refusal === undefined) {
        response.json({ transaction_id: payment.transaction_id, payment_status: books.statusOf(payment) });
        return;
      }
    }
    if (refusal === undefined) refuse(response, 404, 'no such payment');
    else refuse(response, 409, refusal);
  };
  router.post('/admin/payments/:transaction_id/:action', ({ params: { transaction_id, action } }, response) => {
    const payment = books.payments.withTransaction(transaction_id);
    actOn(action, payment ? [payment] : [], response);
  });
  router.post('/admin/orders/:order_no/:action', ({ params: { order_no, action } }, response) => {
    const payments = books.payments.list().filter(({ order }) => order.order_no === order_no);
    actOn(action, payments.toReversed(), response);
  });

  return router;
}

function refuse(response: Response, status: 400 | 404 | 409, error: string): void {
  response.status(status).json({ error });
}

/** Another site in the same browser must not change anything here. Other programs send no such header. */
export const ownPagesOnly: RequestHandler = (request, response, next) => {
  const site = request.get('sec-fetch-site') ?? 'none';
  if (request.method === 'GET' || site === 'none' || site === 'same-origin') next();
  else response.status(403).json({ error: 'this comes from another site' });
};

/** A body that Express could not read is the sender's mistake. */
export const unreadable: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  const readable = !(error instanceof Error && 'type' in error && typeof error.type === 'string');
  if (readable) next(error);
  else response.status(400).json({ error: 'the body cannot be read' });
};

/** A request that arms a fault: its name, the operation (default: all), and the number of messages (default: one). */
export const arming = z
  .strictObject({
    operation: z.enum([...operationNames, '*']).default('*'),
    fault: z.enum(faultNames),
    times: z.int().min(1).max(1000).default(1),
  })
  .refine(({ operation, fault }) => operation === '*' || canApplyTo(fault, operation), {
    path: ['operation'],
    error: 'This fault never strikes this operation',
  });

/** The shape of notifications to come. */
export const shaping = z.strictObject({ shape: z.enum([...notificationShapes, 'rotate']) });

/** The issuer's behaviour for future payments. */
export const choosing = z.strictObject({ manner: z.enum(issuerBehaviourNames) });
