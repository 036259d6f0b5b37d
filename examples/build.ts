import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';
import { z } from 'zod';

export const examples = ['plain', 'react', 'vue', 'svelte'] as const;
export type ExampleName = (typeof examples)[number];

/** The data of a page: the shop's order, as the relay returned it. */
export type Order = { id: string; client_secret: string; checkout_url: string };

/** An example, built. */
export type Example = {
  name: ExampleName;
  /** The folder with `client.js`, the browser's script. */
  folder: string;
  /** The page's content as HTML. */
  render(order: Order): Promise<string>;
};

type Rendering = { render(order: Order): unknown };

/** Builds an example into `folder`: a script for the browser, and a module for the server that renders the page. */
export async function buildExample(name: ExampleName, folder: string): Promise<Example> {
  const root = join(import.meta.dirname, name);
  const suffix = name === 'react' ? 'jsx' : 'js';
  const common = { root, configFile: join(root, 'vite.config.ts'), logLevel: 'warn' } as const;
  const one = { entryFileNames: '[name].js', codeSplitting: false } as const;
  await build({
    ...common,
    build: {
      outDir: join(folder, 'client'),
      emptyOutDir: true,
      modulePreload: false,
      rolldownOptions: { input: join(root, `client.${suffix}`), output: one },
    },
  });
  await build({
    ...common,
    // This folder has no node_modules to import from.
    ssr: { noExternal: true },
    build: {
      outDir: join(folder, 'server'),
      emptyOutDir: true,
      ssr: join(root, `server.${suffix}`),
      rolldownOptions: { output: one },
    },
  });
  const module: Rendering = await import(pathToFileURL(join(folder, 'server/server.js')).href);
  return {
    name,
    folder: join(folder, 'client'),
    render: async (order) => z.string().parse(await module.render(order)),
  };
}
