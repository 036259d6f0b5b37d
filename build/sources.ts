import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What every build in a browser's language reads, beside its own folders. */
const FILES = ['vite.config.ts', 'package.json', 'package-lock.json'];

/** A hash of the names and contents of everything that a build of these folders reads; `root` is the repository's folder. */
export async function hashSources(root: string, folders: readonly string[]): Promise<string> {
  const found = await Promise.all(folders.map((folder) => filesIn(root, folder)));
  const hash = createHash('sha256');
  for (const path of [...found.flat(), ...FILES].sort()) {
    const content = await readFile(join(root, path));
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

async function filesIn(root: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
}
