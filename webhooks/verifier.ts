import { z } from 'zod';
import { type WebhookEvent, webhookEvent } from '../shared/api/webhook.ts';
import { signedHeaders, VerifierMisused, type WebhookHeaders, WebhookRefused } from './headers.ts';

export type VerifierOptions = {
  /** The secret, or all that the relay may sign with while one takes the place of another. */
  secrets: string | readonly string[];
  /** How far the signature's timestamp may be from now, in seconds; 300. */
  toleranceSeconds?: number;
  /** The clock; for tests. */
  now?: () => Date;
};

/** A webhook that this version knows in full. `id` is the `webhook-id`: the same webhook can come again under it. */
export type KnownWebhook = WebhookEvent & { id: string; known: true };

/** One of a newer relay, of a type or with data that this version does not know: keep it, and ask the relay what is true now. */
export type UnknownWebhook = {
  id: string;
  known: false;
  type: string;
  timestamp: string;
  data: Record<string, unknown>;
};

/** What the relay told. Look at `known` before `type`. */
export type Webhook = KnownWebhook | UnknownWebhook;

/**
 * Takes a request's body as it came, before any parser, and its headers, and gives the webhook. Rejects with WebhookRefused
 * what the relay did not sign.
 */
export type Verifier = (body: string | Uint8Array | ArrayBuffer, headers: WebhookHeaders) => Promise<Webhook>;

const envelope = z.object({ type: z.string(), timestamp: z.string(), data: z.record(z.string(), z.unknown()) });

/** Makes what verifies the webhooks of a relay (Standard Webhooks). Throws VerifierMisused for a secret that is none. */
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
      throw new WebhookRefused('signature_wrong', 'no signature is right: another secret, or another body');
    }
    return webhookOf(id, bytes);
  };
}

/** A key for the signatures of one secret: `whsec_` and the base64 of 24 to 64 bytes. Throws VerifierMisused for anything else. */
function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  const encoded = typeof secret === 'string' ? /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret)?.[1] : undefined;
  const key = encoded === undefined ? undefined : decoded(encoded);
  // The secret itself is not told: errors are logged.
  if (!key) {
    throw new VerifierMisused(
      'a secret is whsec_ and the base64 of 24 to 64 random bytes: give the one that the relay has, and see that the variable is set',
    );
  }
  return key;
}

function decoded(encoded: string): Uint8Array<ArrayBuffer> | undefined {
  // atob takes no text whose length is no base64 can have.
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

/** Whether two texts are equal, in a time that does not tell where they differ. */
function areEqual(one: string, other: string): boolean {
  // How long a signature is everybody knows.
  if (one.length !== other.length) return false;
  let difference = 0;
  for (let at = 0; at < one.length; at++) difference |= one.charCodeAt(at) ^ other.charCodeAt(at);
  return difference === 0;
}

function bytesOf(body: string | Uint8Array | ArrayBuffer): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (body instanceof Uint8Array) return body;
  // Not instanceof: test runners and frames have an ArrayBuffer of their own.
  if (Object.prototype.toString.call(body) === '[object ArrayBuffer]') return new Uint8Array(body);
  throw new VerifierMisused('the body must be the bytes or the text as they came: verify before any JSON parser');
}

function joined(start: Uint8Array, end: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(start.length + end.length);
  all.set(start);
  all.set(end, start.length);
  return all;
}

/** The event in a body that the relay signed: never thrown away because it is newer than this code. */
function webhookOf(id: string, bytes: Uint8Array): Webhook {
  const told = envelope.safeParse(parsed(bytes));
  if (!told.success) throw new WebhookRefused('body_unusable', 'the body is no event, though it is rightly signed');
  const known = webhookEvent.safeParse(told.data);
  return known.success ? { ...known.data, id, known: true } : { ...told.data, id, known: false };
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
