import { z } from 'zod';
import { sign } from '../../shared/gateway/signature.ts';
import { benchAccount } from '../harness/settings.ts';

const { merchant_id, account_id, signing_secret } = benchAccount;

const asked = z.object({ refund_orders: z.array(z.record(z.string(), z.unknown())) });

/** The gateway's signed answer to refunds that it makes (§2.5). */
export function refundAnswer(message: string): string {
  const refund_orders = asked.parse(JSON.parse(message)).refund_orders.map((item) => ({
    ...item,
    refund_reference: '',
    refund_reference_id: `${item.transaction_id}-01`,
    refund_status: '1',
    refund_message: 'V0000:OK',
  }));
  return signed({ refund_orders });
}

/** Its answer to a refund search that finds nothing (§4.2). */
export function refundSearchAnswer(): string {
  return signed({ refund_orders: [] });
}

function signed(fields: object): string {
  const message = { merchant_id, account_id, return_status: '1', return_message: 'OK', ...fields };
  return JSON.stringify({ ...message, encryption_data: sign(message, signing_secret) });
}
