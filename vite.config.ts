import { defineConfig, type UserConfig } from 'vite';

const jsx = { jsx: { runtime: 'automatic', importSource: 'preact' } } as const;

/** One build a mode: the form, the loader, and the module that renders the form on the server. */
const builds: Record<string, UserConfig> = {
  form: {
    oxc: jsx,
    base: './',
    build: {
      outDir: 'dist/form',
      target: 'es2022',
      manifest: true,
      modulePreload: false,
      assetsDir: '.',
      rolldownOptions: { input: { form: 'widget/form/main.tsx' } },
    },
  },
  embed: {
    build: {
      outDir: 'dist/embed',
      target: 'es2020',
      lib: { entry: 'widget/embed/turnpike.ts', formats: ['iife'], name: 'Turnpike', fileName: () => 'turnpike.js' },
    },
  },
  render: {
    oxc: jsx,
    ssr: { noExternal: true },
    build: {
      outDir: 'dist/render',
      target: 'node22',
      ssr: 'widget/form/render.tsx',
      rolldownOptions: { output: { entryFileNames: 'render.js' } },
    },
  },
};

export default defineConfig(({ mode }) => builds[mode] ?? { oxc: jsx });
