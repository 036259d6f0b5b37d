import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeRelease, type Release } from '../../release/release.ts';

const root = join(import.meta.dirname, '../..');

/** A release of this repository in a folder of its own, with `node_modules` nowhere above it, and unpacked there. */
export type UnpackedRelease = Release & { scratch: string; unpacked: string; remove(): void };

/** Makes a release and unpacks it. It takes several seconds: a file of tests makes one. */
export async function unpackedRelease(): Promise<UnpackedRelease> {
  const scratch = mkdtempSync(join(tmpdir(), 'turnpike-released-'));
  const release = await makeRelease(root, join(scratch, 'release'));
  execFileSync('tar', ['-xzf', release.archive, '-C', scratch]);
  const { name, version } = release;
  const remove = () => rmSync(scratch, { recursive: true, force: true });
  return { ...release, scratch, unpacked: join(scratch, `${name}-${version}`), remove };
}

/** A folder in `scratch` with `node` alone, as the only one of a PATH: this process's own, or one that only tells a version. */
export function pathWithNode(scratch: string, version?: string): string {
  const folder = mkdtempSync(join(scratch, 'bin-'));
  const node = join(folder, 'node');
  if (version === undefined) {
    symlinkSync(process.execPath, node);
  } else {
    writeFileSync(node, `#!/bin/sh\necho ${version}\n`);
    chmodSync(node, 0o755);
  }
  return folder;
}

/** A folder in `scratch`, for PATH, with a Node that ends with `message`, as one does that misses a library. */
export function pathWithBrokenNode(scratch: string, message: string): string {
  const folder = mkdtempSync(join(scratch, 'bin-'));
  const node = join(folder, 'node');
  writeFileSync(node, `#!/bin/sh\necho '${message}' >&2\nexit 127\n`);
  chmodSync(node, 0o755);
  return folder;
}

/** An empty folder in `scratch`: a PATH on which there is no Node. */
export function pathWithoutNode(scratch: string): string {
  const folder = join(scratch, 'bin-none');
  mkdirSync(folder, { recursive: true });
  return folder;
}
