import { VerifierMisused } from './headers.ts';

/** A key for the signatures of one secret: `whsec_` and the base64 of 24 to 64 bytes. Throws VerifierMisused for anything else. */
export function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  const encoded = typeof secret === 'string' ? /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret)?.[1] : undefined;
  const key = encoded === undefined ? undefined : bytesOf(encoded);
  // The secret itself is not told: errors are logged.
  if (!key) {
    throw new VerifierMisused(
      'a secret is whsec_ and the base64 of 24 to 64 random bytes: give the one that the relay has, and see that the variable is set',
    );
  }
  return key;
}

function bytesOf(encoded: string): Uint8Array<ArrayBuffer> | undefined {
  // atob takes no text whose length is no base64 can have.
  if (encoded.length % 4 !== 0) return undefined;
  const text = atob(encoded);
  if (btoa(text) !== encoded || text.length < 24 || text.length > 64) return undefined;
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** The signature of some bytes under a key, in base64: HMAC with SHA-256. */
export async function signatureOf(key: Uint8Array<ArrayBuffer>, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const mac = new Uint8Array(await crypto.subtle.sign('HMAC', imported, bytes));
  return btoa(String.fromCharCode(...mac));
}

/** Whether two texts are equal, in a time that does not tell where they differ. */
export function areEqual(one: string, other: string): boolean {
  // How long a signature is everybody knows.
  if (one.length !== other.length) return false;
  let difference = 0;
  for (let at = 0; at < one.length; at++) difference |= one.charCodeAt(at) ^ other.charCodeAt(at);
  return difference === 0;
}
