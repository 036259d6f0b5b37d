import express, { type Request, type Response, Router } from 'express';
import { z } from 'zod';
import { intervalsAfter } from '../base/clock.ts';
import type { Contract } from '../books/contract.ts';
import { processRefund } from '../books/refunds.ts';
import { AddressUnreadable } from '../books/registered-addresses.ts';
import { answerStyle } from '../faults/answer-style.ts';
import { reasonsOf } from '../messages/mask.ts';
import type { Parts } from '../operations/handler.ts';
import { arming, choosing, NotNow, shaping } from './admin-api.ts';
import { adminPage, type Word } from './admin-page.ts';
import { act, paymentActionNames } from './payment-actions.ts';

/** The messages after an accepted form. */
const done = {
  clock: 'The clock was moved.',
  answers: 'Answers to come are written so.',
  shape: 'Notifications to come have this shape.',
  issuer: 'The issuer behaves so for payments to come.',
  faults: 'The fault is armed.',
  cleared: 'No fault is armed any more.',
  addresses: 'The addresses are registered.',
  decided: 'The payment is decided.',
  processed: 'The refund is processed.',
  period: 'The period will not be charged.',
  charged: 'The period is charged, or its charge declined.',
} as const;
type Done = keyof typeof done;

const move = z.strictObject({ move: z.enum(['minute', 'hour', 'day', 'month']) });
const answers = z.strictObject({
  encoding: z.string(),
  declared: z.string(),
  refuse_with: z.string(),
  payment_codes: z.string().optional(),
  number_codes: z.literal('on').optional(),
  period_records: z.coerce.number(),
});
const addresses = z.strictObject({ addresses: z.string().max(50_000) });
const times = z.strictObject({ operation: z.string(), fault: z.string(), times: z.coerce.number() });
const choice = z.strictObject({ choice: z.enum(paymentActionNames) });

/** The admin page and its forms. An accepted form redirects to the page; a refused one shows the reason. */
export function adminForms(gateway: Parts): Router {
  const router = Router();
  const { books, clock, registeredAddresses, armed, notifier, issuers, styles } = gateway;
  const page = (word?: Word) => adminPage(gateway, word).toString();
  const form = (path: string, take: (request: Request) => Done) => {
    router.post(
      path,
      express.urlencoded({ extended: false, limit: '100kb' }),
      (request: Request, response: Response) => {
        try {
          response.redirect(303, `/admin?done=${take(request)}`);
        } catch (error) {
          const text = reasonOf(error);
          if (text === undefined) throw error;
          response.status(400).send(page({ kind: 'refused', text }));
        }
      },
    );
  };

  router.get('/admin', (request, response) => {
    const key = Object.keys(done).find((name): name is Done => name === request.query.done);
    response.send(page(key && { kind: 'done', text: done[key] }));
  });
  form('/admin/forms/clock', ({ body }) => {
    clock.advance(lengthOf(move.parse(body).move, clock.now()));
    return 'clock';
  });
  form('/admin/forms/answers', ({ body }) => {
    const { number_codes, ...chosen } = answers.parse(body);
    styles.current = answerStyle.parse({ ...chosen, number_codes: number_codes !== undefined });
    return 'answers';
  });
  form('/admin/forms/shape', ({ body }) => {
    notifier.shape = shaping.parse(body).shape;
    return 'shape';
  });
  form('/admin/forms/issuer', ({ body }) => {
    issuers.chosen = choosing.parse(body).manner;
    return 'issuer';
  });
  form('/admin/forms/faults', ({ body }) => {
    armed.arm(arming.parse(times.parse(body)));
    return 'faults';
  });
  form('/admin/forms/faults/clear', () => {
    armed.clear();
    return 'cleared';
  });
  form('/admin/forms/addresses', ({ body }) => {
    registeredAddresses.replace(addresses.parse(body).addresses.split(/\s+/).filter(Boolean));
    return 'addresses';
  });
  form('/admin/forms/payments/:transaction_id', ({ body, params }) => {
    const payment = books.payments.withTransaction(String(params.transaction_id));
    const refusal = payment ? act(choice.parse(body).choice, payment, gateway) : 'There is no such payment.';
    if (refusal !== undefined) throw new NotNow(refusal);
    return 'decided';
  });
  form('/admin/forms/refunds/:reference/process', ({ params }) => {
    const refund = books.refunds.withReference(String(params.reference));
    if (!processRefund(refund, clock.now(), notifier.notify, books.statusOf)) throw new NotNow('No such refund waits.');
    return 'processed';
  });
  const period = (path: string, take: (contract: Contract) => boolean, word: Done) =>
    form(`/admin/forms/contracts/:recurring_id/periods/${path}`, ({ params }) => {
      const contract = books.contracts.withId(String(params.recurring_id));
      if (!contract || !take(contract)) throw new NotNow('No period of this contract is open.');
      return word;
    });
  period('cancel', (contract) => books.contracts.cancelPeriod(contract), 'period');
  period('charge', (contract) => books.contracts.chargePeriod(contract), 'charged');
  period('decline', (contract) => books.contracts.chargePeriod(contract, true), 'charged');
  return router;
}

function lengthOf(unit: 'minute' | 'hour' | 'day' | 'month', now: Date): number {
  switch (unit) {
    case 'minute':
      return 60_000;
    case 'hour':
      return 3_600_000;
    case 'day':
    case 'month':
      return intervalsAfter(now, { unit, count: 1 }, 1).getTime() - now.getTime();
  }
}

function reasonOf(error: unknown): string | undefined {
  if (error instanceof z.ZodError) return reasonsOf(error);
  const isExpected = error instanceof NotNow || error instanceof AddressUnreadable;
  return isExpected ? error.message : undefined;
}
