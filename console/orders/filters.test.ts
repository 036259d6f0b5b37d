import { describe, expect, it } from 'vitest';
import { withFields } from '../app/route.ts';
import { dayOf, momentOf, narrowingFields } from './chips.tsx';

const filter = (query: string): URLSearchParams => new URLSearchParams(query);

describe('the fields of a filter', () => {
  it('are all fields that narrow the list', () => {
    const whole = filter(
      'email=a&amount=1&currency=BRL&last4=1111&order_no_prefix=A&before=1-2&after=1-2&sort=oldest&unheard=x',
    );
    expect(narrowingFields(whole)).toEqual(['email', 'amount', 'last4', 'order_no_prefix', 'unheard']);
    expect(narrowingFields(filter('currency=BRL'))).toEqual(['currency']);
  });

  it('are set and removed, from the first page', () => {
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
