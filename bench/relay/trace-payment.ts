import { join } from 'node:path';
import { z } from 'zod';
import { readTree } from '../../test/architecture/layers.ts';
import { startChild } from '../harness/child.ts';
import { atMost, type Benchmark } from '../harness/report.ts';
import { relaySettings } from '../harness/settings.ts';

const entries = z.array(z.object({ file: z.string(), line: z.int(), caller: z.string().optional() }));
type Entry = z.infer<typeof entries>[number];

/** The way of one payment through the files of relay/, from the request to pay until its answer is sent. */
export const trace: Benchmark = async () => {
  const gateway = await startChild('gateway.ts');
  const settings = relaySettings({ store: 'sqlite::memory:', gatewayPort: gateway.port, webhooks: 'kept' });
  const relay = await startChild('traced-relay.ts', { env: { SETTINGS: JSON.stringify(settings) } });
  try {
    const found = await relay.ask('trace', entries);
    const imports = new Map(
      readTree(join(import.meta.dirname, '../../relay')).map((file) => [file.path, file.imports]),
    );
    const calls = callsOf(found, imports);
    const files = [...new Set(found.map(({ file }) => file))];
    const crossed = files.filter((file) => calls.has(file));
    const layers = layersOf(found, (file) => calls.has(file));
    const importing = (file: string): boolean => (imports.get(file) ?? []).length > 0;
    return {
      rows: files.map((file, at) => ({
        what: `${at + 1}. ${file}`,
        figures: {
          // As text: the history keeps the two figures that count.
          entries: String(found.filter((one) => one.file === file).length),
          'files called': String(calls.get(file)?.size ?? 'leaf helper'),
        },
      })),
      targets: [
        atMost('files without leaf helpers', crossed.length, 25),
        atMost('layers re-entered, leaf helpers apart', reEntries(layers), 10),
      ],
      notes: [
        `Layers in turn, leaf helpers apart: ${layers.join(' → ')}.`,
        `${files.length} files with leaf helpers, and ${reEntries(layersOf(found, () => true))} re-entries.`,
        `Where only a file without any import from relay/ is a leaf: ${files.filter(importing).length} files, ${reEntries(layersOf(found, importing))} re-entries.`,
      ],
    };
  } finally {
    await Promise.all([relay.kill(), gateway.kill()]);
  }
};

/**
 * Which files each file calls. A call of a file that itself builds on the caller is left out: it is of a function that was
 * handed over, which the caller knows nothing of.
 */
function callsOf(found: readonly Entry[], imports: ReadonlyMap<string, readonly string[]>): Map<string, Set<string>> {
  const calls = new Map<string, Set<string>>();
  for (const { file, caller } of found) {
    if (caller === undefined || isBuiltOn(imports, file, caller)) continue;
    calls.set(caller, (calls.get(caller) ?? new Set()).add(file));
  }
  return calls;
}

/** True where a file imports another one, or what it imports does. */
function isBuiltOn(imports: ReadonlyMap<string, readonly string[]>, file: string, below: string): boolean {
  const seen = new Set([file]);
  for (const one of seen) for (const target of imports.get(one) ?? []) seen.add(target);
  return seen.has(below);
}

/** The layers (folders of relay/) of the files that count, in the order in which their functions are entered. */
function layersOf(found: readonly Entry[], counts: (file: string) => boolean): string[] {
  const layers = found.filter(({ file }) => counts(file)).map(({ file }) => file.split('/')[0] ?? file);
  return layers.filter((layer, at) => layer !== layers[at - 1]);
}

/** How often a layer is entered that was entered before. */
function reEntries(layers: readonly string[]): number {
  return layers.length - new Set(layers).size;
}
