// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { setVariables } from './shell.ts';

describe('the shop’s variables', () => {
  const root = document.createElement('html');

  it('are set where they are ours, and nothing else is', () => {
    setVariables(root, { '--turnpike-radius': '2px', '--other': '1px', color: 'red', '--turnpike-font': 7 });
    expect(root.getAttribute('style')?.trim()).toBe('--turnpike-radius: 2px;');
  });

  it('go when the shop takes them away', () => {
    setVariables(root, { '--turnpike-spacing': '4px' });
    expect(root.getAttribute('style')?.trim()).toBe('--turnpike-spacing: 4px;');
    setVariables(root, undefined);
    expect(root.style.length).toBe(0);
  });
});
