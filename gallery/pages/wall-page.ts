import type { Before } from '../before.ts';
import { type Picture, pictures, sections } from '../states.ts';
import { asking, escapeHtml } from './frame-page.ts';

/** The width of a phone, and of a form beside an order on a desktop. */
export const WIDTHS = { phone: 390, desktop: 560 } as const;
export const THEMES = ['light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** The widths of a picture. */
export function widthsOf({ width }: Picture): number[] {
  return width ? [width] : Object.values(WIDTHS);
}

/** The themes of a picture. */
export function themesOf({ theme }: Picture): readonly Theme[] {
  return theme ? [theme] : THEMES;
}

type Group = { title: string; rows: readonly string[] };

/**
 * The gallery's page: every picture, in both themes and all its widths, each in a frame. With `before`, the earlier
 * picture precedes each, and removed pictures come last.
 */
export function wallPage(before?: Before): string {
  const groups: Group[] = sections.map(({ title, pictures }) => ({
    title,
    rows: pictures.map((picture) => rowOf(picture, before)),
  }));
  const lost = [...(before?.names ?? [])].filter((name) => pictures.every((picture) => picture.name !== name));
  if (before && lost.length) groups.push({ title: 'No longer there', rows: lost.map((name) => lostRow(name, before)) });
  const body = groups.map(
    ({ title, rows }) => `<section id="${idOf(title)}">\n<h2>${title}</h2>\n${rows.join('\n')}\n</section>`,
  );
  const contents = groups.map(({ title }) => `<a href="#${idOf(title)}">${title}</a>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>Turnpike: every state of the form</title>
<style>${STYLES}</style>
<script type="module" src="/wall.js"></script>
</head>
<body>
<main>
<h1>Every state of the form</h1>
<nav>${contents.join(' ')}</nav>
${body.join('\n')}
</main>
</body>
</html>
`;
}

function rowOf(picture: Picture, before: Before | undefined): string {
  const { name } = picture;
  const frames = themesOf(picture).flatMap((theme) =>
    widthsOf(picture).flatMap((width) => [
      ...(before ? [before.names.has(name) ? frame(name, theme, width, before) : none(theme, width, before)] : []),
      frame(name, theme, width, before && 'now'),
    ]),
  );
  return row(name, frames);
}

function lostRow(name: string, before: Before): string {
  return row(
    name,
    THEMES.map((theme) => frame(name, theme, WIDTHS.phone, before)),
  );
}

function row(name: string, frames: readonly string[]): string {
  return `<article><h3>${name}</h3><div class="row">${frames.join('')}</div></article>`;
}

/** One picture. Its label is the commit of `before`, or `Now`; empty without a comparison. */
function frame(name: string, theme: Theme, width: number, when?: Before | 'now'): string {
  const label = when && when !== 'now' ? escapeHtml(when.ref) : when && 'Now';
  const src = `${when && when !== 'now' ? '/before' : ''}/frame#${escapeHtml(asking(name, theme))}`;
  return `<div class="${theme}">${label ? `<b>${label}</b>` : ''}<iframe loading="lazy" title="${name}, ${theme}, ${width} pixels${label ? `, ${label}` : ''}" width="${width}" src="${src}"></iframe></div>`;
}

function none(theme: Theme, width: number, before: Before): string {
  return `<div class="${theme}" style="min-width:${width}px"><b>${escapeHtml(before.ref)}</b><p>No such picture</p></div>`;
}

function idOf(title: string): string {
  return title.toLowerCase().replaceAll(/\W+/g, '-');
}

const STYLES = `
body { margin: 0; background: #eceef1; color: #16191f; font: 16px/1.5 system-ui, sans-serif }
main { padding: 24px }
nav a { margin-inline-end: 16px; color: #1f4fd8 }
h2 { margin: 40px 0 8px }
h3 { margin: 20px 0 8px; font-size: 14px; font-weight: 600 }
.row { display: flex; gap: 16px; overflow-x: auto; align-items: flex-start }
.row div { padding: 20px; border-radius: 12px }
.light { background: #fff }
.dark { background: #14171b; color: #fff }
b { display: block; margin-bottom: 8px; font-size: 12px }
iframe { display: block; border: 0; height: 520px; color-scheme: light }
.dark iframe { color-scheme: dark }
`;
