import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Rolldown } from 'vite';
import { packagesOf } from '../build/packages.ts';
import { type BuiltPart, consolePart, hashSources } from '../build/parts.ts';
import type { ConsoleBuild } from '../shared/api/console.ts';

const root = join(import.meta.dirname, '..');
const dist = join(root, consolePart.folder);

/** Size budgets in thousands of bytes, gzipped: the first screen, and the chunk with the charts. */
const BUDGETS_KB = { page: 45, figures: 22.5 };

/** The chunk that only the figures load. */
const FIGURES = /^figures-/;

/** The chunks with the texts of a language. A person loads one of them. */
const LANGUAGE = /^(en|pt-BR)-/;

/** Code that must never reach a browser: the server's packages and libraries. */
const FORBIDDEN = [/zod/i, /node:/i];

/** `manifest.json`: files beside it, each with its content's hash in its name. */
type Manifest = BuiltPart & ConsoleBuild;

/** In development, a file above its budget is reported and still built. */
const isTrial = process.argv.includes('--trial');

/** Builds the console into `dist/console`, completely or not at all. Throws if it is above its budget. */
async function main(): Promise<void> {
  const sources = await hashSources(root, consolePart.sources);
  const output = await run();
  const { entry, style, parts } = sorted(output);
  const files = parts.map((one) => ({
    name: one.fileName,
    code: one.type === 'chunk' ? one.code : String(one.source),
  }));
  try {
    report(files, atOnce(entry, output));
  } catch (error) {
    if (!isTrial) throw error;
    console.error(error instanceof Error ? error.message : String(error));
  }
  const chunks = parts.filter((one) => one.type === 'chunk' && one !== entry).map(({ fileName }) => fileName);
  const manifest: Manifest = {
    sources,
    files: files.map(({ name }) => name),
    packages: packagesOf(parts.flatMap((one) => (one.type === 'chunk' ? one.moduleIds : []))),
    script: entry.fileName,
    style: style.fileName,
    chunks,
  };
  const fresh = `${dist}.${process.pid}`;
  await mkdir(dirname(dist), { recursive: true });
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh);
  for (const { name, code } of files) await writeFile(join(fresh, name), code);
  await writeFile(join(fresh, consolePart.manifest), `${JSON.stringify(manifest, undefined, 2)}\n`);
  await rm(dist, { recursive: true, force: true });
  await rename(fresh, dist);
}

type Output = Rolldown.RolldownOutput['output'][number];

/** The first script and styles of the page, and all files. Throws if there are none. */
function sorted(output: readonly Output[]): { entry: Output; style: Output; parts: readonly Output[] } {
  const first = output.find((one) => one.type === 'chunk' && one.isEntry);
  const style = output.find((one) => one.type === 'asset' && one.fileName.endsWith('.css'));
  if (first?.type !== 'chunk' || !style) throw new Error('It was built without an entry or without styles');
  // An entry that only imports a shared chunk would cost a round trip.
  const isEmpty = first.moduleIds.length === 0 && first.imports.length === 1;
  const entry = isEmpty ? output.find(({ fileName }) => fileName === first.imports[0]) : first;
  if (!entry) throw new Error('It was built without what its entry imports');
  return { entry, style, parts: isEmpty ? output.filter((one) => one !== first) : output };
}

async function run(): Promise<Rolldown.RolldownOutput['output']> {
  // Loaded only if something is built.
  const { build } = await import('vite');
  const built = await build({ root, mode: 'console', logLevel: 'warn', build: { write: false } });
  if (Array.isArray(built) || !('output' in built)) throw new Error('Vite built something else than one bundle');
  return built.output;
}

/** The names of the first scripts of the page: its entry and its imports. */
function atOnce(entry: Output, output: readonly Output[]): string[] {
  const imported = entry.type === 'chunk' ? entry.imports : [];
  return [entry.fileName, ...output.flatMap((one) => (imported.includes(one.fileName) ? atOnce(one, output) : []))];
}

/**
 * Prints the size of every file. Throws if files are too large, or contain code of the server.
 * @param first the first scripts of the page
 */
function report(files: readonly { name: string; code: string }[], first: readonly string[]): void {
  const sizes = files.map(({ name, code }) => ({ name, kb: gzipSync(code, { level: 9 }).length / 1000 }));
  for (const { name, kb } of sizes) console.log(`${written(kb)} KB  console/${name}`);
  const inAll = (pattern: RegExp): number[] => sizes.filter(({ name }) => pattern.test(name)).map(({ kb }) => kb);
  const figures = sum(inAll(FIGURES));
  console.log(`${written(sum(sizes.map(({ kb }) => kb)))} KB  all files`);
  const scripts = sizes.filter(({ name }) => first.includes(name)).map(({ kb }) => kb);
  const page = sum([...scripts, ...inAll(/\.css$/), Math.max(0, ...inAll(LANGUAGE))]);
  console.log(`${written(page)} KB  page before its first screen, with the larger language, of ${BUDGETS_KB.page} KB`);
  console.log(`${written(figures)} KB  figures, of ${BUDGETS_KB.figures} KB`);
  check('page', page);
  check('figures', figures);
  for (const { name, code } of files) {
    // The hash in a file's name may contain any letters.
    const text = code.replaceAll(/[\w-]{8}\.js/g, '');
    const found = FORBIDDEN.find((pattern) => pattern.test(text));
    if (found) throw new Error(`${name} contains ${found}`);
  }
}

function check(part: keyof typeof BUDGETS_KB, kb: number): void {
  const budget = BUDGETS_KB[part];
  if (kb === 0 || kb > budget)
    throw new Error(`The ${part} weighs ${kb.toFixed(2)} KB gzip, over ${budget} KB or nothing`);
}

const sum = (sizes: readonly number[]): number => sizes.reduce((total, kb) => total + kb, 0);

const written = (kb: number): string => kb.toFixed(2).padStart(6);

try {
  await main();
} catch (error) {
  console.error(`The console was not built:\n${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
