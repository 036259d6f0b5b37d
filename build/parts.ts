import { createHash } from 'node:crypto';
import { access, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/** A part with its own build for browsers. Paths are relative to the repository's folder. */
type BrowserPart = {
  /** The script that builds it. */
  script: string;
  /** The folders that it is built from. */
  sources: readonly string[];
  /** The folder that it is built into, and the manifest there. */
  folder: string;
  manifest: string;
};

export const widgetPart: BrowserPart = {
  script: 'widget/build.ts',
  sources: ['widget', 'shared'],
  folder: 'dist',
  manifest: 'build.json',
};

export const consolePart: BrowserPart = {
  script: 'console/build.ts',
  sources: ['console', 'shared'],
  folder: 'dist/console',
  manifest: 'manifest.json',
};

export const browserParts: readonly BrowserPart[] = [widgetPart, consolePart];

const builtPart = z.object({
  /** A hash of all sources. */
  sources: z.string(),
  /** All files in the manifest, beside it. */
  files: z.array(z.string()),
  /** The npm packages with code or data in the files, as paths below the repository's folder. */
  packages: z.array(z.string()),
});

/** The fields of every part's manifest. A part may add more. */
export type BuiltPart = z.infer<typeof builtPart>;

/**
 * The build of a part in the repository at `root`; undefined if there is none, or if it has other sources or lacks
 * files.
 */
export async function freshBuild(root: string, part: BrowserPart): Promise<BuiltPart | undefined> {
  const folder = join(root, part.folder);
  try {
    const built = builtPart.parse(JSON.parse(await readFile(join(folder, part.manifest), 'utf8')));
    if (built.sources !== (await hashSources(root, part.sources))) return undefined;
    await Promise.all(built.files.map((file) => access(join(folder, file))));
    return built;
  } catch {
    return undefined;
  }
}

/** The common sources of all browser builds. */
const FILES = ['vite.config.ts', 'package.json', 'package-lock.json'];

/**
 * A hash of the names and contents of all files that a build of these folders reads; `root` is the repository's folder.
 */
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
