import { expect, it } from 'vitest';
import { identifierIn } from './outcome.ts';

it('takes 1 to 255 printable characters', () => {
  for (const name of ['T', 'T'.repeat(255), '2026 11/22-ä_é', '4111111111111111', '取引1', '0042  ']) {
    expect(identifierIn(name), name).toBe(name);
  }
});

it('takes nothing else', () => {
  const controls = ['\0', '\n', '\t', '\u007f', '\u0085', '\u200b', '\u202e', '\u2028', '\ufeff', '\ud800', '\ue000'];
  for (const name of [undefined, null, '', ' ', '   ', 'T'.repeat(256), ...controls.map((one) => `T${one}1`)]) {
    expect(identifierIn(name), JSON.stringify(name)).toBeUndefined();
  }
});
