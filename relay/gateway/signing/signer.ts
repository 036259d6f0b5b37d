import { type OperationName, operations, type Verify } from '../../../shared/gateway/operations.ts';
import { canonicalMessage, type Message, sameText, signText } from '../../../shared/gateway/signature.ts';
import { concatSignature } from './concat.ts';
import { loadSigningModule, SigningError, type SigningRequest, signByModule } from './signing-module.ts';
import { type Signing, whyUnsignable } from './signing-setting.ts';

/**
 * The result of signing. `not_configured`: the profile does not say what is signed. `text`: the signed JSON without its signature, if JSON
 * was signed.
 */
export type Signed =
  | { kind: 'signed'; signature: string; text?: string }
  | { kind: 'not_configured'; detail: string }
  | { kind: 'failed' };

/** Makes the `encryption_data` of a message, whether or not it has one. Never throws. */
export type Signer = (message: Message, request: SigningRequest) => Promise<Signed>;

/** A failed signature, in a form for the operator. */
export type SigningFailure = Omit<SigningRequest, 'secret'> & { reason: SigningError['code'] | 'not_canonical' };

/** The maximum time of a signing module, in milliseconds. */
const MODULE_LIMIT_MS = 5000;

/**
 * The signer of the profile (§5.4). Throws ConfigError if the signing module cannot be loaded.
 * @param report is called with each failure, without the message and the module's error
 */
export async function createSigner(
  signing: Signing,
  report: (failure: SigningFailure) => void = () => undefined,
  moduleLimitMs = MODULE_LIMIT_MS,
): Promise<Signer> {
  const scheme = await schemeOf(signing, moduleLimitMs);
  return async (message, request) => {
    try {
      return await scheme(message, request);
    } catch (error) {
      const { operation, direction } = request;
      report({ operation, direction, reason: error instanceof SigningError ? error.code : 'not_canonical' });
      return { kind: 'failed' };
    }
  };
}

/** A signer that may throw. */
async function schemeOf(signing: Signing, moduleLimitMs: number): Promise<Signer> {
  switch (signing.scheme) {
    case 'canonical':
      return async (message, { secret }) => {
        const text = canonicalMessage(message);
        return { kind: 'signed', signature: signText(text, secret), text };
      };
    case 'concat':
      return async (message, { operation, direction, secret }) => {
        const fields = (direction === 'request' ? signing.fields : signing.answer_fields)[operation];
        if (fields) return signed(concatSignature(message, fields, signing, secret));
        return { kind: 'not_configured', detail: whyUnsignable(signing, operation) ?? 'Its answers are not signed.' };
      };
    case 'module': {
      const own = await loadSigningModule(signing.path);
      return async (message, request) => signed(await signByModule(own, message, request, moduleLimitMs));
    }
  }
}

function signed(signature: string): Signed {
  return { kind: 'signed', signature };
}

/** Why an answer's signature does not let it count. */
export const signatureFaults = ['signature_missing', 'signature_wrong', 'signature_not_checkable'] as const;

export type SignatureFault = (typeof signatureFaults)[number];

/** The signer and the rules that check the signatures of a gateway's answers. */
export type Verifier = { signer: Signer; verify: Readonly<Record<string, Verify>> };

/**
 * Checks the signature of an answer by the profile's rule for its operation. `proved`: it is valid, or the rule is `off` and the connection
 * is the proof. `unproved`: the rule accepts an answer without a checkable signature. Otherwise returns the fault.
 * @param own the signature of the request: some gateways send it back
 */
export async function checkSignature(
  { signer, verify }: Verifier,
  name: OperationName,
  answer: Message,
  signingSecret: string,
  own: string,
): Promise<'proved' | 'unproved' | SignatureFault> {
  const rule = verify[name] ?? operations[name].verify;
  if (rule === 'off') return 'proved';
  const given = answer.encryption_data;
  if (typeof given !== 'string' || given === '') return rule === 'required' ? 'signature_missing' : 'unproved';
  // The request's own signature proves nothing, so it counts only if none is needed.
  if (rule === 'if_present' && sameText(given, own)) return 'unproved';
  const signed = await signer(answer, { operation: name, direction: 'answer', secret: signingSecret });
  switch (signed.kind) {
    case 'signed':
      return sameText(given, signed.signature) ? 'proved' : 'signature_wrong';
    case 'not_configured':
      return rule === 'required' ? 'signature_not_checkable' : 'unproved';
    case 'failed':
      return 'signature_not_checkable';
  }
}

/** True if an unrequested message (a notification) has a valid signature of the gateway. */
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
