import { describe, expect, it } from 'vitest';
import { profile } from '../../relay/gateway/profile.ts';
import { counterIn, offsetFinding } from './seen-by-relay.ts';
import { timeZoneFindings } from './time-zone.ts';

const COUNTER = 'turnpike_record_clock_offset';

const paidAt = new Date('2027-01-31T12:00:30Z');

/** What is found of a record with this date, of an order that was paid at noon. */
function found(transaction_date: string, zone = 'UTC') {
  const given = {
    profile: profile.parse({ gateway_time_zone: zone }),
    mayProbe: true,
    isSecretPadded: false,
    newOrderNo: () => 'D',
    now: paidAt,
    known: [{ orderNo: 'A-1', paidAt }],
  };
  return timeZoneFindings([{ order_no: 'A-1', transaction_date }], given)[0];
}

describe('the time zone of a gateway', () => {
  it.each([
    ['20270131120035', 'UTC', 'UTC'],
    ['20270131090035', 'America/Sao_Paulo', 'America/Sao_Paulo'],
    ['20270131173035', 'Asia/Kolkata', 'Asia/Kolkata'],
    // The file's own zone goes before others with the same offset.
    ['20270131090035', 'America/Bahia', 'America/Bahia'],
  ])('is right where %s is noon in %s', (date, zone) => {
    expect(found(date, zone)).toMatchObject({ status: 'ok' });
  });

  it.each([
    ['20270131090035', 'UTC', 'America/Sao_Paulo'],
    ['20270131200035', 'UTC', 'Asia/Shanghai'],
    ['20270201014535', 'UTC', 'Pacific/Chatham'],
    ['20270131120035', 'America/Sao_Paulo', 'UTC'],
  ])('is named where %s is noon, and the file says %s', (date, zone, works) => {
    expect(found(date, zone)).toMatchObject({
      status: 'wrong',
      setting: 'gateway.profile.gateway_time_zone',
      works,
      file: zone,
    });
  });

  it('is not guessed from a date that no zone explains', () => {
    expect(found('20270131122235')).toMatchObject({ status: 'unknown' });
    expect(found('20270301120035')).toMatchObject({ status: 'unknown' });
    expect(found('')).toBeUndefined();
  });

  it('is wrong where the relay counted records with other dates', () => {
    const metrics = '# HELP turnpike_record_clock_offset Records\nturnpike_record_clock_offset 3\n';
    expect(offsetFinding(counterIn(metrics, COUNTER), 'UTC')).toMatchObject({
      status: 'wrong',
      setting: 'gateway.profile.gateway_time_zone',
      file: 'UTC',
    });
    expect(offsetFinding(counterIn(metrics.replace('offset 3', 'offset 0'), COUNTER), 'UTC')).toMatchObject({
      status: 'ok',
    });
    expect(offsetFinding(counterIn('<html>', COUNTER), 'UTC')).toMatchObject({ status: 'unknown' });
  });
});
