import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hashSources, widgetPart } from '../build/parts.ts';
import { type BuildManifest, type BuiltScript, embedding } from '../shared/checkout/scripts.ts';
import { type Built, bundle, type Script } from './build/bundle.ts';
import { earlierScripts } from './build/earlier.ts';
import { report } from './build/report.ts';

const root = join(import.meta.dirname, '..');
const dist = join(root, widgetPart.folder);

/** With `--trial`, a file above its size budget is reported and still built. */
const isTrial = process.argv.includes('--trial');

/**
 * Builds the checkout's browser files into `dist`. Each except `build.json` has a hash of its content in its name, and appears complete.
 * `build.json` is written last, so that a relay never reads an incomplete build.
 */
async function main(): Promise<void> {
  const sources = await hashSources(root, widgetPart.sources);
  const last = await lastManifest();
  const { loader, doctor, painted, probe, form, css, render, assets, packages } = await bundle(root);
  const { lines, problems } = report(assets);
  console.log(lines.join('\n'));
  if (problems.length > 0) {
    if (!isTrial) throw new Error(problems.join('\n'));
    console.error(problems.join('\n'));
  }
  const made = [loader, doctor, painted, probe, css, render, form.entry, ...form.chunks];
  for (const file of made) await place(file);
  const names = made.map(({ file }) => file);
  const earlier = earlierScripts(last, new Set(names));
  const entryOf = ({ file, purpose }: Script): BuiltScript => ({ file, purpose });
  const manifest: BuildManifest = {
    sources,
    files: [...names, ...earlier],
    packages,
    loader: entryOf(loader),
    doctor: entryOf(doctor),
    form: { files: form.chunks.map(entryOf), preload: form.preload },
    inline: { painted: entryOf(painted), form: entryOf(form.entry), probe: entryOf(probe) },
    css: css.file,
    render: render.file,
    earlier,
  };
  await place({ file: widgetPart.manifest, code: `${JSON.stringify(manifest, undefined, 2)}\n` });
  await prune(new Set(manifest.files));
  const pinned = (script: Script) => withIntegrity(script, 'sha384');
  const scripts = { loader: pinned(loader), doctor: pinned(doctor), form: form.chunks.map(pinned) };
  const inline = [painted, form.entry, probe].map((script) => withIntegrity(script, 'sha256'));
  console.log(JSON.stringify(embedding('https://pay.example', { ...scripts, inline }), undefined, 2));
}

/** Script elements name scripts by SHA-384, policies name inline ones by SHA-256. */
function withIntegrity({ file, purpose, code }: Script, algorithm: 'sha256' | 'sha384') {
  return { file, purpose, integrity: `${algorithm}-${createHash(algorithm).update(code).digest('base64')}` };
}

/** The manifest of the previous build; undefined if there is none that can be read. */
async function lastManifest(): Promise<BuildManifest | undefined> {
  try {
    return JSON.parse(await readFile(join(dist, widgetPart.manifest), 'utf8'));
  } catch {
    return undefined;
  }
}

async function place({ file, code }: Built): Promise<void> {
  const path = join(dist, file);
  const unfinished = `${path}.${process.pid}`;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(unfinished, code);
  await rename(unfinished, path);
}

/** Removes the files of earlier builds, by their names: other packages build into `dist`, too. */
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
