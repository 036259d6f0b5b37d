import { access, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { BuildManifest } from '../shared/checkout/build.ts';
import { type Built, bundle } from './build/bundle.ts';
import { report } from './build/report.ts';
import { hashSources } from './build/sources.ts';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');

/**
 * Builds the browser's side into `dist`. Every file but `build.json` has its content's hash in its name and is put in place
 * whole; `build.json` comes last, so that a relay never reads half a build.
 */
async function main(): Promise<void> {
  const sources = await hashSources(root);
  if (process.argv.includes('--if-stale') && (await isBuilt(sources))) return;
  const { loader, render, css, form, assets } = await bundle(root);
  const { lines, problems } = report(assets);
  console.log(lines.join('\n'));
  if (problems.length) throw new Error(problems.join('\n'));
  const files = [loader, render, css, ...form.all];
  for (const file of files) await place(file);
  const manifest: BuildManifest = {
    sources,
    loader: loader.file,
    form: { entry: form.entry.file, files: form.all.map(({ file }) => file) },
    css: css.file,
    render: render.file,
  };
  await place({ file: 'build.json', code: `${JSON.stringify(manifest, undefined, 2)}\n` });
  await prune(new Set(files.map(({ file }) => file)));
}

/** Whether `dist` holds all of a build of these sources. */
async function isBuilt(sources: string): Promise<boolean> {
  try {
    const manifest: BuildManifest = JSON.parse(await readFile(join(dist, 'build.json'), 'utf8'));
    const { loader, css, render, form } = manifest;
    await Promise.all([loader, css, render, ...form.files].map((file) => access(join(dist, file))));
    return manifest.sources === sources;
  } catch {
    return false;
  }
}

async function place({ file, code }: Built): Promise<void> {
  const path = join(dist, file);
  const unfinished = `${path}.${process.pid}`;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(unfinished, code);
  await rename(unfinished, path);
}

/** Removes what earlier builds left. Only files of our own kinds: other rooms build into `dist` too. */
async function prune(wanted: ReadonlySet<string>): Promise<void> {
  const ours = [/^(turnpike|render)-\w+\.js$/, /^form\/[^/]+\.(js|css)$/];
  const found = [...(await readdir(dist)), ...(await readdir(join(dist, 'form'))).map((name) => `form/${name}`)];
  const old = found.filter((file) => !wanted.has(file) && ours.some((pattern) => pattern.test(file)));
  await Promise.all(old.map((file) => rm(join(dist, file), { force: true })));
}

try {
  await main();
} catch (error) {
  console.error(`The browser's side was not built:\n${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
