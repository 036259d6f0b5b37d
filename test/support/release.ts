import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeRelease, type Release } from '../../release/release.ts';

const root = join(import.meta.dirname, '../..');

/** A release of this repository in a separate folder, with no `node_modules` above it, and unpacked there. */
export type UnpackedRelease = Release & { scratch: string; unpacked: string; remove(): void };

/** Builds a release and unpacks it. It takes several seconds: a test file builds one. */
export async function unpackedRelease(): Promise<UnpackedRelease> {
  const scratch = mkdtempSync(join(tmpdir(), 'turnpike-released-'));
  const release = await makeRelease(root, join(scratch, 'release'));
  execFileSync('tar', ['-xzf', release.archive, '-C', scratch]);
  const { name, version } = release;
  const remove = () => rmSync(scratch, { recursive: true, force: true });
  return { ...release, scratch, unpacked: join(scratch, `${name}-${version}`), remove };
}

/**
 * A folder in `scratch` with only `node`, to be the whole PATH: the node of this process, or one that only prints a
 * version.
 */
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

/** A folder in `scratch`, for PATH, with a Node that fails with `message`, as when a library is missing. */
export function pathWithBrokenNode(scratch: string, message: string): string {
  const folder = mkdtempSync(join(scratch, 'bin-'));
  const node = join(folder, 'node');
  writeFileSync(node, `#!/bin/sh\necho '${message}' >&2\nexit 127\n`);
  chmodSync(node, 0o755);
  return folder;
}

/** An empty folder in `scratch`: a PATH without Node. */
export function pathWithoutNode(scratch: string): string {
  const folder = join(scratch, 'bin-none');
  mkdirSync(folder, { recursive: true });
  return folder;
}
