import { asking } from './frame-page.ts';

/** Pictures side by side, as in the README. */
type Sheet = {
  file: string;
  theme: 'light' | 'dark';
  /** Width of each frame, in CSS pixels. */
  width: number;
  /** The pictures' names, column by column. */
  columns: readonly (readonly string[])[];
};

export const sheets: readonly Sheet[] = [
  {
    file: 'gallery-light.png',
    theme: 'light',
    width: 360,
    columns: [
      ['two methods', 'leaving'],
      ['filled', 'approved'],
      ['nothing filled in', 'confirming'],
      ['declined contact bank'],
    ],
  },
  {
    file: 'gallery-dark.png',
    theme: 'dark',
    width: 360,
    columns: [['saved cards', 'away'], ['subscription'], ['number wrong', 'approved'], ['declined, five methods']],
  },
  {
    file: 'appearance.png',
    theme: 'light',
    width: 360,
    columns: [['two methods'], ['compact'], ['a shop’s own looks']],
  },
];

/** The document of a sheet. */
export function sheetPage({ theme, width, columns }: Sheet): string {
  const frame = (name: string) =>
    `<iframe title="${name}" src="/frame#${asking(name, theme).replaceAll('&', '&amp;')}"></iframe>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${theme}</title>
<style>
body { display: inline-flex; gap: 24px; align-items: flex-start; margin: 0; padding: 32px; background: ${theme === 'light' ? '#f3f4f7' : '#0d0f12'} }
section { display: grid; gap: 24px }
div { padding: 20px; border-radius: 16px; background: ${theme === 'light' ? '#fff' : '#14171b'}; box-shadow: 0 1px 3px #0002, 0 8px 24px #0000000f }
iframe { display: block; width: ${width}px; height: 300px; border: 0; color-scheme: ${theme} }
</style>
<script type="module" src="/wall.js"></script>
</head>
<body>
${columns.map((names) => `<section>${names.map((name) => `<div>${frame(name)}</div>`).join('')}</section>`).join('\n')}
</body>
</html>
`;
}
