import type { GatewayVariant } from '../../gateway-variant.ts';

/** Moments and local dates of the gateway's records: what it writes, and as what a relay must read that. */
export type LocalDates = {
  /** The date of a moment, `YYYYMMDDHHMMSS`. */
  write(moment: number): string;
  /** The moment that a relay reads of that: of two the later one. */
  read(moment: number): number;
};

const HOUR_MS = 3_600_000;

/** The month whose last Sunday changes the clocks in Paris, at one o'clock UTC. */
const CHANGES = { spring: 2, autumn: 9 } as const;

const plain: LocalDates = { write: digitsOf, read: (moment) => moment };

/**
 * The dates of a gateway in Paris, one hour ahead of UTC in winter and two in summer; of any other one in UTC. In autumn an hour's
 * local times occur twice. In spring an hour's never occur: a gateway that sets its clocks forward late writes them all the same.
 */
export function localDates({ zone }: GatewayVariant): LocalDates {
  if (!zone) return plain;
  const isSummer = (moment: number): boolean => {
    const year = new Date(moment).getUTCFullYear();
    const begins = changeOf('spring', year) + (zone.isLate ? HOUR_MS : 0);
    return moment >= begins && moment < changeOf('autumn', year);
  };
  const isTwice = (moment: number): boolean => isSummer(moment) && !isSummer(moment + HOUR_MS);
  return {
    write: (moment) => digitsOf(moment + (isSummer(moment) ? 2 : 1) * HOUR_MS),
    read: (moment) => (isTwice(moment) ? moment + HOUR_MS : moment),
  };
}

/** When a history begins. */
export function startOf({ zone }: GatewayVariant): number {
  if (!zone) return Date.parse('2026-03-01T12:00:00.000Z');
  return changeOf(zone.change, 2026) - zone.minutesBefore * 60_000;
}

function changeOf(season: 'spring' | 'autumn', year: number): number {
  const last = new Date(Date.UTC(year, CHANGES[season], 31, 1));
  return last.setUTCDate(31 - last.getUTCDay());
}

function digitsOf(moment: number): string {
  return new Date(moment).toISOString().replace(/\D/g, '').slice(0, 14);
}
