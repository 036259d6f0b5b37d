import { describe, expect, it } from 'vitest';
import { parseDate } from '../../shared/gateway/dates.ts';
import { isTimeZone, latestInstant, localTime, offsetMinutes } from './time-zone.ts';

const winter = new Date('2026-01-15T12:00:00Z');
const summer = new Date('2026-07-15T12:00:00Z');

describe('time zones', () => {
  it('count the minutes behind UTC, as browsers and EMV 3-D Secure do', () => {
    const offsets = ['America/Sao_Paulo', 'UTC', 'Asia/Kolkata', 'Asia/Kathmandu', 'Pacific/Kiritimati'].map((zone) =>
      offsetMinutes(winter, zone),
    );
    expect(offsets).toEqual([180, 0, -330, -345, -840]);
    expect(Object.is(offsetMinutes(winter, 'UTC'), 0)).toBe(true);
  });

  it('follow summer time at the moment that is asked about', () => {
    expect([winter, summer].map((moment) => offsetMinutes(moment, 'Europe/Lisbon'))).toEqual([0, -60]);
    expect([winter, summer].map((moment) => offsetMinutes(moment, 'America/New_York'))).toEqual([300, 240]);
    expect(offsetMinutes(new Date('2026-03-29T00:59:59Z'), 'Europe/Lisbon')).toBe(0);
    expect(offsetMinutes(new Date('2026-03-29T01:00:00Z'), 'Europe/Lisbon')).toBe(-60);
  });

  it('agree with Intl’s own offset at odd milliseconds', () => {
    expect(offsetMinutes(new Date('2026-07-15T12:00:29.999Z'), 'Asia/Kolkata')).toBe(-330);
    expect(offsetMinutes(new Date('2026-07-15T12:00:30.001Z'), 'Asia/Kolkata')).toBe(-330);
  });

  it('tell what a clock there shows, midnight as 0', () => {
    expect(localTime(new Date('2026-11-01T03:00:00Z'), 'America/Sao_Paulo')).toEqual({
      year: 2026,
      month: 11,
      day: 1,
      hour: 0,
      minute: 0,
      second: 0,
    });
    expect(localTime(new Date('2026-12-31T23:59:58.999Z'), 'Asia/Tokyo')).toMatchObject({
      year: 2027,
      hour: 8,
      second: 58,
    });
  });

  it('are known by their IANA names', () => {
    for (const zone of ['UTC', 'America/Sao_Paulo', 'Etc/GMT-8']) expect(isTimeZone(zone), zone).toBe(true);
    for (const zone of ['', '180', 'Mars/Olympus', 'America/São_Paulo']) expect(isTimeZone(zone), zone).toBe(false);
  });
});

/** The moment of a date in the gateway's records. */
function momentOf(transaction_date: string, zone: string): string {
  const date = parseDate('YYYYMMDDHHMMSS', transaction_date);
  if (!date) throw new Error(`${transaction_date} is no date`);
  return new Date(latestInstant(date, zone)).toISOString();
}

describe('the moment of a local time', () => {
  it.each([
    ['Europe/Paris', '20261025025959', '2026-10-25T01:59:59.000Z'],
    ['Europe/Paris', '20261025020000', '2026-10-25T01:00:00.000Z'],
    ['America/Sao_Paulo', '20180217233000', '2018-02-18T02:30:00.000Z'],
    ['America/New_York', '20261101013000', '2026-11-01T06:30:00.000Z'],
    ['Australia/Lord_Howe', '20260405014500', '2026-04-04T15:15:00.000Z'],
  ])('is the later of two if clocks in %s are set back: %s', (zone, date, moment) => {
    expect(momentOf(date, zone)).toBe(moment);
  });

  it.each([
    ['Europe/Paris', '20260329023000', '2026-03-29T01:30:00.000Z'],
    ['America/Sao_Paulo', '20181104003000', '2018-11-04T03:30:00.000Z'],
  ])('lies after the gap if clocks in %s are set forward: %s', (zone, date, moment) => {
    expect(momentOf(date, zone)).toBe(moment);
  });

  it.each([
    ['Europe/Paris', '20261025015959', '2026-10-24T23:59:59.000Z'],
    ['Europe/Paris', '20261025030000', '2026-10-25T02:00:00.000Z'],
    ['Europe/Paris', '20260329015959', '2026-03-29T00:59:59.000Z'],
    ['Europe/Paris', '20260329030000', '2026-03-29T01:00:00.000Z'],
    ['America/Sao_Paulo', '20180217225959', '2018-02-18T00:59:59.000Z'],
    ['America/Sao_Paulo', '20180218000000', '2018-02-18T03:00:00.000Z'],
  ])('is exact in %s beside such a change: %s', (zone, date, moment) => {
    expect(momentOf(date, zone)).toBe(moment);
  });
});
