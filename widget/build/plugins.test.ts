import { expect, it } from 'vitest';
import { makeInline } from './plugins.ts';

const entry = (code: string) => ({ fileName: 'form-E.js', isEntry: true, code });
const later = (code: string) => ({ fileName: 'later-L.js', isEntry: false, code });

it('makes chunks read the entry’s exports from a global', () => {
  const chunks = [
    entry('var a=[],$=t=>a.push(t);$(`entry`);self.load=()=>import(`./later-L.js`);export{$ as n,a as t,a as u};'),
    later('import{n as e,t,u as $}from"./form-E.js";import"./form-E.js";e(`later`);self.heard=[t,$];'),
  ];
  makeInline(chunks);
  const self: { heard?: string[][]; load?: () => Promise<unknown> } = {};
  for (const { code } of chunks) new Function('self', code)(self);
  expect(self.heard).toEqual([
    ['entry', 'later'],
    ['entry', 'later'],
  ]);
  expect(String(self.load)).toBe('again=>import(`/form/`+again+`later-L.js`)');
});

it('keeps imports between chunks', () => {
  const chunks = [entry('export{};'), later('import{a as e}from"./other-O.js";e();')];
  makeInline(chunks);
  expect(chunks[1]?.code).toBe('import{a as e}from"./other-O.js";e();');
});

it.each([
  ['ends its script element', [entry('x=`</script>`')]],
  ['begins a comment', [entry('x=`<!--`')]],
  ['imports another chunk', [entry('import{a}from"./later-L.js";a()'), later('export{a}')]],
  ['imports a chunk in a way that is not known', [entry('function f(){return import(`./later-L.js`)}')]],
  ['is imported in a way that is not known', [entry('export{a}'), later('export * from "./form-E.js"')]],
])('refuses an entry that %s', (_, chunks) => {
  expect(() => makeInline(chunks)).toThrow('cannot be inline');
});
