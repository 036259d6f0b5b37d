import { describe, expect, it } from 'vitest';
import type { OperationName } from '../../shared/gateway/operations.ts';
import type { Message } from '../../shared/gateway/signature.ts';
import { birthDateForms, profile } from './profile.ts';
import { wireForms } from './wire-forms.ts';

const now = new Date('2026-07-15T12:00:00Z');

const payment = {
  order_no: 'A',
  service: 'S',
  time_zone: 'America/Sao_Paulo',
  checkout_time: 1_790_000_000,
  expiration_year: '2031',
  birth_date: '31-12-1990',
  note: undefined,
};

function written(name: OperationName, message: Message, settings: object = {}): Message {
  return wireForms(name, message, profile.parse(settings), now);
}

describe('the forms on the wire', () => {
  it('are left as they are by default', () => {
    expect(written('direct_payment', payment)).toEqual(payment);
    expect(written('apm_payment', { person: { birth_date: '31-12-1990' } })).toEqual({
      person: { birth_date: '31-12-1990' },
    });
  });

  it.each([
    [{ service_field: 'product' }, 'product', 'S'],
    [{ time_zone: 'offset' }, 'time_zone', '180'],
    [{ checkout_time: 'milliseconds' }, 'checkout_time', 1_790_000_000_000],
    [{ expiration_year: 'YY' }, 'expiration_year', '31'],
    [{ birth_date: 'YYYY/MM/DD' }, 'birth_date', '1990/12/31'],
  ] as const)('follow %j', (settings, field, value) => {
    expect(written('direct_payment', payment, settings)[field]).toBe(value);
    if ('service_field' in settings) expect(written('direct_payment', payment, settings)).not.toHaveProperty('service');
  });

  it('know every form of a birth date, in the person too', () => {
    const forms = birthDateForms.map((birth_date) => {
      const { person } = written('apm_payment', { person: { birth_date: '31-12-1990', email: 'a' } }, { birth_date });
      return person;
    });
    const dates = ['31-12-1990', '1990-12-31', '12-31-1990', '31/12/1990', '12/31/1990', '1990/12/31', '19901231'];
    expect(forms).toEqual(dates.map((birth_date) => ({ birth_date, email: 'a' })));
  });

  it('add no absent field, and keep an invalid date or time zone', () => {
    const settings = {
      time_zone: 'offset',
      checkout_time: 'milliseconds',
      expiration_year: 'YY',
      birth_date: 'YYYYMMDD',
      service_field: 'product',
    };
    expect(written('direct_payment', { order_no: 'A' }, settings)).toEqual({ order_no: 'A' });
    const odd = { time_zone: 'Mars/Olympus', birth_date: '1990' };
    expect(written('direct_payment', odd, settings)).toEqual(odd);
  });

  it('change no other operation', () => {
    const settings = { time_zone: 'offset', birth_date: 'YYYYMMDD', service_field: 'product' };
    expect(written('payout', payment, settings)).toBe(payment);
    expect(written('refund', payment, settings)).toBe(payment);
  });

  it('convert a query’s instants to the gateway’s clock, not its local times', () => {
    const asked = { query_start: '2026-11-01T00:00:00-03:00', query_end: '2026-11-01 10:00:00', orders: 'A' };
    expect(written('query', asked)).toEqual({ ...asked, query_start: '2026-11-01 03:00:00' });
    expect(written('query', asked, { gateway_time_zone: 'Asia/Tokyo' })).toEqual({
      ...asked,
      query_start: '2026-11-01 12:00:00',
    });
  });
});
