import { describe, expect, it } from 'vitest';
import { withFields } from '../app/route.ts';
import { dayOf, fieldsBeside, momentOf } from './chips.tsx';
import { fieldOf, withSearch } from './search.tsx';

const filter = (query: string): URLSearchParams => new URLSearchParams(query);

describe('the search', () => {
  it.each([
    ['ada@shop.example', 'email'],
    [' Ada@Shop.example ', 'email'],
    ['@A-1', 'order_no_prefix'],
    ['A@1', 'order_no_prefix'],
    ['A-1001', 'order_no_prefix'],
  ])('looks for %s in %s', (typed, field) => {
    expect(fieldOf(typed, 'order_no_prefix')).toBe(field);
    expect([...withSearch(filter(''), 'order_no_prefix', typed)]).toEqual([[field, typed.trim()]]);
  });

  it('replaces the search of before and keeps the other fields', () => {
    const before = filter('email=ada%40shop.example&status=paid&before=1-2');
    expect(String(withSearch(before, 'transaction_id_prefix', 'T1'))).toBe('status=paid&transaction_id_prefix=T1');
    expect(String(withSearch(before, 'email', ' '))).toBe('status=paid');
  });

  it('looks for the last four digits of a card number', () => {
    const before = filter('order_no_prefix=A&status=paid');
    expect(String(withSearch(before, 'order_no_prefix', '4111 1111 1111 1111'))).toBe('status=paid&last4=1111');
    expect(String(withSearch(before, 'transaction_id_prefix', '378282246310005'))).toBe('status=paid&last4=0005');
  });
});

describe('the fields of a filter', () => {
  it('are all that stand in it beside the search', () => {
    const whole = filter('email=a&amount=1&currency=BRL&last4=1111&order_no_prefix=A&before=1-2&unheard=x');
    expect(fieldsBeside(whole)).toEqual(['email', 'amount', 'last4', 'unheard']);
    expect(fieldsBeside(filter('currency=BRL'))).toEqual(['currency']);
  });

  it('are set and taken away, from the first page', () => {
    const next = withFields(filter('status=paid&before=1-2'), { status: '', session_status: 'pending' });
    expect(String(next)).toBe('session_status=pending');
  });

  it('hold days as moments of the person’s calendar', () => {
    for (const end of ['begins', 'ends'] as const) expect(dayOf(momentOf('2027-03-31', end), end)).toBe('2027-03-31');
    const [from, to] = [momentOf('2027-03-31', 'begins'), momentOf('2027-03-31', 'ends')];
    expect(Date.parse(to) - Date.parse(from)).toBeGreaterThan(22 * 3_600_000);
    const noon = new Date('2027-03-31T12:00:00').toISOString();
    expect([dayOf(noon, 'begins'), dayOf(noon, 'ends')]).toEqual(['2027-03-31', '2027-03-31']);
    expect([momentOf('', 'begins'), dayOf('x', 'ends'), dayOf(null, 'ends')]).toEqual(['', '', '']);
  });
});
