// @vitest-environment jsdom
import { act } from '@testing-library/preact';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Notice } from '../shared/checkout/view.ts';
import { type Stage, stageOf } from '../widget/form/state.ts';
import english from '../widget/locales/en.json' with { type: 'json' };
import { show } from './pages/stand.tsx';
import { brandNumbers } from './states/fixtures.ts';
import { type Picture, pictures } from './states.ts';

const en = { ...english.form, ...english.fields, ...english.hosted };

/**
 * Texts that no picture can contain: the document title, the text for browsers without scripts, texts of events, singular forms of
 * texts about several fields, and texts that only a click shows.
 */
const UNSEEN = ['title', 'noscript', 'fields_invalid', 'fields_wrong_one', 'card_remove_ask', 'card_keep'];

/** Every text of the form, marked by its key. */
const marked = Object.fromEntries(
  Object.entries(en).map(([key, text]) => [key, `⟦${key}⟧${text.match(/\{\w+\}/g)?.join('') ?? ''}`]),
);

let root: HTMLElement;
beforeEach(() => {
  root = document.createElement('div');
  document.body.replaceChildren(root);
});

async function draw(picture: Picture, messages?: Record<string, string>): Promise<HTMLElement> {
  await act(() => show(root, picture, messages));
  return root;
}

describe('the gallery', () => {
  it('shows every text of the form', async () => {
    // A desktop: only there the form shows a code for phones.
    vi.stubGlobal('matchMedia', () => ({ matches: true }));
    onTestFinished(() => void vi.unstubAllGlobals());
    const seen = new Set<string>(UNSEEN);
    for (const picture of pictures) {
      const html = (await draw(picture, marked)).innerHTML;
      for (const [, key = ''] of html.matchAll(/⟦(\w+)⟧/g)) seen.add(key);
      if (!('notice' in picture.shows)) continue;
      const lines = [...root.querySelectorAll('h1, p, a')].map((element) => element.textContent);
      for (const [key, text] of Object.entries(en)) if (lines.includes(text)) seen.add(key);
    }
    expect(Object.keys(en).filter((key) => !seen.has(key))).toEqual([]);
  });

  it('shows every stage', () => {
    const stages = { form: 0, paying: 0, leaving: 0, away: 0, confirming: 0, approved: 0, failed: 0, expired: 0 };
    const all: Record<Stage['name'], number> = { ...stages, pending: 0, broken: 0, incomplete: 0 };
    for (const { shows } of pictures) {
      if ('notice' in shows) continue;
      all[(shows.state?.stage ?? stageOf(shows.view)).name] += 1;
    }
    expect(Object.entries(all).filter(([, count]) => !count)).toEqual([]);
  });

  it('shows every notice page', () => {
    const notices = { open: 0, processing: 0, redirected: 0, unknown: 0, approved: 0, failed: 0, expired: 0 };
    const others = { confirming: 0, pending: 0, order_already_paid: 0, issuer_unreachable: 0, link_expired: 0 };
    const all: Record<Notice, number> = { ...notices, ...others, not_found: 0 };
    for (const { shows } of pictures) if ('notice' in shows) all[shows.notice] += 1;
    expect(Object.values(all)).not.toContain(0);
  });

  it.each(Object.keys(brandNumbers))('shows the mark of %s', async (brand) => {
    const picture = pictures.find(({ name }) => name === brand);
    const shown = picture && (await draw(picture)).querySelector('.mark use')?.getAttribute('href');
    expect(shown).toBe(`#mark-${brand}`);
    expect(root.querySelectorAll(`symbol${shown} path`)).not.toHaveLength(0);
  });

  it.each(pictures.map((picture) => [picture.name, picture] as const))('draws “%s” whole', async (_, picture) => {
    const text = (await draw(picture)).textContent ?? '';
    expect(text.length).toBeGreaterThan(20);
    expect(text).not.toMatch(/undefined|NaN|\[object|[{}⟦]/);
    expect(root.querySelectorAll('h1').length).toBe(1);
  });

  it('names no picture twice', () => {
    const names = pictures.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)]);
  });
});
