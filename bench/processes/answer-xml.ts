import { sign } from '../../shared/gateway/signature.ts';
import { benchAccount } from '../harness/settings.ts';

/** The gateway's signed answer to a payment that it approves (§2.2), some 900 bytes. */
export function answerXml(
  order: { order_no: string; amount: string; currency: string },
  transactionId: string,
): string {
  const elements: Record<string, string> = {
    merchant_id: benchAccount.merchant_id,
    account_id: benchAccount.account_id,
    ...order,
    transaction_id: transactionId,
    card: '411111******1111',
    order_status: '1',
    result_info: '0000:Success',
    contract_name: '',
    recurring_id: '',
    recurring_deduction_period: '',
    recurring_deduction_time: '',
    note: 'Thank you for your payment. It will appear on your statement as FOLHA TEA.',
    connector: 'acme-acquiring-2',
  };
  const signed = { ...elements, encryption_data: sign(elements, benchAccount.signing_secret) };
  const inner = Object.entries(signed).map(([name, value]) => `  <${name}>${value}</${name}>\n`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<respon>\n${inner.join('')}</respon>\n`;
}
