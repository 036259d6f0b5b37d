import { offsetMinutes } from '../../relay/gateway/time-zone.ts';
import { parseDate } from '../../shared/gateway/dates.ts';
import type { OrderRecord } from '../../shared/gateway/query.ts';
import type { Given } from './diagnose-signing.ts';
import { cannotTell, type Finding, ok, wrongSetting } from './finding.ts';

/** A paid order, and the time of its payment. */
export type KnownOrder = { orderNo: string; paidAt?: Date };

const CHECK = 'time zone of dates';
export const ZONE_SETTING = 'gateway.profile.gateway_time_zone';
const MINUTE_MS = 60_000;
/** The offsets of all present time zones are multiples of this number of minutes. */
const STEP_MINUTES = 15;
/** The maximum difference that the clocks of both sides, and the duration of a payment, may cause. */
const TOLERANCE_MINUTES = 5;

/**
 * Compares the dates of paid orders' records with the times at which the relay paid them. Empty if no time is known.
 */
export function timeZoneFindings(
  records: readonly Partial<OrderRecord>[],
  { profile, known }: Given & { known: readonly KnownOrder[] },
): Finding[] {
  const file = profile.gateway_time_zone;
  const shifts = records.flatMap((record) => shiftOf(record, known));
  const [first] = shifts;
  if (first === undefined) return [];
  const { minutes, paidAt } = first;
  const works = minutes === undefined ? undefined : zoneAhead(minutes, paidAt, file);
  if (works === undefined || shifts.some((one) => one.minutes !== minutes)) {
    return [
      cannotTell(CHECK, 'the dates of paid orders are no whole offset from when they were paid', 'Check both clocks.'),
    ];
  }
  if (works === file) return [ok(CHECK, `paid orders are dated in ${file}`)];
  const found = wrongSetting(CHECK, { setting: ZONE_SETTING, works, file });
  const says = `${found.says}: the gateway’s dates are ${offsetText(minutes ?? 0)}`;
  return [{ ...found, says, next: 'Other zones have this offset too: take the one of the gateway’s country.' }];
}

function shiftOf(
  { order_no, transaction_date }: Partial<OrderRecord>,
  known: readonly KnownOrder[],
): { minutes: number | undefined; paidAt: Date }[] {
  const paidAt = known.find(({ orderNo }) => orderNo === order_no)?.paidAt;
  const date = parseDate('YYYYMMDDHHMMSS', transaction_date ?? '');
  if (paidAt === undefined || date === undefined) return [];
  const { year, month, day, hour, minute, second } = date;
  const shown = Date.UTC(year, month - 1, day, hour, minute, second);
  return [{ minutes: wholeOffset((shown - paidAt.getTime()) / MINUTE_MS), paidAt }];
}

/** The offset of a time zone near the difference, if there is one. */
function wholeOffset(minutes: number): number | undefined {
  const whole = Math.round(minutes / STEP_MINUTES) * STEP_MINUTES;
  const isNear = Math.abs(minutes - whole) <= TOLERANCE_MINUTES;
  return isNear && whole >= -12 * 60 && whole <= 14 * 60 ? whole + 0 : undefined;
}

/** The time zones that gateways usually use, before all others. */
const USUAL_ZONES = [
  ...['UTC', 'America/Sao_Paulo', 'America/Mexico_City', 'America/Bogota', 'America/New_York', 'Europe/London'],
  ...['Europe/Berlin', 'Asia/Shanghai', 'Asia/Tokyo', 'Asia/Kolkata', 'America/Los_Angeles', 'Australia/Sydney'],
];

/**
 * A zone that is this many minutes ahead of UTC at a moment: the file's own if it is one. Undefined if there is none.
 */
function zoneAhead(minutes: number, at: Date, file: string): string | undefined {
  // Offsets are minutes ahead of UTC.
  return [file, ...USUAL_ZONES, ...Intl.supportedValuesOf('timeZone')].find(
    (zone) => -offsetMinutes(at, zone) === minutes,
  );
}

function offsetText(minutes: number): string {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `UTC${minutes < 0 ? '−' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`;
}
