import type { GatewayVariant } from '../../gateway-variant.ts';

/** Converts moments into the local dates of the gateway's records, and back as a relay must read them. */
export type LocalDates = {
  /** The date of a moment, `YYYYMMDDHHMMSS`. */
  write(moment: number): string;
  /** The moment that a relay reads from a date; the later one of two. */
  read(moment: number): number;
};

const HOUR_MS = 3_600_000;

/** The months on whose last Sunday the clocks in Paris change, at one o'clock UTC. */
const CHANGES = { spring: 2, autumn: 9 } as const;

const plain: LocalDates = { write: digitsOf, read: (moment) => moment };

/**
 * The dates of a gateway in Paris, one hour ahead of UTC in winter and two in summer; of any other gateway in UTC. In
 * autumn the local times of one hour occur twice. In spring those of one hour do not occur, but a gateway that sets its
 * clocks forward late writes them.
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
