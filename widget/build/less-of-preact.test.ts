import { expect, it } from 'vitest';
import { lessOfPreact } from './less-of-preact.ts';

function transform(code: string, id = '/widget/form/part.tsx'): void {
  const { transform: hook } = lessOfPreact;
  if (typeof hook !== 'function') throw new Error('the plugin has no transform');
  Reflect.apply(hook, undefined, [code, id]);
}

it.each([
  'static getDerivedStateFromError() {}',
  'override shouldComponentUpdate() {}',
  "import { useState } from 'preact/hooks';",
  '<p style={look}>',
  '<button onClick={() => go()} is="a-b">',
  '<textarea value="" />',
])('refuses code that uses a part left out: %s', (code) => {
  expect(() => transform(code)).toThrow('keep that part of Preact');
});

it('accepts what the form uses', () => {
  transform('<OptionList list={options} /><input class="mark" onBlurCapture={() => leave()} />');
  transform('<p style={look}>', '/console/part.ts');
});
