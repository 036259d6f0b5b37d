import type { Plugin } from 'vite';
import { defineConfig, type ViteUserConfig } from 'vitest/config';

const jsx = { jsx: { runtime: 'automatic', importSource: 'preact' } } as const;

/** Vite wraps each import() in a loader of style sheets and preloads, 1 KB of it. Our chunks have neither. */
const plainImports: Plugin = {
  name: 'plain-imports',
  enforce: 'pre',
  load: (id) => (id === '\0vite/preload-helper.js' ? 'export const __vitePreload = (load) => load();' : undefined),
};

/** One build a mode: the form, the loader, and the module that renders the form on the server. */
const builds: Record<string, ViteUserConfig> = {
  form: {
    oxc: jsx,
    plugins: [plainImports],
    base: './',
    build: {
      target: 'es2022',
      // Chunks stand beside the entry and come by import(); there is one style sheet, which the page inlines.
      modulePreload: false,
      cssCodeSplit: false,
      assetsDir: '.',
      rolldownOptions: { input: { form: 'widget/form/main.tsx' } },
    },
  },
  embed: {
    build: {
      target: 'es2022',
      lib: {
        entry: 'widget/embed/turnpike.ts',
        formats: ['iife'],
        name: 'TurnpikeLoader',
        fileName: () => 'turnpike.js',
      },
    },
  },
  render: {
    oxc: jsx,
    ssr: { noExternal: true },
    build: {
      target: 'node22',
      ssr: 'widget/form/render.tsx',
      rolldownOptions: { output: { entryFileNames: 'render.js' } },
    },
  },
};

/** Real servers and a real browser on a small machine: slow is not wrong. */
const tests: ViteUserConfig = { oxc: jsx, test: { testTimeout: 30_000, hookTimeout: 30_000, maxWorkers: 2 } };

export default defineConfig(({ mode }) => builds[mode] ?? tests);
