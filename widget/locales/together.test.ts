import { expect, it } from 'vitest';
import { inOneSentence, named, sentences } from './together.ts';

it.each([
  ['pt-BR', 'A, B'],
  ['ar', 'A، B'],
  ['ja', 'A、B'],
  ['zh-TW', 'A，B'],
  ['ko', 'A, B'],
])('parts of a sentence stand beside each other in %s as %s', (lang, text) => {
  expect(inOneSentence(lang, ['A', false, '', 'B', undefined])).toBe(text);
});

it.each([
  ['de', 'A. B.'],
  ['zh-CN', 'A.B.'],
])('sentences follow each other in %s as %s', (lang, text) => {
  expect(sentences(lang, ['A.', false, 'B.'])).toBe(text);
});

it.each([
  ['en', 'Plan: Tea'],
  ['fr', 'Plan\u202f: Tea'],
  ['ja', 'Plan：Tea'],
  ['ar', 'Plan: \u2068Tea\u2069'],
])('a thing is named in %s as %s', (lang, text) => {
  expect(named(lang, 'Plan', 'Tea')).toBe(text);
});
