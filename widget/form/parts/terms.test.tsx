// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { periodOf } from '../../../shared/checkout/money/period.ts';
import type { Order } from '../../../shared/checkout/session.ts';
import { renderCheckout } from '../render.tsx';
import { open } from '../testing.tsx';
import { dateOf } from './terms.tsx';

function terms(subscription: Order['subscription'], locale = 'en'): string[] {
  const view = { ...open, subscription };
  document.body.innerHTML = renderCheckout({ view, locales: [locale], allowed_origins: [] }).body;
  return [...document.querySelectorAll('.terms h2, .terms li')].map((line) => line.textContent ?? '');
}

describe('a subscription’s terms', () => {
  it('list all that a shopper agrees to, by time', () => {
    expect(
      terms({
        contract: 'c-1',
        contract_name: 'Tea club',
        contract_amount: '49.90',
        interval: 'month',
        interval_count: '3',
        billing_cycle: 4,
        promotion_cycle: 1,
        contract_start: '2028-07-01',
        contract_end: '2029-06-30',
        price_id: 'p-1',
      }),
    ).toEqual([
      'Subscription: Tea club',
      'You pay R$129.90 today',
      'R$49.90 every 3 months',
      '1 promotional period',
      '4 payments',
      'From July 1, 2028',
      'Until June 30, 2029',
    ]);
  });

  it.each([
    ['day', 'R$129.90 every day'],
    ['Weekly', 'R$129.90 every week'],
    ['m', 'R$129.90 every month'],
    ['annually', 'R$129.90 every year'],
    ['quarterly', 'R$129.90 every 3 months'],
    ['full moon', 'R$129.90 every full moon'],
    [' ', 'R$129.90 for each period'],
    [undefined, 'R$129.90 for each period'],
  ])('of which the interval is %j', (interval, line) => {
    expect(terms({ ...(interval !== undefined && { interval }) })).toContain(line);
  });

  it('say that there is no end only if none is set', () => {
    expect(terms({ interval: 'month' })).toContain('No end date is set');
    expect(terms({ interval: 'month', billing_cycle: 0 })).toContain('No end date is set');
    expect(terms({ interval: 'month', billing_cycle: 12 })).not.toContain('No end date is set');
    expect(terms({ interval: 'month', contract_end: '2029-06-30' })).not.toContain('No end date is set');
  });

  it('are shown in the shopper’s language, with its dates and units', () => {
    const [, ...lines] = terms({ interval: 'week', interval_count: '2', contract_start: '2028-07-01' }, 'pt-BR');
    expect(lines.join()).toMatch(/2 semanas.*1 de julho de 2028/);
  });
});

it.each([
  ['month', '2', { unit: 'month', count: 2 }],
  ['quarter', '2', { unit: 'month', count: 6 }],
  ['month', '', { unit: 'month', count: 1 }],
  ['month', '03', { unit: 'month', count: 3 }],
  ['month', '0', { words: '0 month' }],
  ['month', 'two', { words: 'two month' }],
  ['fortnight', '1', { words: 'fortnight' }],
  ['fortnight', '2', { words: '2 fortnight' }],
] as const)('an interval “%s” with the count “%s” is %j', (interval, count, period) => {
  expect(periodOf(interval, count)).toEqual(period);
});

it.each([
  ['2028-07-01', 'July 1, 2028'],
  ['2028-07-01 23:59:59', 'July 1, 2028'],
  ['20280701', 'July 1, 2028'],
  ['20280701120000', 'July 1, 2028'],
  ['01-07-2028', 'July 1, 2028'],
  ['2028-02-31', '2028-02-31'],
  ['2028-13-01', '2028-13-01'],
  ['next summer', 'next summer'],
])('a date “%s” is shown as “%s”', (text, told) => {
  expect(dateOf('en', text)).toBe(told);
});
