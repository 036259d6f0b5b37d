import { build, loadConfigFromFile } from 'vite';

/** The gallery's own script and the form's style sheet, both built as the form itself is. */
export type Bundle = { script: string; css: string };

/** A picture is drawn at once, so it needs a single script with the rules of all countries. */
const LEFT_OUT = ['known-at-first', 'inline-entry'];

/** Builds them in memory; `root` is the repository's folder. */
export async function bundle(root: string): Promise<Bundle> {
  const form = await loadConfigFromFile({ command: 'build', mode: 'form' }, 'vite.config.ts', root);
  const plugins = (form?.config.plugins ?? []).filter(
    (plugin) => !(plugin && 'name' in plugin && LEFT_OUT.includes(plugin.name)),
  );
  const result = await build({
    ...form?.config,
    plugins,
    root,
    configFile: false,
    logLevel: 'warn',
    build: {
      ...form?.config.build,
      write: false,
      rolldownOptions: { input: { gallery: 'gallery/frame.tsx' }, output: { codeSplitting: false } },
    },
  });
  const outputs = [result].flat().flatMap((part) => ('output' in part ? part.output : []));
  const script = outputs.find((output) => output.type === 'chunk');
  const style = outputs.find((output) => output.type === 'asset' && output.fileName.endsWith('.css'));
  if (script?.type !== 'chunk' || style?.type !== 'asset')
    throw new Error('the gallery was built without script or styles');
  return { script: script.code, css: String(style.source) };
}
