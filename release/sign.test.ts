import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { NAMESPACE, signSums } from './sign.ts';

const SIGNER = 'releases@shop.example';

/** A folder with SHA256SUMS, a key, and the list of the keys that count. */
function signingFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-sign-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [sums, key, signers] = [join(folder, 'SHA256SUMS'), join(folder, 'key'), join(folder, 'signers')];
  writeFileSync(sums, 'ab  turnpike-relay-1.0.0.tar.gz\n');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', key]);
  writeFileSync(signers, `${SIGNER} namespaces="${NAMESPACE}" ${readFileSync(`${key}.pub`, 'utf8')}`);
  /** As the documents say. */
  const verify = (namespace = NAMESPACE): number | null => {
    const args = ['-Y', 'verify', '-f', signers, '-I', SIGNER, '-n', namespace, '-s', `${sums}.sig`];
    return spawnSync('ssh-keygen', args, { input: readFileSync(sums) }).status;
  };
  return { sums, key, signers, verify };
}

it('signs the checksums so that ssh-keygen confirms them', () => {
  const { sums, key, verify } = signingFolder();
  expect(signSums(sums, key)).toBe(`${sums}.sig`);
  expect(verify()).toBe(0);
  // A second release in the same folder.
  appendFileSync(sums, 'cd  turnpike-relay-1.0.0.cdx.json\n');
  expect(verify()).not.toBe(0);
  signSums(sums, key);
  expect(verify()).toBe(0);
});

it('makes signatures that are valid only for this use and key', () => {
  const { sums, key, signers, verify } = signingFolder();
  signSums(sums, key);
  expect(verify('file')).not.toBe(0);
  writeFileSync(signers, readFileSync(signingFolder().signers, 'utf8'));
  expect(verify()).not.toBe(0);
});

it('reports in one line a key that cannot sign', () => {
  const { sums } = signingFolder();
  expect(() => signSums(sums, `${sums}.none`)).toThrow(/^SHA256SUMS could not be signed with .*\.none$/);
});
