import { join } from 'node:path';
import { readTree } from '../../test/architecture/layers.ts';
import { startChild } from '../harness/child.ts';
import { atMost, type Benchmark } from '../harness/report.ts';
import { relaySettings } from '../harness/settings.ts';
import { type Entry, entries } from './instrument.ts';

/** The files and layers of relay/ that one payment uses, from the request to pay until its answer is sent. */
export const trace: Benchmark = async () => {
  const gateway = await startChild('processes/gateway.ts');
  const settings = relaySettings({ store: 'sqlite::memory:', gatewayPort: gateway.port, webhooks: 'kept' });
  const relay = await startChild('trace/traced-relay.ts', { env: { SETTINGS: JSON.stringify(settings) } });
  try {
    const found = await relay.ask('trace', entries);
    const imports = new Map(
      readTree(join(import.meta.dirname, '../../relay')).map((file) => [file.path, file.imports]),
    );
    const calls = callsOf(found, imports);
    const files = [...new Set(found.map(({ file }) => file))];
    const callingFiles = files.filter((file) => calls.has(file));
    const layers = layersOf(found, (file) => calls.has(file));
    const hasImports = (file: string): boolean => (imports.get(file) ?? []).length > 0;
    return {
      rows: files.map((file, at) => ({
        what: `${at + 1}. ${file}`,
        figures: {
          // As text, so that the history keeps only the figures of the aims.
          entries: String(found.filter((one) => one.file === file).length),
          'files called': String(calls.get(file)?.size ?? 'leaf helper'),
        },
      })),
      aims: [
        atMost('files without leaf helpers', callingFiles.length, 25),
        atMost('layers re-entered, leaf helpers apart', reEntries(layers), 10),
      ],
      notes: [
        `Layers in order, without leaf helpers: ${layers.join(' → ')}.`,
        `${files.length} files with leaf helpers, and ${reEntries(layersOf(found, () => true))} re-entries.`,
        `If only a file without imports from relay/ is a leaf: ${files.filter(hasImports).length} files, ${reEntries(layersOf(found, hasImports))} re-entries.`,
      ],
    };
  } finally {
    await Promise.all([relay.kill(), gateway.kill()]);
  }
};

/**
 * The files that each file calls. A call of a file that imports the caller is left out: it calls a function that was passed as an
 * argument, which the caller does not know.
 */
function callsOf(found: readonly Entry[], imports: ReadonlyMap<string, readonly string[]>): Map<string, Set<string>> {
  const calls = new Map<string, Set<string>>();
  for (const { file, caller } of found) {
    if (caller === undefined || importsDeep(imports, file, caller)) continue;
    calls.set(caller, (calls.get(caller) ?? new Set()).add(file));
  }
  return calls;
}

/** True if a file imports another one, directly or through others. */
function importsDeep(imports: ReadonlyMap<string, readonly string[]>, file: string, other: string): boolean {
  const seen = new Set([file]);
  for (const one of seen) for (const target of imports.get(one) ?? []) seen.add(target);
  return seen.has(other);
}

/** The layers (folders of relay/) of the counted files, in the order in which their functions are entered. */
function layersOf(found: readonly Entry[], counts: (file: string) => boolean): string[] {
  const layers = found.filter(({ file }) => counts(file)).map(({ file }) => file.split('/')[0] ?? file);
  return layers.filter((layer, at) => layer !== layers[at - 1]);
}

/** The number of times that a layer is entered again. */
function reEntries(layers: readonly string[]): number {
  return layers.length - new Set(layers).size;
}
