import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { type Bundle, bundle } from './bundle.ts';

/** The gallery of a commit, and the names of its pictures. */
export type Before = Bundle & { ref: string; names: ReadonlySet<string> };

const states = z.object({ pictures: z.array(z.object({ name: z.string() })) });

/**
 * Builds the gallery of a commit, a tag or a branch of the repository at `root`, with the presently installed packages.
 * Throws if git does not have the commit, or if its gallery cannot be built.
 */
export async function bundleBefore(root: string, ref: string): Promise<Before> {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, maxBuffer: 2 ** 30, stdio: 'pipe' });
  const commit = git('rev-parse', '--verify', '--end-of-options', `${ref}^{commit}`).toString().trim();
  const tree = await mkdtemp(join(tmpdir(), 'turnpike-gallery-'));
  try {
    execFileSync('tar', ['-x', '-C', tree], { input: git('archive', commit) });
    await symlink(join(root, 'node_modules'), join(tree, 'node_modules'));
    const { pictures } = states.parse(await import(pathToFileURL(join(tree, 'gallery/states.ts')).href));
    return { ...(await bundle(tree)), ref, names: new Set(pictures.map(({ name }) => name)) };
  } finally {
    await rm(tree, { recursive: true, force: true });
  }
}
