import { asking } from './frame-page.ts';
import { type Picture, sections } from './states.ts';

/** A phone, and the width that a form has beside an order on a desktop. */
export const WIDTHS = { phone: 390, desktop: 560 } as const;
export const THEMES = ['light', 'dark'] as const;

/** The widths that a picture is looked at in. */
export function widthsOf({ width }: Picture): number[] {
  return width ? [width] : Object.values(WIDTHS);
}

/** The themes that a picture is looked at in. */
export function themesOf({ theme }: Picture): readonly ('light' | 'dark')[] {
  return theme ? [theme] : THEMES;
}

/** The gallery's page: every picture, in both themes and all its widths, each in a frame. */
export function wallPage(): string {
  const body = sections.map(
    ({ title, pictures }) => `<section>\n<h2>${title}</h2>\n${pictures.map(rowOf).join('\n')}\n</section>`,
  );
  const contents = sections.map(({ title }) => `<a href="#${idOf(title)}">${title}</a>`);
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
${body.join('\n').replaceAll(/<section>\n<h2>([^<]*)/g, (_, title: string) => `<section id="${idOf(title)}">\n<h2>${title}`)}
</main>
</body>
</html>
`;
}

function rowOf(picture: Picture): string {
  const frames = themesOf(picture).flatMap((theme) =>
    widthsOf(picture).map(
      (width) =>
        `<div class="${theme}"><iframe loading="lazy" title="${picture.name}, ${theme}, ${width} pixels" width="${width}" src="/frame#${asking(picture.name, theme).replaceAll('&', '&amp;')}"></iframe></div>`,
    ),
  );
  return `<article><h3>${picture.name}</h3><div class="row">${frames.join('')}</div></article>`;
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
.dark { background: #14171b }
iframe { display: block; border: 0; height: 520px; color-scheme: light }
.dark iframe { color-scheme: dark }
`;
