import { join } from 'node:path';
import { build } from 'vite';
import { expect, it } from 'vitest';
import { documentRule } from '../../shared/checkout/fields/document/document.ts';
import * as table from '../../shared/checkout/fields/document/documents.ts';
import vectors from '../../shared/vectors/brazilian-documents.json' with { type: 'json' };
import config from '../../vite.config.ts';

const root = join(import.meta.dirname, '../..');

/** The rules in the browsers' build, which uses other files of the library than Node, without its tables. */
async function builtRules(): Promise<typeof table> {
  const { resolve = {}, plugins = [] } = await config({ command: 'build', mode: 'form' });
  const lib = { entry: join(root, 'shared/checkout/fields/document/documents.ts'), formats: ['es' as const] };
  const result = await build({
    root,
    configFile: false,
    logLevel: 'warn',
    resolve,
    plugins,
    build: { write: false, lib },
  });
  const outputs = [result].flat().flatMap((part) => ('output' in part ? part.output : []));
  const code = outputs.map((output) => (output.type === 'chunk' ? output.code : '')).join('');
  return import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`);
}

const others = ['20-05536168-2', '76086428-5', '900.123.456-8', '1714307103', '576937-K', 'BOXW310820HNERXN09']
  .concat(['20512333797', '80028061-0', '1.234.567-2', '21-100342-001-7', 'V-11470283-4', '123'])
  .flatMap((number) => [number, number.replace(/\d(?=\D*$)/, (digit) => `${(Number(digit) + 1) % 10}`)]);

it('gives browsers the same result for every document as the relay', async () => {
  const built = await builtRules();
  const lists = [vectors.cpf, vectors.cnpj].flatMap(({ valid, wrong, incomplete }) => [valid, wrong, incomplete]);
  const numbers = [...lists.flatMap((list) => Object.values(list)).flat(), ...others];
  for (const country of ['AR', 'BR', 'CL', 'CO', 'EC', 'GT', 'MX', 'PE', 'PY', 'UY', 'VE']) {
    const [ours, theirs] = [table, built].map(({ documents }) => documentRule(documents, country));
    for (const number of numbers) {
      const found = ours?.problem(number) ?? 'right';
      expect(theirs?.problem(number) ?? 'right', `${country} ${number}`).toBe(found);
    }
  }
});
