import { cpSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Plugin, Rolldown } from 'vite';
import { packagesOf } from '../build/packages.ts';
import { copyBrowserParts } from '../release/code.ts';
import { checkLicences, NOTICES_FILE, noticesOf } from '../release/licences.ts';
import { releasedPackages } from '../release/packages.ts';
import { optionalPackages } from './build.ts';

const root = join(import.meta.dirname, '..');

/** A thread of the relay and of the doctor. */
const ANSWER_THREAD = 'relay/gateway/answers/long-answer-thread';

/**
 * A bundle of modules of the repository: the files that Node loads by their paths, and the folder of their common
 * chunks.
 */
type Bundle = {
  entries: Record<string, string>;
  chunks: string;
  minify: Rolldown.OutputOptions['minify'];
  target: string;
  external?: string[];
};

/**
 * The command. Its chunks have their own folder, because one of them reads the manifest above it. The packages that
 * only the doctor needs are not bundled, because older Node versions cannot run them.
 */
const command: Bundle = {
  entries: entriesOf('cli/main', ANSWER_THREAD),
  ...{ chunks: 'cli', minify: { mangle: false, compress: false }, target: 'node20', external: optionalPackages },
};

/** The sandbox with the relay: its processes, threads and preloads. The command runs `start`. */
const sandbox: Bundle = {
  entries: {
    start: 'sandbox/start.ts',
    ...entriesOf(
      ...['relay/main', ANSWER_THREAD, 'relay/store/sqlite/stats/stats-thread', 'sandbox/history/lagging-clock'],
    ),
  },
  ...{ chunks: 'chunks', minify: true, target: 'node24' },
};

/** Files that the sandbox’s modules read from their own folder. */
const files = ['relay/openapi/page', 'sandbox/gateway/pages/public', 'sandbox/shop/public'];

function entriesOf(...names: string[]): Bundle['entries'] {
  return Object.fromEntries(names.map((name) => [name, `${name}.ts`]));
}

/**
 * Bundles the command and, in the folder `sandbox`, the sandbox with the relay, each with the structure of the
 * repository and all imports. Writes the licences of all bundled npm packages to `folder`. Throws if the browser parts
 * are missing or older than their sources, or if a licence is not permissive.
 */
async function buildBundles(folder: string): Promise<void> {
  const apart = join(folder, 'sandbox');
  const modules = [...(await bundle(command, folder)), ...(await bundle(sandbox, apart))];
  const inBrowser = await copyBrowserParts(root, apart);
  const packages = releasedPackages(root, folder, [...packagesOf(modules), ...inBrowser]);
  checkLicences(packages);
  writeFileSync(join(folder, NOTICES_FILE), noticesOf(packages));
  const isRead = (path: string): boolean => !/\.ts$/.test(path);
  for (const path of files) cpSync(join(root, path), join(apart, path), { recursive: true, filter: isRead });
}

/** Writes a bundle, and returns the ids of its modules. */
async function bundle({ entries, chunks, minify, target, external = [] }: Bundle, outDir: string): Promise<string[]> {
  // Loaded only for a build, because it takes long.
  const { build } = await import('vite');
  const built = await build({
    ...{ root, configFile: false, logLevel: 'warn', plugins: [ownFolders] },
    ssr: { noExternal: true, target: 'node' },
    build: {
      ...{ ssr: true, outDir, emptyOutDir: false, target },
      rolldownOptions: {
        external,
        input: Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, join(root, file)])),
        output: { minify, entryFileNames: '[name].js', chunkFileNames: `${chunks}/[name]-[hash].js` },
      },
    },
  });
  const outputs = [built].flat().flatMap((one) => ('output' in one ? one.output : []));
  return outputs.flatMap((one) => (one.type === 'chunk' ? one.moduleIds : []));
}

const PLACE = /(["'`])own-folder:([^"'`]*)\1/g;

/** Modules that are bundled into one file keep the paths of their folders. */
const ownFolders: Plugin = {
  name: 'own-folders',
  enforce: 'pre',
  transform(code, id) {
    if (!id.startsWith(root) || id.includes('/node_modules/') || !id.endsWith('.ts')) return undefined;
    const folder = relative(root, dirname(id));
    return code
      .replaceAll('import.meta.dirname', `'own-folder:${folder}'`)
      .replaceAll(/-(thread|clock)\.ts'/g, "-$1.js'");
  },
  renderChunk: (code, { fileName }) =>
    code.replaceAll(PLACE, (_, _quote, folder: string) => {
      const path = relative(dirname(fileName), folder);
      return path === '' ? 'import.meta.dirname' : `(import.meta.dirname+${JSON.stringify(`/${path}`)})`;
    }),
};

if (import.meta.main) await buildBundles(process.argv[2] ?? join(root, 'dist/bundles'));
