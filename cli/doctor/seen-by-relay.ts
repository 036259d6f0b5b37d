import type { Profile } from '../../relay/gateway/profile.ts';
import { type Finding, skipped } from '../base/finding.ts';
import type { Io } from '../base/io.ts';
import { foreignFinding } from './diagnose-records.ts';
import { offsetFinding } from './time-zone.ts';

/** What the counters of the relay tell of the gateway's records. */
export async function seenByRelay(io: Io, relayUrl: string | undefined, profile: Profile): Promise<Finding[]> {
  if (relayUrl === undefined) {
    const next = 'Give --url: its metrics tell of wrong dates, and of records that no query named.';
    return [skipped('records that the relay saw', 'no relay is named', next)];
  }
  const metrics = await metricsOf(io, relayUrl);
  return [
    offsetFinding(counterIn(metrics, 'turnpike_record_clock_offset'), profile.gateway_time_zone),
    foreignFinding(counterIn(metrics, 'turnpike_foreign_records_total')),
  ];
}

/** The relay's metrics; empty where it gives none. */
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

/** A counter in a page of metrics; undefined where it has none of that name. */
export function counterIn(metrics: string, name: string): number | undefined {
  const value = new RegExp(`^${name}(?:\\{[^}]*\\})? (\\d+)`, 'm').exec(metrics)?.[1];
  return value === undefined ? undefined : Number(value);
}
