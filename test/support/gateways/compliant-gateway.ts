import { type Operation, operationNames, operations } from '../../../shared/gateway/operations.ts';
import { redirection } from './issuer.ts';
import { identity, operationCases } from './operation-cases.ts';
import { approval, type Received, type Script, sendSigned, sendXml, signedXml } from './scripted-gateway.ts';

/** A gateway that executes every request and confirms it in each operation's own form. */
export const compliant: Script = (received, res) => {
  const { path, message } = received;
  if (path === '/v1/authorise') {
    const isApm = message.payment_method !== undefined;
    sendXml(res, signedXml(isApm ? redirection(received, 'https://issuer.example/') : approval(received)));
    return;
  }
  const name = operationNames.find((one) => operations[one].path === path);
  if (name === undefined || name === 'direct_payment' || name === 'apm_payment') return void res.writeHead(404).end();
  const { batch, encoding }: Operation = operations[name];
  const asked = batch ? message[batch.list] : undefined;
  const { encryption_data: _, ...echo } = message;
  const fields = Array.isArray(asked)
    ? { return_status: '1', return_message: 'OK', [batch?.list ?? '']: asked.map((item) => done(item, batch?.status)) }
    : { ...operationCases[name].answer, ...(encoding === 'json' ? echo : {}) };
  sendSigned(res, { ...fields, ...identity });
};

function done(item: object, status = ''): object {
  return { ...item, [status]: '1', ...(status === 'refund_status' ? { refund_message: 'V0000:OK' } : {}) };
}

/** The operation of a message. */
function operationOf({ path, message }: Received): Operation {
  const payment = 'payment_method' in message ? operations.apm_payment : operations.direct_payment;
  if (path === payment.path) return payment;
  const name = operationNames.find((candidate) => operations[candidate].path === path);
  if (!name) throw new TypeError(`no operation has the path ${path}`);
  return operations[name];
}

/** In a message, a text that makes the gateway fail, so that the outcome is unknown. */
export const unknownOutcome = 'unknown-outcome';

/**
 * A gateway that accepts everything. It declines payments, so that none holds its order, and executes every other
 * request. It answers with the requested items, correctly signed.
 */
export const obliging: Script = (received, res) => {
  const operation = operationOf(received);
  if (operation.answerFormat === 'xml') {
    const declined = { ...approval(received), order_status: '0', result_info: '2001:Declined', card: '' };
    return sendXml(res, signedXml(declined));
  }
  const { encryption_data: _, ...message } = received.message;
  if (JSON.stringify(message).includes(unknownOutcome)) return void res.writeHead(500).end();
  const { merchant_id, account_id } = message;
  const echo = operation.encoding === 'form' ? { merchant_id, account_id } : message;
  sendSigned(res, { ...echo, ...outcomeOf(operation, message) });
};

/** The fields that this gateway adds to the requested ones. A refund fails, so that it can be requested again. */
function outcomeOf({ batch, path }: Operation, message: Readonly<Record<string, unknown>>): object {
  const accepted = { return_status: '1', return_message: 'OK' };
  if (!batch) {
    if (path === operations.payout.path) return { status: 'COMPLETED' };
    return path === operations.subscription_cancel.path ? { cancel_status: '1', error_message: '' } : accepted;
  }
  const asked = message[batch.list];
  const done = batch.status === 'refund_status' ? { refund_message: 'V0001:No' } : { error_message: '' };
  const status = batch.status === 'refund_status' ? '0' : '1';
  const results = Array.isArray(asked) ? asked.map((item) => ({ ...item, [batch.status]: status, ...done })) : [];
  return { ...accepted, [batch.list]: results };
}
