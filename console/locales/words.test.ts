import { describe, expect, expectTypeOf, it } from 'vitest';
import type { AttentionKind } from '../../shared/api/attention.ts';
import type { AuditAction } from '../../shared/api/audit.ts';
import type { PaymentStatus } from '../../shared/api/order-payment.ts';
import type { DifferenceClass } from '../../shared/api/reconciliation.ts';
import { isObject } from '../../shared/checkout/is-object.ts';
import type { OperationName } from '../../shared/gateway/operations.ts';
import type { OrderState } from '../parts/state.tsx';
import en from './en.json' with { type: 'json' };
import ptBR from './pt-BR.json' with { type: 'json' };
import { chooseLanguage, counted, fill, type Words } from './words.ts';

/** Every text by its path. */
function textsOf(words: object, path = ''): Map<string, string> {
  return new Map(
    Object.entries(words).flatMap(([key, value]) =>
      isObject(value) ? [...textsOf(value, `${path}${key}.`)] : [[`${path}${key}`, String(value)] as const],
    ),
  );
}

const placeholders = (text: string | undefined) => [...(text ?? '').matchAll(/\{\w+\}/g)].map(String).toSorted();

describe('the words', () => {
  it('have the same keys in every language', () => {
    expectTypeOf(ptBR).toEqualTypeOf<Words>();
    expect([...textsOf(ptBR).keys()].toSorted()).toEqual([...textsOf(en).keys()].toSorted());
  });

  it('cover exactly the names of the relay', () => {
    expectTypeOf<keyof Words['audit']['actions']>().toEqualTypeOf<AuditAction>();
    expectTypeOf<keyof Words['home']['kinds']>().toEqualTypeOf<AttentionKind>();
    expectTypeOf<keyof Words['home']['todo']>().toEqualTypeOf<AttentionKind>();
    expectTypeOf<keyof Words['home']['differences']>().toEqualTypeOf<DifferenceClass | 'order_unknown_here'>();
    expectTypeOf<keyof Words['operations']>().toEqualTypeOf<OperationName>();
    expectTypeOf<keyof Words['order_states']>().toEqualTypeOf<Exclude<OrderState, PaymentStatus>>();
    expectTypeOf<keyof Words['payment_statuses']>().toEqualTypeOf<PaymentStatus>();
  });

  it('have the same placeholders in every language', () => {
    const english = textsOf(en);
    const other = [...textsOf(ptBR)].filter(
      ([path, text]) => String(placeholders(text)) !== String(placeholders(english.get(path))),
    );
    expect(other).toEqual([]);
  });
});

it.each([
  [['pt-PT', 'en'], 'pt-BR', ptBR.title],
  [['fr', 'en-GB'], 'en-GB', en.title],
  [['fr'], 'en', en.title],
])('of %j the page speaks %s', async (wanted, locale, title) => {
  const language = await chooseLanguage(wanted);
  expect([language.locale, language.words.title]).toEqual([locale, title]);
});

describe('a text', () => {
  it('is filled once, by values that look like placeholders too', () => {
    expect(fill('{a} of {b}', { a: '{b}', b: '$&' })).toBe('{b} of $&');
  });

  it.each([
    ['en', en, 1, '1 notification'],
    ['en', en, 1200, '1,200 notifications'],
    ['pt-BR', ptBR, 0, '0 notificações'],
    ['pt-BR', ptBR, 1, '1 notificação'],
    ['pt-BR', ptBR, 2_000_000, '2.000.000 notificações'],
  ])('counts in %s', (locale, words, count, text) => {
    expect(counted(locale, words.payouts.times, count)).toBe(text);
  });
});
