import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { type Before, bundleBefore } from './before.ts';
import { wallPage } from './pages/wall-page.ts';

const earlier = (names: string[]): Before => ({ ref: 'v1', script: '', css: '', names: new Set(names) });

const rowOf = (name: string, page: string) => page.split('<article>').find((row) => row.startsWith(`<h3>${name}</h3>`));

describe('the gallery beside an earlier one', () => {
  it('shows each picture after its counterpart', () => {
    const row = rowOf('empty', wallPage(earlier(['empty'])));
    expect([...(row ?? '').matchAll(/src="([^#]+)#/g)].slice(0, 2).map(([, src]) => src)).toEqual([
      '/before/frame',
      '/frame',
    ]);
    expect(row).toContain('<b>v1</b>');
  });

  it('says which pictures have no counterpart', () => {
    const row = rowOf('empty', wallPage(earlier([]))) ?? '';
    expect(row).toContain('No such picture');
    expect(row).not.toContain('/before/frame');
  });

  it('shows pictures that no longer exist', () => {
    expect(rowOf('long gone', wallPage(earlier(['long gone'])))).toContain('/before/frame#name=long+gone');
  });

  it('has no links to compare without an earlier version', () => {
    expect(wallPage()).not.toMatch(/before|No such picture|<b>/);
  });

  it('fails for a commit that git does not know', async () => {
    await expect(bundleBefore(join(import.meta.dirname, '..'), 'no-such-commit')).rejects.toThrow();
  });
});
