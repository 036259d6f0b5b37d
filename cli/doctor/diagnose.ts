import type { OrderRecord } from '../../shared/gateway/query.ts';
import { type Finding, skipped, wrongSetting } from '../base/finding.ts';
import { diagnoseContentType, diagnoseDates, diagnoseList } from './diagnose-forms.ts';
import { diagnoseSigning, type Given } from './diagnose-signing.ts';
import { createAsk, type Steps } from './reaction.ts';
import { type KnownOrder, timeZoneFindings } from './time-zone.ts';

/** The checks that take messages to the gateway, and what was found. */
export type Diagnosis = {
  /** Paid orders of this account; with the moment of payment where that is known. */
  known: readonly KnownOrder[];
} & Given;

/**
 * Finds which settings of the profile are wrong from what the gateway does with at most ten messages. Pure: each step is a
 * message to send. No message is sent twice, and nothing that is sent changes anything at the gateway.
 */
export function* diagnose(given: Diagnosis): Steps<Finding[]> {
  const ask = createAsk();
  const { findings, signing } = yield* diagnoseSigning(given, ask);
  if (signing === undefined) return [...findings, skipped(FORMS, 'no query was taken'), untold];
  if (!given.mayProbe) return [...findings, skipped(FORMS, 'it is not on loopback', 'Run it with --probe.'), untold];
  const signed = { ...given, signing, known: given.known.map(({ orderNo }) => orderNo) };
  const list = yield* diagnoseList(signed, ask);
  const dates = yield* diagnoseDates(signed, ask);
  const contentType = yield* diagnoseContentType(signed, ask);
  return [
    ...findings,
    ...list.findings,
    ...dates,
    ...contentType,
    ...codeFindings(list.records, given),
    ...zoneFindings(list.records, given),
    untold,
  ];
}

const FORMS = 'lists, dates, content type';

const NO_ORDERS = 'no paid order is known';
const NAME_ORDERS = 'Give --url and a key whose scope is console: the newest two are taken.';

function zoneFindings(records: readonly Partial<OrderRecord>[], given: Diagnosis): Finding[] {
  const findings = timeZoneFindings(records, given);
  if (findings.length > 0) return findings;
  return [skipped('time zone of dates', 'no order is known that the relay itself was paid for', NAME_ORDERS)];
}

/** What a paid order's record says of the code book. */
function codeFindings(records: readonly Partial<OrderRecord>[], { profile }: Diagnosis): Finding[] {
  const check = 'code of a paid order';
  const { approved, declined, pending } = profile.codes.payment_status;
  const unlisted = records.flatMap(({ payment_status: code }) =>
    code === undefined || code === null || [...approved, ...declined, ...pending].includes(code) ? [] : [code],
  );
  if (records.length === 0) return [skipped(check, NO_ORDERS, NAME_ORDERS)];
  if (unlisted.length === 0) return [{ check, status: 'ok', says: 'the payment_status of paid orders is listed' }];
  const setting = 'gateway.profile.codes.payment_status.approved';
  const works = [...new Set([...approved, ...unlisted])];
  return [
    wrongSetting(check, { setting, works, file: approved }, 'Have the gateway’s operator confirm what it means.'),
  ];
}

/** What only payments, refunds and notifications show. */
const untold: Finding = {
  check: 'other settings',
  status: 'skipped',
  says:
    'cannot be told by a query: gateway.headers and of gateway.profile birth_date, expiration_year, checkout_time, time_zone, ' +
    'service_field, notification_ack, not_taken_statuses, and the codes of payments, refunds, captures, cancellations, reviews and payouts',
  next: 'docs/gateway-profile.md has the question and the test payment for each.',
};
