import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DateForm, date, dateOrInstant, formatDate, isInstant, parseDate } from './dates.ts';

const forms: DateForm[] = ['YYYY-MM-DD', 'DD-MM-YYYY', 'YYYY-MM-DD HH:MM:SS', 'YYYYMMDDHHMMSS'];

describe('dates', () => {
  it('reads the spec’s forms', () => {
    expect(parseDate('DD-MM-YYYY', '31-12-1990')).toMatchObject({ year: 1990, month: 12, day: 31 });
    expect(parseDate('YYYYMMDDHHMMSS', '20261121093059')).toMatchObject({ hour: 9, minute: 30, second: 59 });
    expect(parseDate('YYYY-MM-DD HH:MM:SS', '2026-11-21 09:30:59')).toMatchObject({ day: 21, second: 59 });
  });

  it('refuses days and times that do not exist', () => {
    for (const bad of ['2026-02-29', '2026-13-01', '2026-00-10', '2026-04-31', '2026-01-00', '1900-02-29']) {
      expect(parseDate('YYYY-MM-DD', bad), bad).toBeUndefined();
    }
    expect(parseDate('YYYY-MM-DD HH:MM:SS', '2026-01-01 24:00:00')).toBeUndefined();
    expect(parseDate('YYYY-MM-DD HH:MM:SS', '2026-01-01 23:60:00')).toBeUndefined();
    expect(parseDate('YYYY-MM-DD', '2024-02-29')).toBeDefined();
  });

  it('refuses any other form', () => {
    expect(date('YYYY-MM-DD HH:MM:SS').safeParse('2026-01-01T10:00:00').success).toBe(false);
    expect(date('DD-MM-YYYY').safeParse('2026-01-01').success).toBe(false);
  });

  it('reads back every date that it wrote, in every form', () => {
    const anyDate = fc.date({ min: new Date('1900-01-01'), max: new Date('2199-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(anyDate, fc.constantFrom(...forms), (moment, form) => {
        const timed = form.includes('HH');
        const value = {
          year: moment.getUTCFullYear(),
          month: moment.getUTCMonth() + 1,
          day: moment.getUTCDate(),
          hour: timed ? moment.getUTCHours() : 0,
          minute: timed ? moment.getUTCMinutes() : 0,
          second: timed ? moment.getUTCSeconds() : 0,
        };
        expect(parseDate(form, formatDate(form, value))).toEqual(value);
      }),
    );
  });

  it('knows moments of RFC 3339, which have an offset', () => {
    for (const good of ['2026-11-01T00:00:00Z', '2026-11-01T23:59:59-03:00', '2024-02-29T10:00:00.123+05:30']) {
      expect(isInstant(good), good).toBe(true);
    }
    const days = ['2026-02-29T00:00:00Z', '2026-13-01T00:00:00Z', '2026-11-01T24:00:00Z', '2026-11-01T10:00:60Z'];
    const forms = ['2026-11-01T10:00:00', '2026-11-01T10:00Z', '2026-11-01 10:00:00Z', '2026-11-01T10:00:00+24:00', ''];
    for (const bad of [...days, ...forms]) expect(isInstant(bad), bad).toBe(false);
  });

  it('accepts the spec’s time format or an instant, and nothing else', () => {
    const schema = dateOrInstant('YYYY-MM-DD HH:MM:SS');
    for (const good of ['2026-11-01 10:00:00', '2026-11-01T10:00:00Z']) {
      expect(schema.safeParse(good).success, good).toBe(true);
    }
    for (const bad of ['2026-02-30 10:00:00', '2026-02-30T10:00:00Z', '2026-11-01', 'x2026-11-01 10:00:00', '']) {
      expect(schema.safeParse(bad).success, bad).toBe(false);
    }
  });
});
