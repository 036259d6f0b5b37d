import { z } from 'zod';
import { type WebhookEvent, webhookEvent } from '../shared/api/webhook.ts';

export type VerifierOptions = {
  /** The secret, or all secrets with which the relay may sign while one replaces another. */
  secrets: string | readonly string[];
  /** The maximum difference between the signature's timestamp and now, in seconds. Default: 300. */
  toleranceSeconds?: number;
  /** The clock; for tests. */
  now?: () => Date;
};

/** A webhook of a type that this version knows. `id` is the `webhook-id`: a repeated webhook has the same id. */
export type KnownWebhook = WebhookEvent & { id: string; known: true };

/**
 * A webhook of a newer relay, with a type or data that this version does not know. Store it, and read the present state
 * from the relay.
 */
export type UnknownWebhook = {
  id: string;
  known: false;
  type: string;
  timestamp: string;
  data: Record<string, unknown>;
};

/** A webhook of the relay. Check `known` before `type`. */
export type Webhook = KnownWebhook | UnknownWebhook;

/**
 * Verifies a request's unchanged body, before any parser, and its headers, and returns the webhook. Rejects with
 * WebhookRefused if the relay did not sign it.
 */
export type Verifier = (body: string | Uint8Array | ArrayBuffer, headers: WebhookHeaders) => Promise<Webhook>;

const envelope = z.object({ type: z.string(), timestamp: z.string(), data: z.record(z.string(), z.unknown()) });

/** Creates a verifier of a relay's webhooks (Standard Webhooks). Throws VerifierMisused for an invalid secret. */
export function createVerifier({ secrets, toleranceSeconds = 300, now = () => new Date() }: VerifierOptions): Verifier {
  const keys = (typeof secrets === 'string' ? [secrets] : [...(secrets ?? [])]).map(keyOf);
  if (keys.length === 0) throw new VerifierMisused('secrets are missing: give those that the relay signs with');
  if (!(toleranceSeconds >= 0)) throw new VerifierMisused('toleranceSeconds must be a number of seconds');

  return async (body, headers) => {
    const { id, timestamp, signatures } = signedHeaders(headers);
    const signedAt = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN;
    if (!(Math.abs(now().getTime() / 1000 - signedAt) <= toleranceSeconds)) {
      throw new WebhookRefused('timestamp_refused', `it was not signed within ${toleranceSeconds} s of now`);
    }
    const bytes = bytesOf(body);
    const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
    const expected = await Promise.all(keys.map((key) => signatureOf(key, signed)));
    if (!expected.some((own) => signatures.some((given) => areEqual(own, given)))) {
      throw new WebhookRefused(
        'signature_wrong',
        'no signature is right: give the secret that the relay has now, and the bytes of the body as they arrived',
      );
    }
    return webhookOf(id, bytes);
  };
}

/** A key for the signatures of one secret: `whsec_` and the base64 of 24 to 64 bytes. Throws VerifierMisused for anything else. */
function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  const encoded = typeof secret === 'string' ? /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret)?.[1] : undefined;
  const key = encoded === undefined ? undefined : decoded(encoded);
  // The message does not contain the secret, because errors are logged.
  if (!key) {
    throw new VerifierMisused(
      'a secret is whsec_ and the base64 of 24 to 64 random bytes: give the one that the relay has, and see that the variable is set',
    );
  }
  return key;
}

function decoded(encoded: string): Uint8Array<ArrayBuffer> | undefined {
  // atob throws for a length that base64 cannot have.
  if (encoded.length % 4 !== 0) return undefined;
  const text = atob(encoded);
  if (btoa(text) !== encoded || text.length < 24 || text.length > 64) return undefined;
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** The signature of some bytes under a key, in base64: HMAC with SHA-256. */
async function signatureOf(key: Uint8Array<ArrayBuffer>, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const mac = new Uint8Array(await crypto.subtle.sign('HMAC', imported, bytes));
  return btoa(String.fromCharCode(...mac));
}

/** Whether two texts are equal, in constant time. */
function areEqual(one: string, other: string): boolean {
  // The length of a signature is no secret.
  if (one.length !== other.length) return false;
  let difference = 0;
  for (let at = 0; at < one.length; at++) difference |= one.charCodeAt(at) ^ other.charCodeAt(at);
  return difference === 0;
}

function bytesOf(body: string | Uint8Array | ArrayBuffer): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (body instanceof Uint8Array) return body;
  // Not instanceof, because test runners and frames have an ArrayBuffer of their own.
  if (Object.prototype.toString.call(body) === '[object ArrayBuffer]') return new Uint8Array(body);
  throw new VerifierMisused('the body must be the bytes or the text as they came: verify before any JSON parser');
}

function joined(start: Uint8Array, end: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(start.length + end.length);
  all.set(start);
  all.set(end, start.length);
  return all;
}

/** The event in a body that the relay signed. An event of a newer relay is not refused. */
function webhookOf(id: string, bytes: Uint8Array): Webhook {
  const read = envelope.safeParse(parsed(bytes));
  if (!read.success) throw new WebhookRefused('body_unusable', 'the body is no event, though it is rightly signed');
  const known = webhookEvent.safeParse(read.data);
  return known.success ? { ...known.data, id, known: true } : { ...read.data, id, known: false };
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

/** A request's headers: those of fetch, or an object of them such as Node's `request.headers`. */
export type WebhookHeaders =
  | { get(name: string): string | null | undefined }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** The values of Standard Webhooks in the headers. `signatures` are those that this version can check, in base64. */
type Signed = { id: string; timestamp: string; signatures: readonly string[] };

/** Reads the headers of a signed request. Throws WebhookRefused if one is missing. */
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
  // Header names are case-insensitive, and some runtimes do not convert them.
  const found = Object.entries(headers).filter(([given]) => given.toLowerCase() === name);
  const values = found.flatMap(([, value]) => value ?? []);
  return values.length === 1 && typeof values[0] === 'string' ? values[0] : undefined;
}

/**
 * Why a request is no webhook of the relay. Branch on these codes, never on the message:
 * - `headers_missing`: it is not signed at all, or a header is there twice.
 * - `timestamp_refused`: it was signed too long ago, or in the future. A difference of minutes means that a clock is wrong.
 * - `signature_wrong`: another secret, or another body.
 * - `body_unusable`: rightly signed, but no event.
 */
export type WebhookRefusedCode = 'headers_missing' | 'timestamp_refused' | 'signature_wrong' | 'body_unusable';

/** A request that must not be trusted. Answer it with 400. */
export class WebhookRefused extends Error {
  override readonly name = 'WebhookRefused';
  readonly code: WebhookRefusedCode;

  constructor(code: WebhookRefusedCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** The shop's own code is wrong: an invalid secret, or a body that was already parsed. */
export class VerifierMisused extends Error {
  override readonly name = 'VerifierMisused';
  readonly code = 'verifier_misused';
}
