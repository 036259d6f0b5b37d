import type { Exchange } from '../../../../relay/gateway/client.ts';
import { writeRespon } from '../../../../sandbox/gateway/base/wire.ts';
import { type OperationName, operationNames, operations } from '../../../../shared/gateway/operations.ts';
import { type Message, sameText, sign } from '../../../../shared/gateway/signature.ts';
import type { GatewayAnswer } from './answers.ts';

/** A merchant's account, and the secret that signs its messages. */
export type Merchant = { id: string; merchant_id: string; account_id: string; signingSecret: string };

/** A received message: without its signature, and whether the signature was right. */
export type Received = { name: OperationName; message: Message; merchant: Merchant | undefined; isSigned: boolean };

/** Reads a POST to a path of the gateway. */
export function readRequest(
  { path, contentType, body }: { path: string; contentType: string; body: string },
  merchants: readonly Merchant[],
): Received {
  const isForm = contentType === 'application/x-www-form-urlencoded';
  const { encryption_data, ...message }: Record<string, unknown> = isForm
    ? Object.fromEntries(new URLSearchParams(body))
    : JSON.parse(body);
  const merchant = merchants.find(
    (one) => one.merchant_id === message.merchant_id && one.account_id === message.account_id,
  );
  const signature = merchant && sign(message, merchant.signingSecret);
  const isSigned = signature !== undefined && sameText(signature, String(encryption_data));
  return { name: nameOf(path, message), message, merchant, isSigned };
}

function nameOf(path: string, message: Message): OperationName {
  const names = operationNames.filter((name) => operations[name].path === path);
  const apm = message.payment_method === undefined ? 'direct_payment' : 'apm_payment';
  const name = names.find((one) => names.length === 1 || one === apm);
  if (name === undefined) throw new Error(`no operation has the path ${path}`);
  return name;
}

/** Writes an answer of the gateway, signed with the account's secret. */
export function writeAnswer(name: OperationName, answer: GatewayAnswer, secret: string): Exchange {
  switch (answer.kind) {
    case 'not_sent':
      return answer;
    case 'refused':
      return plain(answer.status, 'refused');
    case 'answer':
      return written(name, answer.message, answer.unsigned ? undefined : secret);
    case 'unusable':
      switch (answer.fault) {
        case 'http_status':
          return plain(500, 'internal error');
        case 'number_differs':
        case 'no_list':
          return written(name, answer.message, secret);
        case 'signature_wrong':
          return written(name, answer.message, `${secret}, not`);
        case 'timeout':
        case 'answer_too_large':
          return { kind: 'lost', reason: answer.fault };
      }
  }
}

function written(name: OperationName, fields: Message, secret: string | undefined): Exchange {
  // Without undefined values, as a relay reads it.
  const plainly: Message = JSON.parse(JSON.stringify(fields));
  const message = secret === undefined ? plainly : { ...plainly, encryption_data: sign(plainly, secret) };
  const isXml = operations[name].answerFormat === 'xml';
  return {
    kind: 'answered',
    status: 200,
    contentType: isXml ? 'application/xml' : 'application/json',
    body: Buffer.from(isXml ? writeRespon(message) : JSON.stringify(message)),
  };
}

function plain(status: number, text: string): Exchange {
  return { kind: 'answered', status, contentType: 'text/plain', body: Buffer.from(text) };
}
