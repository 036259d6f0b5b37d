/**
 * Why a request is no webhook of the relay. Branch on these, never on the message:
 * - `headers_missing`: it is not signed at all, or a header is there twice.
 * - `timestamp_refused`: it was signed too long ago, or in the future. One that is late by minutes tells that a clock is wrong.
 * - `signature_wrong`: another secret, or another body.
 * - `body_unusable`: rightly signed, but no event.
 */
export type WebhookRefusedCode = 'headers_missing' | 'timestamp_refused' | 'signature_wrong' | 'body_unusable';

/** A request that is not to be believed: answer it with 400. */
export class WebhookRefused extends Error {
  override readonly name = 'WebhookRefused';
  readonly code: WebhookRefusedCode;

  constructor(code: WebhookRefusedCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** The shop's own code is wrong: a secret that is none, or a body that was parsed already. */
export class VerifierMisused extends Error {
  override readonly name = 'VerifierMisused';
  readonly code = 'verifier_misused';
}
