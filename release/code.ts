import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { z } from 'zod';
import { browserParts, freshBuild, widgetPart } from '../build/parts.ts';
import { ReleaseError } from './errors.ts';

/** The packages of the repository in a release. */
const CODE = ['relay', 'cli', 'client', 'shared'];

/**
 * The files of these packages: modules, and the style sheets of the reference. Unit tests and test vectors are left
 * out.
 */
const IS_CODE = /(?<!\.test)\.ts$|\.css$/;

/** The name of a module in an import or of a thread. */
const MODULE_NAME = /'([\w./-]+)\.ts'/g;

/** The documents for operators are all files of docs/ except these. */
const IS_NO_DOCUMENT = /\.(png|ts)$|(^|\/)\.[^/]*$/;
/** The files of deploy/ by name, because an operator puts settings, secrets and backups beside them. */
export const deployFiles = [
  'alertmanager.yml',
  'alerts-tests.yml',
  'alerts.yml',
  'backup.sh',
  'compose.yml',
  'grafana.json',
  'journald@turnpike.conf',
  'kubernetes/backup.yaml',
  'kubernetes/namespace.yaml',
  'kubernetes/network.yaml',
  'kubernetes/relay.yaml',
  'kubernetes/route.yaml',
  'nginx.conf',
  'prometheus.yml',
  'restore.sh',
  'rolling-restart.sh',
  'store.sh',
  'turnpike-backup.service',
  'turnpike-backup.timer',
  'turnpike-relay@.service',
  'verify-backup.sh',
];
const FILES = ['LICENSE', 'CHANGELOG.md', 'README.md'];

/** The commands of a release, and the script of each. */
const COMMANDS = { 'turnpike-relay': 'release/turnpike-relay.sh', turnpike: 'release/turnpike.sh' };

/** Copies the code as JavaScript, the documents for operators and the commands of the repository at `root` into `folder`. */
export function copyCode(root: string, folder: string): void {
  const code = CODE.flatMap((name) => filesIn(root, name)).filter((path) => IS_CODE.test(path));
  const documents = filesIn(root, 'docs').filter((path) => !IS_NO_DOCUMENT.test(path));
  const kit = deployFiles.map((name) => join('deploy', name));
  for (const path of code) copyModule(root, folder, path);
  for (const path of [...documents, ...kit]) copy(root, folder, path);
  for (const name of FILES) copy(root, folder, name);
  copyFileSync(join(root, 'build/check-node.sh'), join(folder, 'check-node.sh'));
  for (const [name, script] of Object.entries(COMMANDS)) {
    copyFileSync(join(root, script), join(folder, name));
    chmodSync(join(folder, name), 0o755);
  }
}

/**
 * Copies the browser parts that were built in the repository at `root` into `folder`, and returns the npm packages in
 * them. Scripts of earlier builds are left out, because they differ between machines. Throws ReleaseError if a part is
 * missing or older than its sources.
 */
export async function copyBrowserParts(root: string, folder: string): Promise<string[]> {
  const packages: string[] = [];
  for (const part of browserParts) {
    const built = await freshBuild(root, part);
    if (!built) throw new ReleaseError('The browser parts are missing or older than their sources: run npm run build');
    const manifest = join(part.folder, part.manifest);
    const text = readFileSync(join(root, manifest), 'utf8');
    const earlier = part === widgetPart ? earlierIn(text) : [];
    const files = built.files.filter((file) => !earlier.includes(file));
    for (const file of files) copy(root, folder, join(part.folder, file));
    const own = { ...JSON.parse(text), files, ...(part === widgetPart ? { earlier: [] } : {}) };
    writeFileSync(join(folder, manifest), `${JSON.stringify(own, undefined, 2)}\n`);
    packages.push(...built.packages);
  }
  return packages;
}

function earlierIn(manifest: string): string[] {
  return z.object({ earlier: z.array(z.string()) }).parse(JSON.parse(manifest)).earlier;
}

/** The paths below `root` of all files of a folder. */
function filesIn(root: string, folder: string): string[] {
  const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

/**
 * A module without its types, which Node would otherwise remove at each start. Lines and columns stay, so no source map
 * is needed.
 */
function copyModule(root: string, folder: string, path: string): void {
  if (!path.endsWith('.ts')) {
    copy(root, folder, path);
    return;
  }
  const text = stripTypeScriptTypes(readFileSync(join(root, path), 'utf8'));
  const target = join(folder, path.replace(/\.ts$/, '.js'));
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text.replaceAll(MODULE_NAME, "'$1.js'"));
}

function copy(root: string, folder: string, path: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  copyFileSync(join(root, path), join(folder, path));
}
