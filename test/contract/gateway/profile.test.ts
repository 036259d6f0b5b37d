import { createHash, createHmac } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { rulesOf } from '../../../relay/config/rules.ts';
import { profile } from '../../../relay/gateway/profile.ts';
import { returnMs } from '../../../relay/payments/schedule.ts';
import {
  acceptedBy,
  acknowledged,
  forgedAs,
  foundAs,
  needsPersonLater,
  outcomeOf,
  paidAs,
  paidByPixAs,
  paidOnWire,
  queriedAs,
  type Routed,
  routed,
  type Settings,
  sendRequest,
  setUp,
  statusOf,
  stoodAs,
} from '../../support/gateways/profile-views.ts';
import { approving } from '../../support/gateways/scripted-gateway.ts';
import { apiKey, card, order } from '../../support/relays/relay.ts';

/** One setting: what happens without it, and what happens in the same situation with it. */
type Case = {
  see: (settings: Settings) => Promise<unknown>;
  /** Settings in both runs. */
  given?: Settings;
  before: unknown;
  change: Settings;
  after: unknown;
};

const unsigned = { verify: { direct_payment: 'off' } };

/** A field of a payment on the wire. */
const payment = (field: string, before: unknown, change: Settings, after: unknown): Case => ({
  see: async (settings) => (await paidOnWire(settings)).message[field],
  given: unsigned,
  before,
  change,
  after,
});

const concat = {
  scheme: 'concat',
  algorithm: 'sha256',
  fields: { direct_payment: ['merchant_id', 'order_no', 'amount'] },
  answer_fields: { direct_payment: ['order_no', 'order_status'] },
  separator: '|',
  secret: 'append',
};

/** `encryption_data` of order P-1 when one part of the scheme above is changed. */
const concatCase = (change: Settings, after: string): Case => ({
  see: async (settings) => (await paidOnWire(settings, { order_no: 'P-1' })).message.encryption_data,
  given: { ...unsigned, signing: concat },
  before: createHash('sha256').update('100001|P-1|129.90|k3y-for-tests').digest('hex'),
  change: { signing: { ...concat, ...change } },
  after,
});

/** Whether the relay accepts a wrongly signed answer. */
const forged = { encryption_data: 'wrong' };
const verifyCase = (name: Routed): Case => ({
  see: (settings) => forgedAs(settings, name, forged).then((status) => (status === 200 ? 'taken' : 'not taken')),
  before: 'not taken',
  change: { verify: { [name]: 'off' } },
  after: 'taken',
});

/** The outcome of an operation's item with a code that the default code book lacks. */
const itemCase = (name: Routed, fields: object, before: string, codes: Settings, after: string): Case => ({
  see: (settings) => outcomeOf(settings, name, fields),
  before: [before],
  change: { codes },
  after: [after],
});

const paymentCase = (fields: Record<string, string>, before: string, codes: Settings, after: string): Case => ({
  see: (settings) => paidAs(settings, fields),
  before,
  change: { codes },
  after,
});

const recordCase = (code: string, before: string, lists: Settings, after: string): Case => ({
  see: (settings) => foundAs(settings, { payment_status: code }),
  before,
  change: { codes: { payment_status: { approved: ['3000'], declined: ['4100'], ...lists } } },
  after,
});

/** The status of an approved payment whose record has this code. */
const standingCase = (code: string, lists: Settings, after: string): Case => ({
  see: (settings) => stoodAs(settings, { payment_status: code }),
  before: ['paid'],
  change: { codes: { payment_status: { approved: ['3000'], declined: ['4100'], ...lists } } },
  after: [after],
});

const folder = mkdtempSync(join(tmpdir(), 'turnpike-'));
function moduleAt(name: string, source: string): Settings {
  writeFileSync(join(folder, name), source);
  return { signing: { scheme: 'module', path: join(folder, name) } };
}

const night = '2026-11-01T00:00:00-03:00';

/** Every setting of the profile, by its path. */
const cases: Record<string, Case> = {
  'signing.scheme': {
    see: async (settings) => (await paidOnWire(settings, { order_no: 'P-1', amount: '1.00' })).message.encryption_data,
    given: unsigned,
    before: expect.stringMatching(/^[0-9a-f]{64}$/),
    change: { signing: { ...concat, algorithm: 'md5' } },
    after: createHash('md5').update('100001|P-1|1.00|k3y-for-tests').digest('hex'),
  },
  'signing.algorithm': concatCase(
    { algorithm: 'sha512' },
    createHash('sha512').update('100001|P-1|129.90|k3y-for-tests').digest('hex'),
  ),
  'signing.fields': concatCase(
    { fields: { direct_payment: ['amount', 'account_id'] } },
    createHash('sha256').update('129.90|200001|k3y-for-tests').digest('hex'),
  ),
  'signing.empty': concatCase(
    { empty: 'omit', fields: { direct_payment: ['order_no', 'note', 'amount'] } },
    createHash('sha256').update('P-1|129.90|k3y-for-tests').digest('hex'),
  ),
  'signing.separator': concatCase(
    { separator: '' },
    createHash('sha256').update('100001P-1129.90k3y-for-tests').digest('hex'),
  ),
  'signing.secret': concatCase(
    { secret: 'key', algorithm: 'hmac-sha256' },
    createHmac('sha256', 'k3y-for-tests').update('100001|P-1|129.90').digest('hex'),
  ),
  'signing.output': concatCase(
    { output: 'base64' },
    createHash('sha256').update('100001|P-1|129.90|k3y-for-tests').digest('base64'),
  ),
  'signing.answer_fields': {
    see: (settings) => {
      const encryption_data = createHash('sha256').update('P-1|1|k3y-for-tests').digest('hex');
      return paidAs(settings, { encryption_data }, false);
    },
    given: { signing: concat },
    before: 'approved',
    change: { signing: { ...concat, answer_fields: { direct_payment: ['order_no', 'amount'] } } },
    after: 'unknown',
  },
  'signing.path': {
    see: async (settings) => (await paidOnWire(settings)).message.encryption_data,
    given: { ...unsigned, ...moduleAt('first.ts', "export const sign = (m: { amount: string }) => 'a' + m.amount;") },
    before: 'a129.90',
    change: moduleAt('second.mjs', "export const sign = async (m, { operation }) => operation + ' ' + m.amount;"),
    after: 'direct_payment 129.90',
  },

  'verify.direct_payment': {
    see: (settings) => paidAs(settings, forged, false),
    before: 'unknown',
    change: { verify: { direct_payment: 'off' } },
    after: 'approved',
  },
  'verify.apm_payment': {
    see: (settings) => paidByPixAs(settings, forged),
    before: 'unknown',
    change: { verify: { apm_payment: 'off' } },
    after: 'redirect',
  },
  ...Object.fromEntries(routed.map((name) => [`verify.${name}`, verifyCase(name)])),

  'codes.order_status.approved': paymentCase(
    { order_status: '7' },
    'unknown',
    { order_status: { approved: ['7'], declined: [] } },
    'approved',
  ),
  'codes.order_status.declined': paymentCase(
    { order_status: '8', result_info: '2001:No' },
    'unknown',
    { order_status: { approved: ['1'], declined: ['8'] } },
    'declined: contact_bank',
  ),
  'codes.order_status.pending': paymentCase(
    { order_status: '2' },
    'unknown',
    { order_status: { approved: ['1'], declined: ['0'], pending: ['2'] } },
    'pending',
  ),
  'codes.result_info.success': paymentCase(
    { result_info: 'FINE:Paid' },
    'unknown',
    { result_info: { success: ['FINE'] } },
    'approved',
  ),
  'codes.result_info.advice': paymentCase(
    { order_status: '0', result_info: '9999:No' },
    'declined: try_another_card',
    { result_info: { success: ['0000'], advice: { '9999': 'try_later' } } },
    'declined: try_later',
  ),
  'codes.payment_status.approved': recordCase('3999', 'codes_not_listed', { approved: ['3999'] }, 'approved'),
  'codes.payment_status.declined': recordCase('4999', 'codes_not_listed', { declined: ['4999'] }, 'open'),
  'codes.payment_status.pending': recordCase('2000', 'codes_not_listed', { pending: ['2000'] }, 'pending'),
  'codes.payment_status.held': standingCase('3999', { held: ['3999'] }, 'held'),
  'codes.payment_status.charged_back': standingCase('3999', { charged_back: ['3999'] }, 'reversed'),
  'codes.payment_status.refunded': standingCase('3999', { refunded: ['3999'] }, 'refunded'),
  'codes.payment_status.partially_refunded': standingCase(
    '3999',
    { partially_refunded: ['3999'] },
    'partially_refunded',
  ),
  'codes.payment_status.cancelled': standingCase('3999', { cancelled: ['3999'] }, 'cancelled'),
  'codes.fraud_check.rejected': {
    see: (settings) => stoodAs(settings, { payment_status: '3000', fraud_check_result: [{ status: 'STOP' }] }),
    before: ['paid'],
    change: { codes: { fraud_check: { rejected: ['STOP'] } } },
    after: ['held'],
  },
  'codes.return_status.success': {
    see: (settings) => foundAs(settings, { payment_status: '3000' }, { return_status: 'Y' }),
    before: 'http_status',
    change: { codes: { return_status: { success: ['Y'] } } },
    after: 'approved',
  },
  'codes.query_result.not_found': {
    see: (settings) => queriedAs(settings, { amount: '0.00', payment_status: '', query_result: 'N' }),
    before: 'amount_differs',
    change: { codes: { query_result: { not_found: ['N'] } } },
    after: 'absent',
  },
  'codes.refund_status.success': itemCase(
    'refund',
    { refund_status: 'Y' },
    'unknown',
    { refund_status: { success: ['Y'] } },
    'succeeded',
  ),
  'codes.refund_status.failed': itemCase(
    'refund',
    { refund_status: 'N', refund_message: 'V1:No' },
    'unknown',
    { refund_status: { success: ['1'], failed: ['N'] } },
    'failed',
  ),
  'codes.return_status.failed': {
    see: (settings) => outcomeOf(settings, 'capture', { return_status: 'N', capture_orders: [] }),
    before: undefined,
    change: { codes: { return_status: { success: ['1'], failed: ['N'] } } },
    after: ['failed'],
  },
  'codes.refund_message.success': itemCase(
    'refund',
    { refund_message: 'V1:Done' },
    'unknown',
    { refund_message: { success: ['V1'] } },
    'succeeded',
  ),
  'codes.review_status.success': itemCase(
    'review',
    { review_status: 'Y' },
    'unknown',
    { review_status: { success: ['Y'] } },
    'succeeded',
  ),
  'codes.review_status.failed': itemCase(
    'review',
    { review_status: 'N' },
    'unknown',
    { review_status: { success: ['1'], failed: ['N'] } },
    'failed',
  ),
  'codes.capture_status.success': itemCase(
    'capture',
    { capture_status: 'Y' },
    'unknown',
    { capture_status: { success: ['Y'] } },
    'succeeded',
  ),
  'codes.capture_status.failed': itemCase(
    'capture',
    { capture_status: 'N' },
    'unknown',
    { capture_status: { success: ['1'], failed: ['N'] } },
    'failed',
  ),
  'codes.cancel_status.success': itemCase(
    'subscription_cancel',
    { cancel_status: 'Y' },
    'unknown',
    { cancel_status: { success: ['Y'] } },
    'succeeded',
  ),
  'codes.cancel_status.failed': itemCase(
    'subscription_cancel',
    { cancel_status: 'N' },
    'unknown',
    { cancel_status: { success: ['1'], failed: ['N'] } },
    'failed',
  ),
  'codes.review_flag.accept': {
    see: acceptedBy,
    given: unsigned,
    before: 'ACCEPT',
    change: { codes: { review_flag: { accept: ['YES', 'OK'], reject: ['NO'] } } },
    after: 'YES',
  },
  'codes.review_flag.reject': {
    see: (settings) => statusOf(settings, 'NO'),
    given: unsigned,
    before: ['paid'],
    change: { codes: { review_flag: { reject: ['NO'] } } },
    after: ['rejected'],
  },
  'codes.payout_status.completed': itemCase(
    'payout',
    { status: 'PAID' },
    'unknown',
    { payout_status: { completed: ['PAID'], failed: [] } },
    'succeeded',
  ),
  'codes.payout_status.failed': itemCase(
    'payout',
    { status: 'LOST' },
    'unknown',
    { payout_status: { completed: ['COMPLETED'], failed: ['LOST'] } },
    'failed',
  ),

  service_field: payment('product', undefined, { service_field: 'product' }, 'tea'),
  time_zone: payment('time_zone', 'America/Sao_Paulo', { time_zone: 'offset' }, '180'),
  checkout_time: payment('checkout_time', 1_784_116_800, { checkout_time: 'milliseconds' }, 1_784_116_800_000),
  expiration_year: payment('expiration_year', '2030', { expiration_year: 'YY' }, '30'),
  birth_date: payment('birth_date', '31-12-1990', { birth_date: 'YYYYMMDD' }, '19901231'),
  json_content_type: {
    see: async (settings) => (await paidOnWire(settings)).contentType,
    given: unsigned,
    before: 'application/json',
    change: { json_content_type: 'text/json; charset=utf-8' },
    after: 'text/json; charset=utf-8',
  },
  list_separator: {
    see: async (settings) => (await sendRequest(settings, 'query', { orders: ['A', 'B'] })).received[0]?.message.orders,
    before: 'A,B',
    change: { list_separator: '|' },
    after: 'A|B',
  },
  query_requires: {
    see: async (settings) => (await sendRequest(settings, 'query', { order_status: '1' })).received.length,
    before: 0,
    change: { query_requires: [['order_status']] },
    after: 1,
  },
  query_without_list: {
    see: (settings) => queriedAs(settings, {}, { orders_list: undefined }),
    before: 'query_unanswered',
    change: { query_without_list: 'empty' },
    after: 'absent',
  },
  gateway_time_zone: {
    see: async (settings) => {
      const { received } = await sendRequest(settings, 'query', {
        query_start: night,
        query_end: '2026-11-02 00:00:00',
      });
      const { query_start, query_end } = received[0]?.message ?? {};
      return [query_start, query_end];
    },
    before: ['2026-11-01 03:00:00', '2026-11-02 00:00:00'],
    change: { gateway_time_zone: 'America/Sao_Paulo' },
    after: ['2026-11-01 00:00:00', '2026-11-02 00:00:00'],
  },
  not_taken_statuses: {
    see: async (settings) => {
      const { relay } = await setUp(settings, (_received, res) => void res.writeHead(402).end());
      const { body } = await relay.pay((await relay.session()).secret, card);
      return body.result ?? body.status;
    },
    before: 'unknown',
    change: { not_taken_statuses: [402] },
    after: { code: 'http_402', message: 'Payment Required' },
  },
  return_ms: {
    see: async ({ return_ms }) => {
      const { relay } = await setUp({ return_ms }, (_received, res) => void res.end());
      return returnMs({ method: 'PIX' }, rulesOf(relay.context.config));
    },
    before: 60_000,
    change: { return_ms: { PIX: 120_000 } },
    after: 120_000,
  },
  capture: {
    see: (settings) => statusOf(settings),
    given: unsigned,
    before: ['paid'],
    change: { capture: { card: 'manual' } },
    after: ['authorised'],
  },
  authorisation_days: {
    see: needsPersonLater,
    given: { ...unsigned, capture: { card: 'manual' } },
    before: false,
    change: { authorisation_days: 2 },
    after: true,
  },
  notification_ack: {
    see: acknowledged,
    given: unsigned,
    before: 'OK',
    change: { notification_ack: '<ack>yes</ack>' },
    after: '<ack>yes</ack>',
  },
};

/** Settings that are checked at the start and that affect no message and no answer. */
const withoutEffect = ['codes.recurring_status.active', 'codes.recurring_status.inactive'];

/** The path of every setting in a schema. */
function settingsIn(schema: unknown, path: readonly string[] = []): string[] {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) return settingsIn(schema.unwrap(), path);
  if (schema instanceof z.ZodDiscriminatedUnion) return schema.options.flatMap((option) => settingsIn(option, path));
  if (!(schema instanceof z.ZodObject)) return [path.join('.')];
  return Object.entries(schema.shape).flatMap(([name, member]) => settingsIn(member, [...path, name]));
}

describe('the profile', () => {
  it('has no setting without a case in this file', () => {
    const settings = [...new Set(settingsIn(profile))].sort();
    expect(settings).toEqual([...Object.keys(cases), ...withoutEffect].sort());
  });

  for (const [setting, { see, given = {}, before, change, after }] of Object.entries(cases)) {
    it(`decides by ${setting}`, async () => {
      expect(await see(given)).toEqual(before);
      expect(await see({ ...given, ...change })).toEqual(after);
    });
  }

  it('sends every payment in the same form, from form and server', async () => {
    const settings = { ...unsigned, time_zone: 'offset', birth_date: 'YYYY/MM/DD', service_field: 'product' };
    const { gateway, relay } = await setUp(settings, approving);
    const known = { birth_date: '31-12-1990', service: 'tea', person: { birth_date: '01-02-2003' } };
    const methods = [{ type: 'apm', payment_method: 'PIX', label: 'Pix' }];
    const { secret } = await relay.session({ order: known, payment_methods: methods });
    await relay.pay(secret, { payment_method: 'PIX', device: { time_zone: 'Asia/Kolkata' } });
    const pix = { ...order(), ...known, payment_method: 'PIX', time_zone: 'Asia/Kolkata' };
    await relay.post('/v1/payments', apiKey, pix);
    const wire = { time_zone: '-330', birth_date: '1990/12/31', product: 'tea', person: { birth_date: '2003/02/01' } };
    expect(gateway.authorised().map(({ message }) => message)).toEqual([
      expect.objectContaining(wire),
      expect.objectContaining(wire),
    ]);
  });
});
