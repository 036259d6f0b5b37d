import { expect, it } from 'vitest';
import { importedBy } from './bundle.ts';

it('counts chunks imported by other chunks as initial, despite import cycles', () => {
  const chunk = (fileName: string, ...imports: string[]) => ({ fileName, imports });
  const chunks = [chunk('form', 'a'), chunk('a', 'b'), chunk('b', 'a'), chunk('lazy', 'a', 'c'), chunk('c')];
  expect([...importedBy('form', chunks)]).toEqual(['form', 'a', 'b']);
});
