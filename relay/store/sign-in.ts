import type { Row } from './rows.ts';

/** Somebody who is signed in to the console, found by the SHA-256 of the token in their cookie. Times are ISO 8601 in UTC. */
export type SignIn = {
  token_sha256: string;
  /** The name of the person. */
  person: string;
  /** By what the person signed in, hashed: another password, and it is not good any more. */
  credential: string;
  created_at: string;
  /** When the person asked for something last; not every request is written. */
  seen_at: string;
};

/** The sign-in in a row of `sign_ins`. */
export function signInFrom({ token_sha256, person, credential, created_at, seen_at }: Row): SignIn {
  return {
    token_sha256: String(token_sha256),
    person: String(person),
    credential: String(credential),
    created_at: String(created_at),
    seen_at: String(seen_at),
  };
}
