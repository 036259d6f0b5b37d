import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { ReleaseError } from './errors.ts';

/** The purpose of a signature. A signature by the same key for another purpose does not count. */
export const NAMESPACE = 'turnpike-release';

/**
 * Signs SHA256SUMS at `sums` with an SSH key: `key` is its file, or the file of its public half if the agent or a
 * security key has the other half. Returns the signature's path. Throws ReleaseError.
 */
export function signSums(sums: string, key: string): string {
  const signature = `${sums}.sig`;
  // ssh-keygen asks before it overwrites a signature.
  rmSync(signature, { force: true });
  const { status, error } = spawnSync('ssh-keygen', ['-Y', 'sign', '-q', '-f', key, '-n', NAMESPACE, sums], {
    stdio: 'inherit',
  });
  if (error) throw new ReleaseError('ssh-keygen is missing: apt-get install openssh-client');
  if (status !== 0) throw new ReleaseError(`SHA256SUMS could not be signed with ${key}`);
  return signature;
}
