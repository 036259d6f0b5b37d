import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize, relative, sep } from 'node:path';

/** A package's layers. */
type Layering = {
  /**
   * The folders from the bottom up. Folders of one row have the same rank and must not import each other. `*` stands
   * for every unnamed folder.
   */
  layers: readonly (readonly string[])[];
  /** The files in its root. They wire everything together. Only other root files may import them. */
  wiring: readonly string[];
};

export const relayLayering: Layering = {
  layers: [
    ['base'],
    ['routes'],
    ['gateway'],
    ['payments'],
    ['config'],
    ['store'],
    ['context'],
    ['commit'],
    ['http'],
    ['webhooks'],
    ['reconciliation'],
    ['checkout', 'operations', 'orders', 'notifications', 'console'],
    ['pages', 'openapi', 'operating', 'alerts'],
  ],
  wiring: [
    ...['main.ts', 'reload-signal.ts', 'start.ts', 'server.ts', 'assembly.ts', 'app.ts', 'stop.ts'],
    ...['settings.ts', 'refusal.ts', 'refuse.ts', 'check.ts', 'migrate.ts'],
  ],
};

/** Every folder that is not named is a screen. */
export const consoleLayering: Layering = {
  layers: [['api'], ['locales'], ['app'], ['parts'], ['intent'], ['*'], ['shell']],
  wiring: ['main.tsx', 'build.ts', 'less-of-uplot.ts'],
};

export const sandboxGatewayLayering: Layering = {
  layers: [
    ['base'],
    ['faults'],
    ['messages'],
    ['notifications'],
    ['books'],
    ['issuer'],
    ['operations'],
    ['pages'],
    ['admin'],
  ],
  wiring: ['main.ts', 'gateway.ts', 'receive.ts', 'testing.ts'],
};

/** The maximum number of production files in a folder. */
export const MAX_FILES = 15;

/** A production file and the files of the same tree that it imports. Paths are relative to the tree's root. */
export type SourceFile = { path: string; imports: readonly string[] };

/**
 * Reads every production file below `root`: TypeScript files except tests and their helpers.
 * @returns each file with its imports from `root`: types, import() and re-exports included
 */
export function readTree(root: string): SourceFile[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path))
    .flatMap((path) => {
      const text = readFileSync(join(root, path), 'utf8');
      // A file that imports a test runner is part of tests, whatever its name.
      if (/\bfrom ['"]vitest['"]/.test(text)) return [];
      return [{ path: path.replaceAll(sep, '/'), imports: importsOf(text, root, path) }];
    })
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

function importsOf(text: string, root: string, path: string): string[] {
  const names = [...text.matchAll(/\b(?:from|import)\s*\(?\s*['"`](\.[^'"`]+)['"`]/g)].map(([, name = '']) => name);
  const targets = names.map((name) => relative(root, normalize(join(root, dirname(path), name))).replaceAll(sep, '/'));
  return [...new Set(targets)].filter((target) => !target.startsWith('../'));
}

/** Every import of a higher layer, or of another layer of the same rank, as `importer -> imported`. */
export function upwardImports(layering: Layering, files: readonly SourceFile[]): string[] {
  const heightOf = (path: string): number => rankOf(layering, path) ?? Number.POSITIVE_INFINITY;
  return files.flatMap(({ path, imports }) =>
    imports
      .filter((target) => layerOf(target) !== layerOf(path) && heightOf(target) >= heightOf(path))
      .map((target) => `${path} -> ${target}`),
  );
}

/** Files that belong to no layer and are not wiring. */
export function outsideLayers(layering: Layering, files: readonly SourceFile[]): string[] {
  return files.map(({ path }) => path).filter((path) => rankOf(layering, path) === undefined);
}

/** Folders with more production files than allowed. */
export function crowdedFolders(files: readonly SourceFile[]): string[] {
  const folders = Map.groupBy(files, ({ path }) => dirname(path));
  return [...folders].flatMap(([folder, held]) =>
    held.length > MAX_FILES ? [`${folder} holds ${held.length} files`] : [],
  );
}

/** One cycle of files, as a path from a file back to itself; undefined if none exists. */
export function fileCycle(files: readonly SourceFile[]): string[] | undefined {
  return cycleOf(new Map(files.map(({ path, imports }) => [path, new Set(imports)])));
}

/**
 * One cycle of sibling folders, each with all its subfolders; undefined if none exists. A folder and its own
 * subfolders count as one: `store/open.ts` opens `store/sqlite`, which imports `store/store.ts`.
 */
export function folderCycle(files: readonly SourceFile[]): string[] | undefined {
  const edges = new Map<string, Set<string>>();
  for (const { path, imports } of files) {
    for (const target of imports) {
      const [from, to] = apart(path, target);
      if (from === undefined || to === undefined) continue;
      edges.set(from, (edges.get(from) ?? new Set()).add(to));
    }
  }
  return cycleOf(edges);
}

/** The two sibling folders that contain the two files; undefined if one file is in a parent folder of the other. */
function apart(path: string, target: string): [from: string | undefined, to: string | undefined] {
  const [from, to] = [dirname(path).split('/'), dirname(target).split('/')];
  let shared = 0;
  while (shared < from.length && from[shared] === to[shared]) shared++;
  const folder = (parts: readonly string[]): string | undefined =>
    parts.length > shared && parts[0] !== '.' ? parts.slice(0, shared + 1).join('/') : undefined;
  return [folder(from), folder(to)];
}

function cycleOf(edges: ReadonlyMap<string, ReadonlySet<string>>): string[] | undefined {
  const done = new Set<string>();
  const way: string[] = [];
  const visit = (node: string): string[] | undefined => {
    const start = way.indexOf(node);
    if (start >= 0) return [...way.slice(start), node];
    if (done.has(node)) return undefined;
    way.push(node);
    for (const next of edges.get(node) ?? []) {
      const cycle = visit(next);
      if (cycle) return cycle;
    }
    way.pop();
    done.add(node);
    return undefined;
  };
  for (const node of edges.keys()) {
    const cycle = visit(node);
    if (cycle) return cycle;
  }
  return undefined;
}

function layerOf(path: string): string {
  return path.includes('/') ? (path.split('/')[0] ?? '') : ROOT;
}

const ROOT = '(root)';

/**
 * The rank of a file's layer; undefined for a file without a layer. Such a file ranks above everything, so nothing
 * may import it.
 */
function rankOf({ layers, wiring }: Layering, path: string): number | undefined {
  const layer = layerOf(path);
  if (layer === ROOT) return wiring.includes(basename(path)) ? layers.length : undefined;
  const named = layers.findIndex((row) => row.includes(layer));
  const rank = named < 0 ? layers.findIndex((row) => row.includes('*')) : named;
  return rank < 0 ? undefined : rank;
}
