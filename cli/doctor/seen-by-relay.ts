import type { Profile } from '../../relay/gateway/profile.ts';
import type { Io } from '../base/io.ts';
import { type Finding, ok, skipped, unknown, wrong } from './finding.ts';
import { ZONE_SETTING } from './time-zone.ts';

const IS_RELAY = 'Check --url: is it the relay?';

/** The findings in the relay's counters about the gateway's records. */
export async function seenByRelay(io: Io, relayUrl: string | undefined, profile: Profile): Promise<Finding[]> {
  if (relayUrl === undefined) {
    const next = 'Give --url: its metrics count wrongly dated records, and records that no query named.';
    return [skipped('records that the relay saw', 'no relay is named', next)];
  }
  const metrics = await metricsOf(io, relayUrl);
  return [
    offsetFinding(counterIn(metrics, 'turnpike_record_clock_offset'), profile.gateway_time_zone),
    foreignFinding(counterIn(metrics, 'turnpike_foreign_records_total')),
  ];
}

/** The relay's metrics; empty if they cannot be read. */
async function metricsOf(io: Io, relayUrl: string): Promise<string> {
  try {
    const response = await io.fetch(new URL('metrics', relayUrl.replace(/\/*$/, '/')).href, {
      signal: AbortSignal.timeout(10_000),
    });
    return response.ok ? await response.text() : '';
  } catch {
    return '';
  }
}

/** A counter in a page of metrics; undefined if the page has none with this name. */
export function counterIn(metrics: string, name: string): number | undefined {
  const value = new RegExp(`^${name}(?:\\{[^}]*\\})? (\\d+)`, 'm').exec(metrics)?.[1];
  return value === undefined ? undefined : Number(value);
}

/** The finding about the time zone, from the relay's counter of wrongly dated records. */
export function offsetFinding(records: number | undefined, file: string): Finding {
  const check = 'dates that the relay saw';
  if (records === undefined) {
    return unknown(check, 'the relay’s metrics have no turnpike_record_clock_offset', IS_RELAY);
  }
  if (records === 0) return ok(check, 'since its start the relay met no record that is dated outside its payment');
  return wrong(
    check,
    `${ZONE_SETTING}: since its start the relay met ${records} ${records === 1 ? 'record' : 'records'} dated outside a payment by more than fifteen minutes (turnpike_record_clock_offset); the file says ${JSON.stringify(file)}`,
    'Compare the transaction_date of a payment with when it was made: the difference is the zone’s offset from UTC. A key with the scope console lets this command do it.',
    { setting: ZONE_SETTING, file },
  );
}

/** The finding from the relay's counter of records of other orders than those in its queries. */
function foreignFinding(records: number | undefined): Finding {
  const check = 'records that the relay saw';
  if (records === undefined) {
    return unknown(check, 'the relay’s metrics have no turnpike_foreign_records_total', IS_RELAY);
  }
  if (records === 0) {
    return ok(check, 'since its start the relay received no record of an order that it did not query');
  }
  return wrong(
    check,
    `since its start the relay received ${records} ${records === 1 ? 'record' : 'records'} of orders that it did not query (turnpike_foreign_records_total): such queries prove no absence`,
    'Compare order numbers in the gateway’s portal with those of the shop: the gateway may cut or change them, or return records of other orders.',
  );
}
