import { createHmac } from 'node:crypto';
import { canonicalMessage, sign } from '../../shared/gateway/signature.ts';
import { compare } from '../harness/micro.ts';
import { payRequest } from '../harness/payment.ts';
import type { Benchmark } from '../harness/report.ts';
import { benchAccount } from '../harness/settings.ts';

/** The signature of a payment's message (canonical JSON, then HMAC), against the HMAC of the same bytes. */
export const signature: Benchmark = async () => {
  const { device, ...typed } = JSON.parse(payRequest(1).body);
  const { client_hints: _, ...browser } = device;
  const message = { ...typed, ...browser, ...benchAccount, notify_url: `http://127.0.0.1/${'n'.repeat(80)}` };
  const text = canonicalMessage(message);
  const { baseline_us, work_us } = compare(
    () => createHmac('sha256', benchAccount.signing_secret).update(text).digest('hex'),
    () => sign(message, benchAccount.signing_secret),
  );
  return {
    rows: [
      { what: 'HMAC-SHA256 of the bytes (baseline)', figures: { 'CPU µs': baseline_us, ratio: 1 } },
      { what: 'canonical JSON and HMAC-SHA256', figures: { 'CPU µs': work_us, ratio: work_us / baseline_us } },
    ],
    targets: [],
    notes: [`A message of ${text.length} bytes with ${Object.keys(message).length} fields.`],
  };
};
