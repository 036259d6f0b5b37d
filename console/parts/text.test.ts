import { expect, it } from 'vitest';
import { harmless } from './text.tsx';

it.each([
  ['A-1001', 'A-1001'],
  ['A\u202egnp', 'A\ufffdgnp'],
  ['a\u0000b\nc', 'a␀b␊c'],
  ['a\u200bb', 'a\ufffdb'],
  ['\u2066x\u2069', '\ufffdx\ufffd'],
  ['<b>&amp;', '<b>&amp;'],
  ['नमस्\u200dते', 'नमस्\u200dते'],
])('replaces invisible characters: %j', (text, shown) => expect(harmless(text)).toBe(shown));
