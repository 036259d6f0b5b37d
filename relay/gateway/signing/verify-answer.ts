import { type OperationName, operations, type Verify } from '../../../shared/gateway/operations.ts';
import { type Message, sameText } from '../../../shared/gateway/signature.ts';
import type { Signer } from './signer.ts';

/** Why an answer's signature does not let it count. */
export type SignatureFault = 'signature_missing' | 'signature_wrong' | 'signature_not_checkable';

/** How the signatures of a gateway's answers are checked. */
export type Verifier = { signer: Signer; verify: Readonly<Record<string, Verify>> };

/**
 * What is wrong with the signature of an answer, by the profile's rule for its operation; undefined when nothing is.
 * @param own the signature of the request: some gateways send it back
 */
export async function signatureFault(
  { signer, verify }: Verifier,
  name: OperationName,
  answer: Message,
  signingSecret: string,
  own: string,
): Promise<SignatureFault | undefined> {
  const rule = verify[name] ?? operations[name].verify;
  if (rule === 'off') return undefined;
  const given = answer.encryption_data;
  if (typeof given !== 'string' || given === '') return rule === 'required' ? 'signature_missing' : undefined;
  // The request's own signature proves nothing, so it counts only where none is needed.
  if (rule === 'if_present' && sameText(given, own)) return undefined;
  const signed = await signer(answer, { operation: name, direction: 'answer', secret: signingSecret });
  switch (signed.kind) {
    case 'signed':
      return sameText(given, signed.signature) ? undefined : 'signature_wrong';
    case 'not_configured':
      return rule === 'required' ? 'signature_not_checkable' : undefined;
    case 'failed':
      return 'signature_not_checkable';
  }
}

/** True when a message that came by itself (a notification) carries a valid signature of the gateway. */
export async function isSigned(
  signer: Signer,
  name: OperationName,
  message: Message,
  signingSecret: string,
): Promise<boolean> {
  const given = message.encryption_data;
  if (typeof given !== 'string' || given === '') return false;
  const signed = await signer(message, { operation: name, direction: 'answer', secret: signingSecret });
  return signed.kind === 'signed' && sameText(given, signed.signature);
}
