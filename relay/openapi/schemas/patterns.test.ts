import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cardNumber } from '../../../shared/checkout/pay.ts';
import { localeTag } from '../../../shared/checkout/session.ts';
import { positiveShopAmount } from '../../../shared/gateway/amount-fields.ts';
import { birthDate, calendarDate, dateOrInstant } from '../../../shared/gateway/dates.ts';
import { shopItem, shopItems } from '../../../shared/gateway/items.ts';
import { payoutBody } from '../../../shared/gateway/payout/payout.ts';
import { openApiDocument } from '../document.ts';
import { isSchema, type JsonSchema, withoutLeftOut } from './json-schema.ts';
import { ITEM_STRING, WITHOUT_ITEM_SEPARATORS, without } from './patterns.ts';
import type { Rules } from './rules.ts';

const rules: Rules = { list_separator: '|', query_requires: [['orders']] };
const all = openApiDocument('https://pay.example', rules).components.schemas;

/** The pattern of a named schema, or of one of its fields. */
function patternOf(name: string, field?: string): RegExp {
  const schema: JsonSchema = all[name] ?? {};
  const inner = field === undefined ? schema : schema.properties?.[field];
  return new RegExp((isSchema(inner) && withoutLeftOut(inner).pattern) || 'there is none', 'u');
}

const calendar = fc.record({
  year: fc.integer({ min: 0, max: 9999 }),
  month: fc.integer({ min: 0, max: 14 }),
  day: fc.integer({ min: 0, max: 33 }),
});
const pad = (value: number, width = 2): string => String(value).padStart(width, '0');
const clock = fc
  .tuple(fc.integer({ min: 0, max: 25 }), fc.integer({ min: 0, max: 61 }), fc.integer({ min: 0, max: 61 }))
  .map((parts) => parts.map((part) => pad(part)).join(':'));

describe('the document’s patterns', () => {
  it('take exactly the real dates', () => {
    fc.assert(
      fc.property(calendar, ({ year, month, day }) => {
        const iso = `${pad(year, 4)}-${pad(month)}-${pad(day)}`;
        const dayFirst = `${pad(day)}-${pad(month)}-${pad(year, 4)}`;
        expect(patternOf('CalendarDate').test(iso), iso).toBe(calendarDate.safeParse(iso).success);
        expect(patternOf('BirthDate').test(dayFirst), dayFirst).toBe(birthDate.safeParse(dayFirst).success);
      }),
      { numRuns: 3000 },
    );
  });

  it('know every leap year', () => {
    for (let year = 0; year < 10_000; year++) {
      const day = `${pad(year, 4)}-02-29`;
      expect(patternOf('CalendarDate').test(day), day).toBe(calendarDate.safeParse(day).success);
    }
  });

  it('take exactly the real times of a query, local ones and moments', () => {
    const zone = fc.constantFrom('', 'Z', '+05:30', '-03:00', '+24:00', 'z');
    fc.assert(
      fc.property(calendar, clock, zone, ({ year, month, day }, time, offset) => {
        const text = `${pad(year, 4)}-${pad(month)}-${pad(day)}${offset === '' ? ' ' : 'T'}${time}${offset}`;
        const isTaken = dateOrInstant('YYYY-MM-DD HH:MM:SS').safeParse(text).success;
        expect(patternOf('Query', 'query_start').test(text), text).toBe(isTaken);
      }),
      { numRuns: 3000 },
    );
  });

  it.each<[string, string, (text: string) => boolean]>([
    ['card numbers', patternOf('CardNumber').source, (text) => cardNumber.safeParse(text).success],
    ['language tags', patternOf('Locale').source, (text) => localeTag.safeParse(text).success],
    [
      'names of items',
      WITHOUT_ITEM_SEPARATORS,
      (name) =>
        !shopItem.safeParse({ name, code: '', price: '1', quantity: 1 }).success ||
        shopItems.safeParse([{ name, code: name, price: '1.50', quantity: 2 }]).success,
    ],
    ['items in one string', ITEM_STRING, (text) => shopItems.safeParse(text).success],
    ['texts without the separator', without('^'), (text) => !text.includes('^')],
    ['amounts', patternOf('PositiveAmount').source, (text) => positiveShopAmount.safeParse(text).success],
    [
      'addresses for notifications',
      patternOf('Payout', 'notify_url').source,
      (text) => payoutBody.shape.notify_url.safeParse(text).success,
    ],
  ])('take no %s that the relay refuses', (_what, pattern, isTaken) => {
    const plain = (text: string): boolean => text.length <= 1000;
    fc.assert(
      fc.property(fc.stringMatching(new RegExp(pattern, 'u')).filter(plain), (text) => {
        expect(isTaken(text), text).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('accept common values', () => {
    expect('4111 1111 1111 1111').toMatch(patternOf('CardNumber'));
    for (const tag of ['pt-BR', 'es-419', 'zh-Hant-TW', 'en']) expect(tag).toMatch(patternOf('Locale'));
    expect('Tea #1, green').toMatch(new RegExp(WITHOUT_ITEM_SEPARATORS));
    expect('Tea#,#T-1#,#9.90#,#2#;#Cup#,#C-1#,#5#,#1').toMatch(new RegExp(ITEM_STRING, 'u'));
    for (const url of ['https://shop.example/a?b=c', 'http://127.0.0.1:8082/payouts', 'https://xn.shop-1.example']) {
      expect(url).toMatch(patternOf('Payout', 'notify_url'));
    }
    for (const amount of ['0.01', '0.5', '1', '129.9', '999999999999999.99']) {
      expect(amount).toMatch(patternOf('PositiveAmount'));
    }
    expect('a.b').toMatch(new RegExp(without('.*')));
    expect('a.*b').not.toMatch(new RegExp(without('.*')));
    expect('https://[x').not.toMatch(patternOf('Payout', 'notify_url'));
  });

  it('use no class that matches more than digits in another dialect', () => {
    expect(JSON.stringify(all)).not.toContain('\\\\d');
  });
});
