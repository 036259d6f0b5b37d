import type { PayByCard, PayByToken } from '../../../shared/checkout/pay.ts';
import type { FieldError } from '../../../shared/checkout/problem.ts';
import { collectGroups } from '../../../shared/checkout/session.ts';
import { ProblemError } from '../../base/errors.ts';
import type { Session } from '../../payments/session.ts';
import type { PayBody } from '../message.ts';

/** Fields that every payment may carry; all others must have been asked for by the session. */
const always = new Set([
  'revision',
  'device',
  'card',
  'expiration_month',
  'expiration_year',
  'security_code',
  'token_id',
  'installments',
  'installments_id',
  'payment_method',
  'bank_code',
  'person',
  'first_name',
  'last_name',
]);

/**
 * Holds a payment against what the session offers: its methods, saved cards and installments, and the fields that it
 * asks the shopper for. The browser decides nothing else. Throws ProblemError `invalid_request`.
 */
export function checkOffered(session: Session, body: PayBody): void {
  const { terms } = session;
  const errors: FieldError[] = [];
  const apm = terms.methods.find(
    (method) => method.type === 'apm' && 'payment_method' in body && method.payment_method === body.payment_method,
  );
  if ('payment_method' in body) {
    if (!apm) errors.push({ path: 'payment_method', message: 'is not offered by this session' });
    const { bank_code } = body;
    if (bank_code && apm?.type === 'apm' && apm.banks && !apm.banks.some(({ code }) => code === bank_code)) {
      errors.push({ path: 'bank_code', message: 'is not one of the banks that this session offers' });
    }
  } else if (!terms.methods.some((method) => method.type === 'card')) {
    errors.push({ path: 'card' in body ? 'card' : 'token_id', message: 'cards are not offered by this session' });
  }
  if ('token_id' in body && !terms.saved_cards.some((saved) => saved.token_id === body.token_id)) {
    errors.push({ path: 'token_id', message: 'is not one of the session’s saved cards' });
  }
  if (choosesInstallments(body) && !isOffered(session, body)) {
    errors.push({ path: 'installments', message: 'is not one of the session’s installment options' });
  }
  const asked = new Set([
    ...(terms.keeps_cards ? ['token_flag'] : []),
    ...terms.collect.flatMap((group) => collectGroups[group]),
    ...(apm?.type === 'apm' ? (apm.fields ?? []) : []),
  ]);
  for (const [path, value] of Object.entries(body)) {
    if (value !== undefined && !always.has(path) && !asked.has(path)) {
      errors.push({ path, message: 'is not asked for by this session' });
    }
  }
  if (errors.length > 0) throw new ProblemError('invalid_request', 'Correct the fields that are named.', { errors });
}

function choosesInstallments(body: PayBody): body is PayByCard | PayByToken {
  return !('payment_method' in body) && (body.installments !== undefined || body.installments_id !== undefined);
}

function isOffered(session: Session, body: { installments?: string; installments_id?: string }): boolean {
  return session.terms.installment_options.some(
    (option) => option.installments === body.installments && option.installments_id === body.installments_id,
  );
}
