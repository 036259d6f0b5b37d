import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Rolldown } from 'vite';
import { hasAll, hashSources, lastManifest } from '../build/sources.ts';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist/console');

/** In thousands of bytes, gzipped: every script and style of the console together. */
const BUDGET_KB = 45;

/** What must never reach a browser: the server's packages and its libraries. */
const FORBIDDEN = [/zod/i, /node:/i];

/**
 * What `manifest.json` tells the relay: files beside it, each with its content's hash in its name. `sources` is a hash of every
 * source that went in; another one means that the build is stale.
 */
type Manifest = { sources: string; script: string; style: string; chunks: string[] };

/** Builds the console into `dist/console`, whole or not at all. Throws where it is over its budget. */
async function main(): Promise<void> {
  const sources = await hashSources(root, ['console', 'shared']);
  if (process.argv.includes('--if-stale') && (await isBuilt(sources))) return;
  const output = await run();
  const files = output.map((one) => ({
    name: one.fileName,
    code: one.type === 'chunk' ? one.code : String(one.source),
  }));
  const entry = output.find((one) => one.type === 'chunk' && one.isEntry);
  const style = output.find((one) => one.type === 'asset' && one.fileName.endsWith('.css'));
  if (!entry || !style) throw new Error('It was built without an entry or without styles');
  report(files);
  const chunks = output.filter((one) => one.type === 'chunk' && one !== entry).map(({ fileName }) => fileName);
  const manifest: Manifest = { sources, script: entry.fileName, style: style.fileName, chunks };
  const fresh = `${dist}.${process.pid}`;
  await mkdir(dirname(dist), { recursive: true });
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh);
  for (const { name, code } of files) await writeFile(join(fresh, name), code);
  await writeFile(join(fresh, 'manifest.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
  await rm(dist, { recursive: true, force: true });
  await rename(fresh, dist);
}

async function isBuilt(sources: string): Promise<boolean> {
  const last = await lastManifest<Manifest>(join(dist, 'manifest.json'));
  return last?.sources === sources && (await hasAll(dist, [last.script, last.style, ...last.chunks]));
}

async function run(): Promise<Rolldown.RolldownOutput['output']> {
  // Loaded only where something is built.
  const { build } = await import('vite');
  const built = await build({ root, mode: 'console', logLevel: 'warn', build: { write: false } });
  if (Array.isArray(built) || !('output' in built)) throw new Error('Vite built something else than one bundle');
  return built.output;
}

/** Prints every file's size. Throws where they are too large together, or hold what does not belong there. */
function report(files: readonly { name: string; code: string }[]): void {
  const sizes = files.map(({ name, code }) => ({ name, kb: gzipSync(code, { level: 9 }).length / 1000 }));
  for (const { name, kb } of sizes) console.log(`${kb.toFixed(2).padStart(6)} KB  console/${name}`);
  const sum = sizes.reduce((total, { kb }) => total + kb, 0);
  console.log(`${sum.toFixed(2).padStart(6)} KB  console, of ${BUDGET_KB} KB`);
  if (sum > BUDGET_KB) throw new Error(`It is ${sum.toFixed(2)} KB gzip, over its ${BUDGET_KB} KB`);
  for (const { name, code } of files) {
    const found = FORBIDDEN.find((pattern) => pattern.test(code));
    if (found) throw new Error(`${name} contains ${found}`);
  }
}

try {
  await main();
} catch (error) {
  console.error(`The console was not built:\n${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
