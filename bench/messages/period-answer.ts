import { periodRecords } from '../../sandbox/gateway/operations/period-records.ts';
import { sign } from '../../shared/gateway/signature.ts';
import { benchAccount } from '../harness/settings.ts';

/** So many payments are in the period. */
export const PERIOD_RECORDS = 50_000;

/** The year that is asked about. */
export const period = { query_start: '2026-01-01 00:00:00', query_end: '2026-12-31 23:59:59' };

/** The gateway's signed answer to a query over the period. */
export function periodAnswer(): Buffer {
  const { merchant_id, account_id, signing_secret } = benchAccount;
  const orders_list = periodRecords({ merchant_id, account_id, encryption_data: '', ...period }, PERIOD_RECORDS);
  const answer = { merchant_id, account_id, return_status: '1', return_message: 'OK', orders_list };
  return Buffer.from(JSON.stringify({ ...answer, encryption_data: sign(answer, signing_secret) }));
}
