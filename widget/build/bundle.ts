import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { build, type Rolldown } from 'vite';
import { packagesOf } from '../../build/packages.ts';
import type { BuildManifest, BuiltScript } from '../../shared/checkout/scripts.ts';
import type { Asset } from './report.ts';

/** One built file, under the name that it will have in `dist`: its content's hash is part of it. */
export type Built = { file: string; code: string };

/** One script and its purpose. */
export type Script = Built & BuiltScript;

type Bundles = {
  loader: Script;
  doctor: Script;
  painted: Script;
  probe: Script;
  form: { entry: Script; chunks: Script[]; preload: BuildManifest['form']['preload'] };
  css: Built;
  render: Built;
  assets: Asset[];
  /** The npm packages with code or data in the bundles, as paths below the repository's folder. */
  packages: string[];
};

/** Packages that are compiled into a table, so that no bundle contains their modules. */
const COMPILED = ['node_modules/credit-card-type'];

/** Runs the builds of `vite.config.ts` in memory. */
export async function bundle(root: string): Promise<Bundles> {
  const modules: string[] = [];
  const run = async (mode: string): Promise<Output[]> => {
    const outputs = await outputsOf(root, mode);
    modules.push(...outputs.flatMap((output) => (output.type === 'chunk' ? output.moduleIds : [])));
    return outputs;
  };
  const oneFile = async (mode: string, name: string, purpose: string) => ({
    ...hashed(name, onlyChunk(await run(mode))),
    purpose,
  });
  const loader = await oneFile('loader', 'turnpike', 'puts the checkout’s frame into the shop’s page');
  const doctor = await oneFile(
    'doctor',
    'turnpike-doctor',
    'finds what keeps the checkout from working; loaded only when Turnpike.doctor() is called',
  );
  const painted = await oneFile('painted', 'painted', 'reports the height of the form to the shop’s page');
  const probe = await oneFile('probe', 'probe', 'asks about the session for Turnpike.doctor(), in a hidden frame');
  const outputs = await run('form');
  const chunks = outputs.filter((output) => output.type === 'chunk');
  const entry = chunks.find((chunk) => chunk.isEntry);
  const style = outputs.find((output) => output.type === 'asset' && output.fileName.endsWith('.css'));
  if (!entry || style?.type !== 'asset') throw new Error('the form was built without an entry or without styles');
  const beside = (name: string) => {
    const chunk = chunks.find((one) => one.name === name && one.isDynamicEntry);
    const files = chunk ? [...importedBy(chunk.fileName, chunks)] : [];
    return files.filter((file) => file !== entry.fileName).map(inForm);
  };
  const render = hashed('render', onlyChunk(await run('render')));
  const script = ({ fileName, code, name }: Rolldown.OutputChunk) => ({
    file: inForm(fileName),
    code,
    purpose: purposeOf(name),
  });
  // Otherwise Vite's comment would be in every page.
  const css = { file: inForm(style.fileName), code: String(style.source).replace(/\s*\/\*\$vite.*\*\/\s*$/, '') };
  return {
    loader,
    doctor,
    painted,
    probe,
    form: {
      entry: script(entry),
      chunks: chunks.filter((chunk) => chunk !== entry).map(script),
      preload: {
        wording: chunks.filter(({ name }) => name === 'wording').map(({ fileName }) => inForm(fileName)),
        flow: beside('flow'),
        views: beside('views'),
        parts: beside('parts'),
        details: beside('details'),
        hosted: beside('hosted'),
        addresses: beside('addresses'),
        banks: beside('combobox'),
        dates: beside('birth-date'),
        documents: beside('documents'),
        files: beside('file-field'),
        phones: beside('phone-field'),
      },
    },
    css,
    render,
    assets: [
      { ...loader, part: 'loader', lazy: false },
      { ...doctor, part: 'loader', lazy: true },
      { ...probe, part: 'loader', lazy: true },
      { ...css, part: 'form', lazy: false },
      { ...painted, part: 'form', lazy: false },
      ...chunks.map((chunk) => ({ ...script(chunk), part: 'form' as const, lazy: chunk !== entry })),
    ],
    packages: [...packagesOf(modules), ...COMPILED].toSorted(),
  };
}

/** A chunk and its static imports, direct and indirect. */
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

type Output = Rolldown.OutputChunk | Rolldown.OutputAsset;

async function outputsOf(root: string, mode: string): Promise<Output[]> {
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

function onlyChunk(outputs: Output[]): string {
  const [chunk, ...others] = outputs.filter((output) => output.type === 'chunk');
  if (!chunk || others.length) throw new Error('expected one chunk');
  return chunk.code;
}

function inForm(fileName: string): string {
  return `form/${fileName}`;
}

function hashed(name: string, code: string): Built {
  const hash = createHash('sha256').update(code).digest('hex').slice(0, 16);
  return { file: `${name}-${hash}.js`, code };
}

/** The purpose of each script by the name of its chunk, for the inventory of scripts on the payment page (PCI DSS 6.4.3). */
const PURPOSES: Readonly<Record<string, string>> = {
  form: 'the payment form: takes the card, and groups its number as on the card',
  flow: 'knows the brands of cards, checks what is typed, sends the payment with data of the browser, and polls its outcome',
  views: 'shows messages, outcomes and the brands of cards',
  parts: 'choices beside the card: many payment methods, saved cards, installments, terms',
  details: 'fields beside the card, and their rules',
  hosted: 'the parts around the form on the hosted page: the order, and the links back to the shop',
  addresses: 'countries, states and postal codes of addresses',
  combobox: 'finds a bank by typing',
  countries: 'the names of countries, in the shopper’s language',
  'birth-date': 'takes a date of birth, in the order in which the shopper writes one',
  documents: 'check digits of identity and tax numbers',
  'file-field': 'takes a file, such as a photo of a document',
  'phone-field': 'takes a telephone number and its country',
  wording: 'writes amounts and names, puts parts of a sentence together, and checks the card',
  libphonenumber: 'reads and writes telephone numbers',
  texts: 'the form’s texts in another language than the page came with',
  traits: 'reads the device’s fingerprint while the shopper does not type, for the bank’s risk check',
};

/** The purpose of a chunk of the form. A chunk without an entry above is shared by several others. */
function purposeOf(chunk: string): string {
  const [, zone] = /phone-zone-(\d)$/.exec(chunk) ?? [];
  if (zone) return `the formats of telephone numbers whose calling code begins with ${zone}`;
  return PURPOSES[chunk] ?? `code that parts of the payment form share (${chunk})`;
}
