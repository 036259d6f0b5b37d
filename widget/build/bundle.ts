import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { build, type Rolldown } from 'vite';
import type { Asset } from './report.ts';

/** One built file, under the name that it will have in `dist`: its content's hash is part of it. */
export type Built = { file: string; code: string };

export type Bundles = {
  loader: Built;
  render: Built;
  css: Built;
  form: { entry: Built; all: Built[] };
  assets: Asset[];
};

/** Runs the three builds of `vite.config.ts` in memory. */
export async function bundle(root: string): Promise<Bundles> {
  const [form, embed, render] = [await run(root, 'form'), await run(root, 'embed'), await run(root, 'render')];
  const chunks = form.filter((output) => output.type === 'chunk');
  const entry = chunks.find((chunk) => chunk.isEntry);
  const style = form.find((output) => output.type === 'asset' && output.fileName.endsWith('.css'));
  if (!entry || style?.type !== 'asset') throw new Error('the form was built without an entry or without styles');
  const atOnce = importedBy(entry.fileName, chunks);
  const inForm = ({ fileName, code }: { fileName: string; code: string }) => ({ file: `form/${fileName}`, code });
  const css = inForm({ fileName: style.fileName, code: String(style.source) });
  const loader = hashed('turnpike', onlyChunk(embed));
  const sizes = chunks.map((chunk) => ({ ...inForm(chunk), part: 'form' as const, lazy: !atOnce.has(chunk.fileName) }));
  return {
    loader,
    render: hashed('render', onlyChunk(render)),
    css,
    form: { entry: inForm(entry), all: chunks.map(inForm) },
    assets: [{ ...loader, part: 'loader', lazy: false }, { ...css, part: 'form', lazy: false }, ...sizes],
  };
}

/** A chunk and all that it imports, directly or not, before it runs. */
export function importedBy(
  file: string,
  chunks: readonly Pick<Rolldown.OutputChunk, 'fileName' | 'imports'>[],
): Set<string> {
  const found = new Set([file]);
  for (const name of found) {
    for (const imported of chunks.find(({ fileName }) => fileName === name)?.imports ?? []) found.add(imported);
  }
  return found;
}

async function run(root: string, mode: string): Promise<(Rolldown.OutputChunk | Rolldown.OutputAsset)[]> {
  const config = {
    root,
    mode,
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'warn',
    build: { write: false },
  } as const;
  const result = await build(config);
  return [result].flat().flatMap((part) => ('output' in part ? part.output : []));
}

function onlyChunk(outputs: (Rolldown.OutputChunk | Rolldown.OutputAsset)[]): string {
  const [chunk, ...others] = outputs.filter((output) => output.type === 'chunk');
  if (!chunk || others.length) throw new Error('expected one chunk');
  return chunk.code;
}

function hashed(name: string, code: string): Built {
  const hash = createHash('sha256').update(code).digest('hex').slice(0, 12);
  return { file: `${name}-${hash}.js`, code };
}
