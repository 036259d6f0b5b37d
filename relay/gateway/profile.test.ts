import { describe, expect, it } from 'vitest';
import { operationNames, operations } from '../../shared/gateway/operations.ts';
import { profile } from './profile.ts';

/** The problems of a profile, each as `path: message`. */
function problemsOf(settings: object): string[] {
  const parsed = profile.safeParse(settings);
  return parsed.success ? [] : parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
}

const concat = {
  scheme: 'concat',
  algorithm: 'sha256',
  fields: { direct_payment: ['order_no', 'amount'] },
  answer_fields: { direct_payment: ['order_no', 'order_status'] },
  secret: 'append',
};

describe('a profile', () => {
  it('has a value for everything', () => {
    expect(profile.parse({})).toMatchObject({
      signing: { scheme: 'canonical' },
      service_field: 'service',
      list_separator: ',',
      json_content_type: 'application/json',
      query_requires: [['orders'], ['trades'], ['query_start', 'query_end']],
      time_zone: 'iana',
      gateway_time_zone: 'UTC',
      checkout_time: 'seconds',
      expiration_year: 'YYYY',
      birth_date: 'DD-MM-YYYY',
      not_taken_statuses: [400, 401, 403, 404, 429],
      return_ms: {},
      notification_ack: 'OK',
    });
  });

  it('verifies each operation’s answers as the table says by default', () => {
    const table = Object.fromEntries(operationNames.map((name) => [name, operations[name].verify]));
    expect(profile.parse({}).verify).toEqual(table);
    expect(profile.parse({ verify: { payout: 'required' } }).verify).toEqual({ ...table, payout: 'required' });
  });

  it.each([
    [{ list_separator: '' }, 'list_separator: must not be empty'],
    [{ list_separator: '\u0000' }, 'list_separator: must not contain control characters'],
    [{ json_content_type: 'application/json\r\nx-a: b' }, 'json_content_type: must be a media type on one line'],
    [{ json_content_type: 'json' }, 'json_content_type: must be a media type on one line'],
    [{ gateway_time_zone: 'Mars/Olympus' }, 'gateway_time_zone: must be an IANA time zone'],
    [{ query_requires: [] }, 'query_requires: must have at least one group of filters; [[]] if the gateway needs none'],
    [{ query_requires: [['order']] }, 'query_requires.0.0: '],
    [{ service_field: 'amount' }, 'service_field: is the name of another field of a payment'],
    [{ service_field: '' }, 'service_field: must not be empty'],
    [{ notification_ack: 'x'.repeat(1001) }, 'notification_ack: '],
    [{ not_taken_statuses: [200] }, 'not_taken_statuses.0: must be a status from 400 to 499'],
    [{ not_taken_statuses: [400, 408] }, 'not_taken_statuses.1: may come where the message was taken'],
    [{ not_taken_statuses: [409] }, 'not_taken_statuses.0: may come where the message was taken'],
    [{ not_taken_statuses: [499] }, 'not_taken_statuses.0: may come where the message was taken'],
    [{ not_taken_statuses: [500] }, 'not_taken_statuses.0: must be a status from 400 to 499'],
    [{ return_ms: { PIX: 600_001 } }, 'return_ms.PIX: must be ten minutes (600000) at the most'],
    [{ time_zone: 'minutes' }, 'time_zone: '],
    [{ birth_date: 'DDMMYYYY' }, 'birth_date: '],
    [{ verify: { refund: 'sometimes' } }, 'verify.refund: '],
    [
      { codes: { order_status: { approved: ['1'], declined: ['0', '1'] } } },
      'codes.order_status.declined: "1" is listed as approved too',
    ],
    [
      { codes: { payment_status: { approved: ['3'], declined: [], pending: ['3'] } } },
      'codes.payment_status.pending: "3" is listed as approved too',
    ],
    [{ codes: { payout_status: { completed: ['C'], failed: ['C'] } } }, 'codes.payout_status.failed: '],
    [{ codes: { recurring_status: { active: ['1'], inactive: ['1'] } } }, 'codes.recurring_status.inactive: '],
    [{ codes: { order_status: { approved: [''], declined: [] } } }, 'codes.order_status.approved.0: must not be empty'],
    [{ signing: { scheme: 'module', path: '' } }, 'signing.path: must not be empty'],
    [{ signing: { scheme: 'rot13' } }, 'signing.scheme: '],
  ])('refuses %j', (settings, problem) => {
    expect(problemsOf(settings)).toEqual([expect.stringContaining(problem)]);
  });

  it('accepts a query without filter, and a code listed twice alike', () => {
    const order_status = { approved: ['1', '1'], declined: [] };
    expect(problemsOf({ query_requires: [[]], codes: { order_status } })).toEqual([]);
  });
});

describe('concat signing', () => {
  it('takes a scheme whose parts agree', () => {
    expect(problemsOf({ signing: concat })).toEqual([]);
    expect(problemsOf({ signing: { ...concat, algorithm: 'hmac-sha256', secret: 'key' } })).toEqual([]);
  });

  it.each([
    [{ algorithm: 'hmac-sha256' }, 'signing.secret: must be "key" with hmac-sha256'],
    [{ secret: 'key' }, 'signing.secret: needs an hmac-… algorithm, not sha256'],
    [{ algorithm: 'crc32' }, 'signing.algorithm: '],
    [{ fields: { direct_payment: [] } }, 'signing.fields.direct_payment: must name at least one field'],
    [{ fields: { direct_pay: ['order_no'] } }, 'signing.fields'],
    [{ fields: { direct_payment: ['encryption_data'] } }, 'signing.fields.direct_payment.0: is the signature itself'],
    [
      { fields: { direct_payment: ['order_no', 'ammount'] } },
      'signing.fields.direct_payment.1: "ammount" is not a field of the direct_payment request',
    ],
    [
      { fields: { direct_payment: ['constructor'] } },
      'signing.fields.direct_payment.0: "constructor" is not a field of the direct_payment request',
    ],
    [
      { answer_fields: {} },
      'signing.answer_fields.direct_payment: must be given, because verify.direct_payment is required',
    ],
  ])('refuses %j', (change, problem) => {
    expect(problemsOf({ signing: { ...concat, ...change } })).toEqual([expect.stringContaining(problem)]);
  });

  it('knows "the service" by the name that it has on the wire', () => {
    const signing = { ...concat, fields: { direct_payment: ['product'] } };
    expect(problemsOf({ signing, service_field: 'product' })).toEqual([]);
    const old = { ...concat, fields: { direct_payment: ['service'] } };
    expect(problemsOf({ signing: old })).toEqual([]);
    expect(problemsOf({ signing: old, service_field: 'product' })).toHaveLength(1);
  });

  it('needs no answer_fields when answers are unsigned or nothing is sent', () => {
    const query = { ...concat, fields: { query: ['orders'] }, answer_fields: {} };
    expect(problemsOf({ signing: query })).toEqual([]);
    expect(problemsOf({ signing: { ...concat, answer_fields: {} }, verify: { direct_payment: 'if_present' } })).toEqual(
      [],
    );
  });
});
