import { createHash } from 'node:crypto';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasAll, hashSources, lastManifest } from '../build/sources.ts';
import type { BuildManifest, BuiltScript } from '../shared/checkout/build.ts';
import { embedding } from '../shared/checkout/embedding.ts';
import { type Built, bundle, type Script } from './build/bundle.ts';
import { earlierScripts } from './build/earlier.ts';
import { report } from './build/report.ts';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');

/**
 * Builds the browser's side into `dist`. Every file but `build.json` has its content's hash in its name and is put in place
 * whole; `build.json` comes last, so that a relay never reads half a build.
 */
async function main(): Promise<void> {
  const sources = await hashSources(root, ['widget', 'shared']);
  const last = await lastManifest<BuildManifest>(join(dist, 'build.json'));
  if (process.argv.includes('--if-stale') && (await isBuilt(last, sources))) return;
  const { loader, doctor, painted, probe, form, css, render, assets } = await bundle(root);
  const { lines, problems } = report(assets);
  console.log(lines.join('\n'));
  if (problems.length) throw new Error(problems.join('\n'));
  const files = [loader, doctor, painted, probe, css, render, form.entry, ...form.chunks];
  for (const file of files) await place(file);
  const entryOf = ({ file, purpose }: Script): BuiltScript => ({ file, purpose });
  const manifest: BuildManifest = {
    sources,
    loader: entryOf(loader),
    doctor: entryOf(doctor),
    form: { files: form.chunks.map(entryOf), preload: form.preload },
    inline: { painted: entryOf(painted), form: entryOf(form.entry), probe: entryOf(probe) },
    css: css.file,
    render: render.file,
    earlier: earlierScripts(last, new Set(files.map(({ file }) => file))),
  };
  await place({ file: 'build.json', code: `${JSON.stringify(manifest, undefined, 2)}\n` });
  await prune(new Set([...files.map(({ file }) => file), ...manifest.earlier]));
  const scripts = { loader: pinned(loader), doctor: pinned(doctor), form: form.chunks.map(pinned) };
  const inline = [inlined(painted), inlined(form.entry), inlined(probe)];
  console.log(JSON.stringify(embedding('https://pay.example', { ...scripts, inline }), undefined, 2));
}

function pinned({ file, purpose, code }: Script) {
  return { file, purpose, integrity: `sha384-${createHash('sha384').update(code).digest('base64')}` };
}

/** Policies name inline scripts by SHA-256. */
function inlined({ file, purpose, code }: Script) {
  return { file, purpose, integrity: `sha256-${createHash('sha256').update(code).digest('base64')}` };
}

/** Whether `dist` holds all of a build of these sources. */
async function isBuilt(manifest: BuildManifest | undefined, sources: string): Promise<boolean> {
  if (manifest?.sources !== sources) return false;
  const { loader, doctor, inline, form, css, render, earlier } = manifest;
  const scripts = [loader, doctor, ...Object.values(inline), ...form.files];
  return hasAll(dist, [...scripts.map(({ file }) => file), css, render, ...earlier]);
}

async function place({ file, code }: Built): Promise<void> {
  const path = join(dist, file);
  const unfinished = `${path}.${process.pid}`;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(unfinished, code);
  await rename(unfinished, path);
}

/** Removes what earlier builds left. Only files of our own kinds: other packages build into `dist` too. */
async function prune(wanted: ReadonlySet<string>): Promise<void> {
  const ours = [/^(turnpike|turnpike-doctor|painted|probe|render)-\w+\.js$/, /^form\/[^/]+\.(js|css)$/];
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
