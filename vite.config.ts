import type { Plugin } from 'vite';
import { defineConfig, type ViteUserConfig } from 'vitest/config';
import { compileBins } from './widget/build/bins.ts';

const jsx = { jsx: { runtime: 'automatic', importSource: 'preact' } } as const;

/** Vite wraps each import() in a loader of style sheets and preloads, 1 KB of it. Our chunks have neither. */
const plainImports: Plugin = {
  name: 'plain-imports',
  enforce: 'pre',
  load: (id) => (id === '\0vite/preload-helper.js' ? 'export const __vitePreload = (load) => load();' : undefined),
};

/** The table of card brands is compiled while building: browsers load the table alone, not the library that it comes from. */
const precompiled: Plugin = {
  name: 'precompiled',
  enforce: 'pre',
  load: (id) =>
    id.endsWith('/widget/form/card/bin-table.ts')
      ? `export const binTable = ${JSON.stringify(compileBins())};`
      : undefined,
};

function oneFile(entry: string, format: 'iife' | 'es'): ViteUserConfig {
  const lib = { entry, formats: [format], name: 'Turnpike', fileName: 'script' };
  return { build: { target: 'es2022', lib } };
}

/** One build a mode: the form, the shop's and the frame's small scripts, and the module that renders the form on the server. */
const builds: Record<string, ViteUserConfig> = {
  form: {
    oxc: jsx,
    plugins: [plainImports, precompiled],
    base: './',
    build: {
      target: 'es2022',
      // Older ones get variables that stand in for light-dark(), which we do not use.
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      // Chunks stand beside the entry and come by import(); there is one style sheet, which the page inlines.
      modulePreload: false,
      cssCodeSplit: false,
      assetsDir: '.',
      rolldownOptions: { input: { form: 'widget/form/main.tsx' } },
    },
  },
  // Scripts of one file each, for the shop's page and, inline, for the frame's.
  loader: oneFile('widget/embed/turnpike.ts', 'iife'),
  doctor: oneFile('widget/embed/doctor/doctor.ts', 'es'),
  painted: oneFile('widget/embed/painted.ts', 'iife'),
  probe: oneFile('widget/embed/doctor/probe.ts', 'iife'),
  render: {
    oxc: jsx,
    plugins: [precompiled],
    ssr: { noExternal: true },
    build: {
      target: 'node22',
      ssr: 'widget/form/render.tsx',
      rolldownOptions: { output: { entryFileNames: 'render.js' } },
    },
  },
};

/** Real servers and a real browser on a small machine: slow is not wrong. */
const tests: ViteUserConfig = {
  oxc: jsx,
  plugins: [precompiled],
  test: { testTimeout: 30_000, hookTimeout: 30_000, maxWorkers: 2 },
};

export default defineConfig(({ mode }) => builds[mode] ?? tests);
