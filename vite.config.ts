import type { Plugin } from 'vite';
import { defineConfig, type ViteUserConfig } from 'vitest/config';
import { lessOfUPlot } from './console/less-of-uplot.ts';
import { lessOfFingerprint } from './widget/build/less-of-fingerprint.ts';
import { lessOfPreact } from './widget/build/less-of-preact.ts';
import { inlineEntry, phoneZones } from './widget/build/plugins.ts';

const jsx = { jsx: { runtime: 'automatic', importSource: 'preact' } } as const;

/** Vite wraps each import() in a loader of style sheets and preloads, 1 KB of it. Our chunks have neither: they load plainly. */
const plainImports: Plugin = {
  name: 'plain-imports',
  enforce: 'pre',
  load: (id) => (id === '\0vite/preload-helper.js' ? 'export const __vitePreload = (load) => load();' : undefined),
  generateBundle: {
    order: 'post',
    handler(_, files) {
      for (const file of Object.values(files)) {
        if (file.type === 'chunk')
          file.code = file.code.replace(
            /\b\w+\(\(\)=>(import\(`[^`]+`\)(?:\.then\(\w+=>\w+\.\w+\))?),\[\],import\.meta\.url\)/g,
            '$1',
          );
      }
    },
  },
};

/** The table of card brands is compiled while building: browsers load the table alone, not the library that it comes from. */
const precompiled: Plugin = {
  name: 'precompiled',
  enforce: 'pre',
  async load(id) {
    if (!id.endsWith('/widget/build/bins.ts')) return undefined;
    // Not before it is needed: most tests need no table.
    const { binTable } = await import('./widget/build/bins.ts');
    return `export const binTable = ${JSON.stringify(binTable)};`;
  },
};

/** stdnum's modules for browsers, which Node cannot load; ours name those that it can. libphonenumber's modern ones weigh 4 KB less. */
const resolve = {
  alias: [
    { find: /^stdnum\/lib\/cjs\//, replacement: 'stdnum/lib/esm/' },
    { find: /^libphonenumber-js\/core$/, replacement: 'libphonenumber-js/core/es6' },
  ],
};

/** stdnum's table of all dashes, dots and digits of the world weighs 1.3 KB. It gets numbers that hold none of them. */
const plainNumbers: Plugin = {
  name: 'plain-numbers',
  enforce: 'pre',
  load: (id) =>
    id.endsWith('/stdnum/lib/esm/util/strings/clean.js')
      ? 'export const cleanUnicode = (value) => [value, null];'
      : undefined,
};

/** The console is a page of its own, and elements that take their children as arguments weigh half a kilobyte less there. */
const plainElements = {
  jsx: { runtime: 'classic', pragma: 'h', pragmaFrag: 'Fragment' },
  jsxInject: "import { Fragment, h } from 'preact'",
} as const;

function oneFile(entry: string, format: 'iife' | 'es'): ViteUserConfig {
  const lib = { entry, formats: [format], name: 'Turnpike', fileName: 'script' };
  return { build: { target: 'es2022', lib } };
}

/** One build a mode: the form, the shop's and the frame's small scripts, and the module that renders the form on the server. */
const builds: Record<string, ViteUserConfig> = {
  form: {
    oxc: plainElements,
    resolve,
    plugins: [lessOfPreact, lessOfFingerprint, plainImports, precompiled, phoneZones, plainNumbers, inlineEntry],
    base: './',
    build: {
      target: 'es2022',
      // Older ones get variables that stand in for light-dark(), which we do not use.
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      // Chunks stand beside the entry and come by import(); there is one style sheet, which the page inlines.
      modulePreload: false,
      cssCodeSplit: false,
      assetsDir: '.',
      rolldownOptions: {
        input: { form: 'widget/form/main.tsx' },
        // All that the entry needs at once in one script: apart it weighs half a kilobyte more.
        output: {
          codeSplitting: {
            groups: [
              { name: 'form', tags: ['$initial'] },
              // What several of the others share.
              {
                name: 'wording',
                test: /\/(checkout\/(money\/money|fields\/names|remembered)|flow\/awaited|locales\/(count|together)|card\/problems)\.ts$/,
              },
              // What two features of the details share.
              { name: 'countries', test: /\/fields\/address\/countries\.ts$/ },
            ],
          },
          chunkFileNames: ({ name }) => `${name.replace('_virtual_', '')}-[hash].js`,
        },
      },
    },
  },
  // Scripts of one file each, for the shop's page and, inline, for the frame's.
  loader: oneFile('widget/embed/turnpike.ts', 'iife'),
  doctor: oneFile('widget/embed/doctor/doctor.ts', 'es'),
  painted: oneFile('widget/embed/painted.ts', 'iife'),
  probe: oneFile('widget/embed/doctor/probe.ts', 'iife'),
  console: {
    oxc: plainElements,
    plugins: [plainImports, lessOfUPlot],
    base: './',
    build: {
      target: 'es2022',
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      modulePreload: false,
      cssCodeSplit: false,
      assetsDir: '.',
      rolldownOptions: {
        input: { console: 'console/main.tsx' },
        output: {
          entryFileNames: '[name]-[hash].js',
          chunkFileNames: '[name]-[hash].js',
          // What the charts share with the rest stays in the entry: apart it weighs more.
          codeSplitting: { groups: [{ name: 'console', tags: ['$initial'] }] },
        },
      },
    },
  },
  render: {
    oxc: jsx,
    resolve,
    plugins: [precompiled, phoneZones, plainNumbers],
    ssr: { noExternal: true },
    build: {
      target: 'node22',
      ssr: 'widget/form/render.tsx',
      rolldownOptions: { output: { entryFileNames: 'render.js', codeSplitting: false } },
    },
  },
};

/** Files that measure the memory of their process, want a DOM of their own, or a module that is not loaded yet: a process each. */
const ALONE = [
  'test/faults/answers/bounded-memory.test.ts',
  'test/contract/hostile/hostile-wire.test.ts',
  'gallery/gallery.test.tsx',
  'relay/openapi/page/docs-page.test.ts',
  'widget/{device,embed}/*.test.ts',
  'widget/form/{bridge,texts}.test.ts',
  'widget/form/**/{api,features}.test.ts',
  'widget/form/details/controls/phone-field.test.tsx',
];

/** Tests of the form's parts: they share a page, which is empty before each test. */
const FORM = ['widget/form/**/!(render|mark-symbols|phone-field).test.tsx'];

/**
 * What `npm run test:quick` runs: the unit tests of packages and layers that need no PostgreSQL, no browser and no other process.
 * These are the pure packages, the relay's layers below its store, and the builds; without properties of thousands of cases and
 * without the files that start processes.
 */
const QUICK =
  '{build,release,shared,webhooks,relay/{base,config,gateway,payments},widget/{build,locales}}/**/!(*-properties|log-destination|launchers|sign).test.ts';

/** What `npm run test:all` adds to `npm test`: tests that install frameworks from the registry, need more languages, or repeat a story in one more framework. */
const PLATFORMS = 'test/platforms/**/*.test.ts';

/**
 * What only `npm run test:all` runs, beside other stores and faults: stories that take long and whose rules the simulation, unit tests or
 * shorter stories check in `npm test`. A file that is named runs anyway.
 */
const LONG = [
  // The simulation and relay/payments: settlement, refunds, notifications.
  'test/contract/{settlement,refunds}/*.test.ts',
  'test/contract/webhooks/{early-renewal,notification-webhooks}.test.ts',
  'test/contract/operations/{long-query,renewals}.test.ts',
  'test/contract/console/order-status.test.ts',
  'test/faults/kills/kill-{bulk,approval}.test.ts',
  // The rules of the fields, in shared and relay, take and refuse the same numbers.
  'widget/form/details/sample-numbers.test.tsx',
  // console-screens opens every screen, console-day works in most of them.
  'test/browser/console/**/!(console-screens|console-day).test.ts',
  'test/contract/operating/{demo-history,dev,poller-restart,tracing}.test.ts',
  'test/browser/paying/{issuer,lost,pending,truth}.test.ts',
  // The rules of the commands, in cli.
  'test/contract/cli/{cli-bulk-settle,cli-bulk-settle-operations,cli-listen}.test.ts',
  // The store's other suites run the same tests without PgBouncer.
  'relay/store/postgres/pooler.test.ts',
  // The documentation in a browser. Its facts, its links and the README's code are checked in `npm test`.
  'test/browser/docs/docs-code-{embedding,events,fields}.test.ts',
  'test/browser/docs/{docs,examples,examples-servers,testing,testing-docs}.test.ts',
  'test/contract/{cli/docs-cli,operating/docs-sandbox,packages/docs-server-side,packages/docs-first-order}.test.ts',
  // Unusual pages, devices and languages. embed, hosted-page, parts-of-the-form and every-field play the usual ones.
  'test/browser/embed/{arriving,before-hydration,embed-doctor,embed-hosts,embed-paint,fonts,host-pages,many-mounts,web-views}.test.ts',
  'test/browser/form/{accessibility-live,choices,device,live-locale,locales,paired-fields}.test.ts',
  'test/firefox/settings.test.ts',
  'test/webkit/two-browsers.test.ts',
  // Ten payments on a slowed phone; webkit/checkout looks at one.
  'test/webkit/fingerprint.test.ts',
  // What a release is made of, and how it is installed. `npm run rehearse` upgrades and restarts it, too.
  'test/release/release.test.ts',
  'test/contract/packages/package-types.test.ts',
  'test/deploy/{docs-deploy,notify,verify-backup}.test.ts',
  // Alerts about the gateway, the relay and the shop; those about money and the rules of all are checked in `npm test`.
  'test/deploy/alerts/{gateway,relay,shop}.test.ts',
];

/** Modes of their own run a part of the tests, all of whose files can share a process. */
const PARTS: Record<string, string> = { quick: QUICK, platforms: PLATFORMS };

/** Real servers and a real browser on a small machine: slow is not wrong. They wait more than they compute, so seven run at once on two cores. */
async function tests(mode: string): Promise<ViteUserConfig> {
  const { LongFirst } = await import('./test/setup/long-first.ts');
  const part = PARTS[mode];
  const isNamed = process.argv.some((argument) => /\.test\.tsx?$/.test(argument));
  const omitted = process.env.TURNPIKE_TESTS === 'all' || isNamed ? [] : LONG;
  const exclude = ['**/node_modules/**', 'dist/**', ...(part ? [] : [PLATFORMS, ...omitted])];
  const include = [part ?? '**/*.test.{ts,tsx}'];
  return {
    oxc: jsx,
    plugins: [precompiled, phoneZones],
    test: {
      testTimeout: 600_000,
      hookTimeout: 600_000,
      // The unit tests compute more than they wait, and each further process loads what they share once more.
      maxWorkers: mode === 'quick' ? 2 : 7,
      // Most tests end before Turbofan’s code repays its compilation; more memory for new objects means fewer collections.
      execArgv: ['--no-opt', '--min-semi-space-size=16'],
      expect: { poll: { timeout: 300_000 } },
      sequence: { sequencer: LongFirst },
      globalSetup: './test/setup/scratch.ts',
      // To load a relay and to start a browser takes longer than most files run: those that can share a process and its browser.
      // A process ends before a file of another project. Therefore the form's files run first, in a group of their own, and in few
      // processes, because they only compute.
      projects: [
        {
          extends: true,
          test: {
            name: 'shared',
            include,
            exclude: [...exclude, ...ALONE, ...FORM],
            isolate: false,
            sequence: { groupOrder: 1 },
          },
        },
        {
          extends: true,
          test: {
            name: 'form',
            include: part ? [] : FORM,
            exclude,
            isolate: false,
            sequence: { groupOrder: 0 },
            maxWorkers: 2,
            environment: 'jsdom',
            setupFiles: './test/setup/form-page.ts',
          },
        },
        // What they measure, they measure with the settings that the relay has.
        {
          extends: true,
          test: {
            name: 'alone',
            include: part ? [] : ALONE,
            exclude,
            execArgv: [],
            sequence: { groupOrder: 1 },
          },
        },
      ],
    },
  };
}

export default defineConfig(async ({ mode }) => builds[mode] ?? (await tests(mode)));
