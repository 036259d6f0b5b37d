import { cpSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Plugin } from 'vite';
import { copyBrowserParts } from '../release/code.ts';

const root = join(import.meta.dirname, '..');

/** The modules that Node loads by their paths: of processes, threads and preloads. `start` is what the command runs. */
const entries = {
  start: 'sandbox/start.ts',
  ...Object.fromEntries(
    [
      'relay/main',
      'relay/gateway/answers/long-answer-thread',
      'relay/store/sqlite/stats/stats-thread',
      'sandbox/history/lagging-clock',
    ].map((name) => [name, `${name}.ts`]),
  ),
};

/** Files that the modules read beside themselves. */
const files = ['relay/openapi/page', 'sandbox/gateway/pages/public', 'sandbox/shop/public'];

/**
 * Bundles the sandbox with the relay and all that both import into `folder`, in the repository's own structure, so that the package
 * starts them without further dependencies. Throws where the browser parts are missing or older than their sources.
 */
async function buildSandbox(folder: string): Promise<void> {
  // Loaded only where something is built.
  const { build } = await import('vite');
  await build({
    ...{ root, configFile: false, logLevel: 'warn', plugins: [ownFolders] },
    ssr: { noExternal: true, target: 'node' },
    build: {
      ...{ ssr: true, outDir: folder, emptyOutDir: true, minify: true, target: 'node24' },
      rolldownOptions: {
        input: Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, join(root, file)])),
        output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
      },
    },
  });
  await copyBrowserParts(root, folder);
  const isRead = (path: string): boolean => !/\.ts$/.test(path);
  for (const path of files) cpSync(join(root, path), join(folder, path), { recursive: true, filter: isRead });
}

const PLACE = /(["'`])own-folder:([^"'`]*)\1/g;

/** Modules that come together in one file keep the folders that they had. */
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

if (import.meta.main) await buildSandbox(process.argv[2] ?? join(root, 'dist/sandbox'));
