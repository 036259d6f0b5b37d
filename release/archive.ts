import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { gzipSync } from 'node:zlib';

/** The time of every file in an archive, as in npm packages: 26 October 1985. */
const MTIME = '@499162500';

/**
 * Packs the folder `name` in `parent` as a compressed tar. The same files give the same bytes, on every machine and at any time. Needs
 * GNU tar.
 */
export function packed(parent: string, name: string): Buffer {
  const same = [
    '--sort=name',
    `--mtime=${MTIME}`,
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '--mode=u=rwX,go=rX',
    '--format=ustar',
  ];
  const tar = execFileSync('tar', [...same, '-C', parent, '-cf', '-', name], {
    env: { ...process.env, LC_ALL: 'C' },
    maxBuffer: 2 ** 30,
  });
  return gzipSync(tar, { level: 9 });
}

/** In hex. */
export function sha256Of(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

/** The text of SHA256SUMS for some files, which `sha256sum --check` reads. */
export function sumsOf(paths: readonly string[]): string {
  return paths.map((path) => `${sha256Of(readFileSync(path))}  ${basename(path)}\n`).join('');
}
