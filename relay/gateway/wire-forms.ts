import { formatDate, parseDate } from '../../shared/gateway/dates.ts';
import type { OperationName } from '../../shared/gateway/operations.ts';
import type { Message } from '../../shared/gateway/signature.ts';
import type { Profile } from './profile.ts';
import { isTimeZone, localTime, offsetMinutes } from './time-zone.ts';

/**
 * Writes a message in the forms of the profile, before it is signed. It is given with `checkout_time` in Unix seconds, `expiration_year` of
 * four digits, `birth_date` as DD-MM-YYYY, `time_zone` as IANA name, `service` by that name, and a query's dates in the gateway's local
 * time or as RFC 3339 instants. Other fields stay unchanged.
 * @param now the moment of payment, which decides the offset of a time zone
 */
export function wireForms(name: OperationName, message: Message, profile: Profile, now: Date): Message {
  switch (name) {
    case 'direct_payment':
    case 'apm_payment':
      return paymentForms(message, profile, now);
    case 'query':
      return mapped(message, {
        query_start: (value) => gatewayTime(value, profile),
        query_end: (value) => gatewayTime(value, profile),
      });
    default:
      return message;
  }
}

function paymentForms(message: Message, profile: Profile, now: Date): Message {
  const birth_date = (value: unknown): unknown => birthDate(value, profile);
  const written = mapped(message, {
    time_zone: (value) => timeZone(value, profile, now),
    checkout_time: (value) => (profile.checkout_time === 'milliseconds' ? Number(value) * 1000 : value),
    expiration_year: (value) => (profile.expiration_year === 'YY' ? String(value).slice(-2) : value),
    birth_date,
    person: (value) => (isMessage(value) ? mapped(value, { birth_date }) : value),
  });
  if (written.service === undefined) return written;
  const { service, ...fields } = written;
  return { ...fields, [profile.service_field]: service };
}

/** An unknown time zone is sent as the browser named it. */
function timeZone(value: unknown, profile: Profile, now: Date): unknown {
  if (profile.time_zone === 'iana' || typeof value !== 'string' || !isTimeZone(value)) return value;
  return String(offsetMinutes(now, value));
}

function birthDate(value: unknown, profile: Profile): unknown {
  const [, day, month, year] = /^(\d\d)-(\d\d)-(\d{4})$/.exec(String(value)) ?? [];
  if (day === undefined || month === undefined || year === undefined) return value;
  return profile.birth_date.replace('DD', day).replace('MM', month).replace('YYYY', year);
}

const QUERY_TIME = 'YYYY-MM-DD HH:MM:SS';

function gatewayTime(value: unknown, profile: Profile): unknown {
  if (typeof value !== 'string' || parseDate(QUERY_TIME, value)) return value;
  const moment = new Date(value);
  return Number.isNaN(moment.getTime()) ? value : formatDate(QUERY_TIME, localTime(moment, profile.gateway_time_zone));
}

/** A copy in which the named fields, if present, have another form. */
function mapped(message: Message, forms: Readonly<Record<string, (value: unknown) => unknown>>): Message {
  const copy: Record<string, unknown> = { ...message };
  for (const [name, form] of Object.entries(forms)) {
    if (copy[name] !== undefined) copy[name] = form(copy[name]);
  }
  return copy;
}

function isMessage(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The index of an entry that cannot be read back from a list that is written as one text (§4.6), because it contains the separator, alone
 * or together with its neighbour. -1 if there is none.
 */
export function unlistable(entries: readonly string[], separator: string): number {
  const read = entries.join(separator).split(separator);
  return entries.findIndex((entry, at) => entry.includes(separator) || read[at] !== entry);
}
