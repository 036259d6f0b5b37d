import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { paymentByCard } from '../../shared/api/payment.ts';
import { createSession, updateSession } from '../../shared/checkout/session.ts';
import { cpuMs } from '../../test/support/time/cpu-time.ts';
import { ProblemError } from '../base/errors.ts';
import { parseBody, withoutAbsent } from './parse.ts';

function errorsOf(body: object): ProblemError['errors'] {
  try {
    parseBody(z.strictObject({}), body);
  } catch (error) {
    if (error instanceof ProblemError) return error.errors;
  }
  return [];
}

it('names unknown fields in little time, however long and many', () => {
  const many = Object.fromEntries(Array.from({ length: 30_000 }, (_, at) => [`4539 5787 6362 ${at}`, 1]));
  const took = cpuMs(() => {
    expect(errorsOf(many)).toHaveLength(100);
    expect(errorsOf({ ['\\'.repeat(100_000)]: 1, ['4 '.repeat(400_000)]: 1 })).toMatchObject([
      { path: '\\'.repeat(200) },
      { path: '…' },
    ]);
  });
  expect(took).toBeLessThan(500);
});

describe('an optional field that is empty or null', () => {
  it.each(['', null])('is absent wherever it stands: %j', (nothing) => {
    const order = { order_no: 'A', currency: 'BRL', amount: '1.00' };
    const items = [{ name: 'Tea', code: '', price: '1.00', quantity: 1 }];
    const empty = { note: nothing, birth_date: nothing, billing_country: nothing, shipping: nothing };
    const nested = {
      person: { email: nothing, documents: { file_url: nothing, labels: nothing } },
      cart_items: nothing,
    };
    const body = { order: { ...order, ...empty, ...nested, items }, return_url: nothing, payment_methods: nothing };
    const present = { order: { ...order, items, person: { documents: {} } } };
    expect(withoutAbsent(createSession, body)).toEqual(present);
    expect(createSession.safeParse(withoutAbsent(createSession, body)).success).toBe(true);
  });

  it('is refused where it is required, or not known', () => {
    const body = { order: { order_no: '', currency: null, amount: '', no_such: '' } };
    expect(withoutAbsent(createSession, body)).toEqual(body);
    expect(withoutAbsent(paymentByCard, { card: null, token_id: '' })).toEqual({ card: null, token_id: '' });
  });

  it('is absent in the branch of a union that fits', () => {
    const schema = z.discriminatedUnion('type', [
      z.strictObject({ type: z.literal('a') }),
      z.strictObject({ type: z.literal('b'), note: z.string().min(1).optional() }),
    ]);
    expect(withoutAbsent(z.array(schema), [{ type: 'b', note: '' }, 1])).toEqual([{ type: 'b' }, 1]);
  });

  it('takes a field of an order away', () => {
    const body = { order: { note: null, custom: '' }, installment_options: null };
    expect(withoutAbsent(updateSession, body)).toEqual({ order: { note: null, custom: '' } });
  });

  it('does not change what is neither', () => {
    for (const body of [undefined, null, '', 0, [], 'text', { order: [] }, JSON.parse('{"__proto__":""}')]) {
      expect(withoutAbsent(createSession, body)).toEqual(body);
    }
  });
});
