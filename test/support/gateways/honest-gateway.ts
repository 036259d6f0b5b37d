import { type Operation, operationNames, operations } from '../../../shared/gateway/operations.ts';
import { sign } from '../../../shared/gateway/signature.ts';
import { account } from '../relays/relay.ts';
import { redirection } from './issuer.ts';
import { identity, operationCases } from './operation-cases.ts';
import { approval, type Script, sendXml, signedXml } from './scripted-gateway.ts';

/** A gateway that does everything that it is asked, and says so in each operation's own form. */
export const honest: Script = (received, res) => {
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
  const answer = { ...fields, ...identity };
  const signed = { ...answer, encryption_data: sign(answer, account.signingSecret) };
  res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(signed));
};

function done(item: object, status = ''): object {
  return { ...item, [status]: '1', ...(status === 'refund_status' ? { refund_message: 'V0000:OK' } : {}) };
}
