// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { setTheme, setVariables } from './shell.ts';

describe('the shop’s variables', () => {
  const root = document.createElement('html');

  it('are set where they are ours, and nothing else is', () => {
    setVariables(root, { '--turnpike-radius': '2px', '--other': '1px', color: 'red', '--turnpike-font': 7 });
    expect(root.getAttribute('style')?.trim()).toBe('--turnpike-radius: 2px;');
  });

  it('go when the shop takes them away', () => {
    setVariables(root, { '--turnpike-spacing': '4px' });
    expect(root.getAttribute('style')?.trim()).toBe('--turnpike-spacing: 4px;');
    setVariables(root, {});
    expect(root.style.length).toBe(0);
  });

  it('replace all variables of the address, unless the shop sets none', () => {
    const { documentElement } = document;
    const style = document.createElement('style');
    style.id = 'variables';
    document.head.append(style);
    setVariables(documentElement, undefined);
    expect(style.isConnected).toBe(true);
    setVariables(documentElement, {});
    expect(style.isConnected).toBe(false);
  });
});

describe('the theme', () => {
  it.each([
    ['dark', 'dark', ''],
    ['compact light', 'light', 'compact'],
    ['compact', 'auto', 'compact'],
    ['pink', 'auto', ''],
    [undefined, 'auto', ''],
  ])('%j shows %s, %j', (theme, shown, className) => {
    const root = document.createElement('html');
    root.dataset.theme = 'auto';
    setTheme(root, theme);
    expect([root.dataset.theme, root.className]).toEqual([shown, className]);
  });
});
