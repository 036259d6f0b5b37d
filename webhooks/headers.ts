/** A request's headers: those of fetch, or an object of them such as Node's `request.headers`. */
export type WebhookHeaders =
  | { get(name: string): string | null | undefined }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** What Standard Webhooks has in headers; `signatures` are those in base64 that this version can check. */
type Signed = { id: string; timestamp: string; signatures: readonly string[] };

/** Reads the headers of a signed request. Throws WebhookRefused where one is missing. */
export function signedHeaders(headers: WebhookHeaders): Signed {
  const [id, timestamp, signature] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => {
    const value = headerOf(headers, name);
    if (!value) throw new WebhookRefused('headers_missing', `the request has no single ${name}`);
    return value;
  });
  const signatures = (signature ?? '').split(' ').flatMap((one) => (one.startsWith('v1,') ? [one.slice(3)] : []));
  return { id: id ?? '', timestamp: timestamp ?? '', signatures };
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (typeof headers.get === 'function') return headers.get(name) ?? undefined;
  // Names have no case, and some runtimes give them as they were sent.
  const found = Object.entries(headers).filter(([given]) => given.toLowerCase() === name);
  const values = found.flatMap(([, value]) => value ?? []);
  return values.length === 1 && typeof values[0] === 'string' ? values[0] : undefined;
}

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
