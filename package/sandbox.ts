import { cpSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Plugin } from 'vite';
import { packagesOf } from '../build/packages.ts';
import { copyBrowserParts } from '../release/code.ts';
import { checkLicences, NOTICES_FILE, noticesOf } from '../release/licences.ts';
import { releasedPackages } from '../release/packages.ts';

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
 * starts them without further dependencies. Writes the licences of all npm packages in it beside them. Throws if the browser parts
 * are missing or older than their sources, or if a licence is not permissive.
 */
async function buildSandbox(folder: string): Promise<void> {
  // Loaded only by a build: it takes long.
  const { build } = await import('vite');
  const built = await build({
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
  const outputs = [built].flat().flatMap((one) => ('output' in one ? one.output : []));
  const modules = outputs.flatMap((one) => (one.type === 'chunk' ? one.moduleIds : []));
  const inBrowser = await copyBrowserParts(root, folder);
  const packages = releasedPackages(root, folder, [...packagesOf(modules), ...inBrowser]);
  checkLicences(packages);
  writeFileSync(join(folder, NOTICES_FILE), noticesOf(packages));
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
