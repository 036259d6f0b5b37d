import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { gzipSync } from 'node:zlib';

/** The time of every file in an archive, as in npm packages: 26 October 1985. */
export const RELEASED_AT = 499_162_500;

/** Packs the folder `name` in `parent` as a compressed tar. */
export function packed(parent: string, name: string): Buffer {
  return gzipSync(tarOf(parent, [name]), { level: 9 });
}

/**
 * A tar of files and folders in `parent`. The same files give the same bytes on every machine and at any time. Needs
 * GNU tar.
 */
export function tarOf(parent: string, names: readonly string[]): Buffer {
  const same = [
    '--sort=name',
    `--mtime=@${RELEASED_AT}`,
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '--mode=u=rwX,go=rX',
    '--format=ustar',
  ];
  return execFileSync('tar', [...same, '-C', parent, '-cf', '-', ...names], {
    env: { ...process.env, LC_ALL: 'C' },
    maxBuffer: 2 ** 30,
  });
}

/** In hex. */
export function sha256Of(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

/** The text of SHA256SUMS for some files, which `sha256sum --check` reads. */
export function sumsOf(paths: readonly string[]): string {
  return paths.map((path) => `${sha256Of(readFileSync(path))}  ${basename(path)}\n`).join('');
}
