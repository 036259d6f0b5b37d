import { describe, expect, it } from 'vitest';
import type { BuildManifest } from '../../shared/checkout/scripts.ts';
import { earlierScripts } from './earlier.ts';

const script = (file: string) => ({ file, purpose: '' });

const none = { wording: [], flow: [], views: [], parts: [], details: [], hosted: [] };
const noPieces = { addresses: [], banks: [], dates: [], documents: [], files: [], phones: [] };

function manifest(loader: string, form: string[], earlier: string[] = []): BuildManifest {
  return {
    sources: '',
    files: [],
    packages: [],
    loader: script(loader),
    doctor: script('turnpike-doctor-d.js'),
    form: { files: form.map(script), preload: { ...none, ...noPieces } },
    inline: { painted: script('p'), form: script('f'), probe: script('q') },
    css: '',
    render: '',
    earlier,
  };
}

describe('the kept scripts of earlier builds', () => {
  it('are the previous loader and form, which pages may still use', () => {
    const last = manifest('turnpike-1.js', ['form/a-1.js', 'form/b-1.js']);
    expect(earlierScripts(last, new Set(['turnpike-2.js', 'form/a-2.js', 'form/b-1.js']))).toEqual([
      'turnpike-1.js',
      'form/a-1.js',
    ]);
  });

  it('are the same if the same sources are built again', () => {
    const last = manifest('turnpike-2.js', ['form/a-2.js'], ['turnpike-1.js', 'form/a-1.js']);
    expect(earlierScripts(last, new Set(['turnpike-2.js', 'form/a-2.js']))).toEqual(['turnpike-1.js', 'form/a-1.js']);
  });

  it('are those of one earlier form and at most ten loaders', () => {
    const loaders = Array.from({ length: 12 }, (_, index) => `turnpike-${index}.js`);
    const last = manifest('turnpike-now.js', ['form/a-2.js'], [...loaders, 'form/a-1.js']);
    const kept = earlierScripts(last, new Set(['turnpike-next.js', 'form/a-3.js']));
    expect(kept).toEqual(['turnpike-now.js', ...loaders.slice(0, 9), 'form/a-2.js']);
  });

  it('are none without a previous build, or after one without lists', () => {
    expect(earlierScripts(undefined, new Set())).toEqual([]);
    const ancient: BuildManifest = JSON.parse('{"sources":"","loader":"turnpike-1.js","form":{"files":["form/a.js"]}}');
    expect(earlierScripts(ancient, new Set())).toEqual([]);
  });
});
