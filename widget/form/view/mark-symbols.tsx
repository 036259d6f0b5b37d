import { markId } from './accepted-brands.tsx';

/** A card without a name. */
const BLANK = 'any2M0 16h72M10 34h16';

/**
 * Small drawings on a grid of 72 × 48: lines, each with its colour, its width and its path. A line without length is a
 * disc, one without width is filled; `any` is the colour of the page's lines, `own` that of its accent. Letters are
 * lines, too, so that no font changes them. Diners Club's mark and the words of Visa, Discover and JCB are from Simple
 * Icons 16.37 (simpleicons.org, CC0 1.0), in whole units; the other drawings are our own.
 */
const MARKS: Readonly<Record<string, string>> = {
  visa: '13b48M0 24h72;fff0M29 15l-7 18h-5l-3-14c0-1-1-1-1-2c-1 0-3-1-5-1l1-1h7a2 2 0 0 1 2 2l2 10l5-12zM48 27c0-5-6-5-6-7c0 0 0-1 1-1a8 8 0 0 1 5 0l1-3a12 12 0 0 0-5-1c-4 0-7 2-7 6c0 2 2 4 4 4c2 1 2 2 2 3c0 1-1 1-3 1c-2 0-3 0-4-1l-1 4c1 0 3 1 5 1c5 0 8-2 8-6M59 33h5l-4-18h-4a2 2 0 0 0-2 2l-6 16h4l1-3h6zM54 27l3-7l1 7zM36 15l-4 18h-4l3-18z',
  mastercard: 'e0228M27 24h0;f9228M45 24h0;f600M36 13a14 14 0 0 1 0 22 14 14 0 0 1 0-22',
  maestro: 'e0228M27 24h0;0ae28M45 24h0;77c0M36 13a14 14 0 0 1 0 22 14 14 0 0 1 0-22',
  amex: '07d48M0 24h72;fff4m8 32 6-16 6 16m-10-5h8m6 5V16l6 9 6-9v16m13-16h-7v16h7m-7-8h6m7-8 8 16m0-16-8 16',
  diners:
    '07b0M44 24a11 11 0 0 0-7-10v20a11 11 0 0 0 7-10zM29 34v-20a11 11 0 0 0-7 10 11 11 0 0 0 7 10zM33 7a17 17 0 0 0-17 17 17 17 0 0 0 17 17c10 0 17-8 17-17a17 17 0 0 0-17-17zM33 43c-10 0-19-9-19-19 0-11 9-19 19-19h5c10 0 20 8 20 19 0 10-10 19-20 19',
  discover:
    'f7126M24 64 82 36;1110M29 14c-3 0-6 2-6 5 0 3 3 6 6 6 1 0 1 0 2-1v-2c0 1-1 1-2 1-2 0-3-2-3-4 0-2 1-3 3-3 1 0 2 0 2 1v-2a5 5 0 0 0-2-1zM20 18c-1 0-2-1-2-1 0-1 1-1 2-1 0 0 1 0 1 1l1-2a4 4 0 0 0-3-1c-1 0-3 1-3 3 0 1 1 2 3 3 1 0 1 0 1 0a1 1 0 0 1 1 1c0 1-1 2-2 2-1 0-2-1-2-1l-1 1c1 1 2 2 3 2 2 0 4-2 4-4 0-1-1-2-3-3zM13 24h2v-10h-2v10zM47 21l-2-7h-3l5 11h1l4-11h-2l-3 7zM53 24h6v-1h-4v-3h4v-2h-4v-2h4v-2h-6v10zM64 20l4 4h-3l-3-4v4h-2v-10h3c2 0 4 1 4 3 0 2-1 3-3 3zM65 17c0-1-1-1-2-1h-1v3h1c1 0 2-1 2-2zM12 19a5 5 0 0 1-2 4c-1 1-2 1-3 1h-3v-10h3c3 0 5 2 5 5zM10 19c0-1 0-2-1-2-1-1-2-1-3-1v7c1 0 2 0 3-1 1-1 1-2 1-3z;f7111M38 19h0',
  jcb: '0490M8 42V14a8 8 0 0 1 8-8h9v28a8 8 0 0 1-8 8z;c130M27 42V14a8 8 0 0 1 8-8h9v28a8 8 0 0 1-8 8z;0740M46 42V14a8 8 0 0 1 8-8h10v28a8 8 0 0 1-8 8z;fff0M39 19c2 0 4 1 5 2v-4s-3 0-6-1c-10 0-12 4-12 8 0 4 2 8 12 8 3-1 6-1 6-1v-4c-1 1-3 2-5 2-5 0-7-2-7-5 0-3 2-5 7-5M57 29c0 0 0 0-1 0h-4v-4h4c1 0 1 0 1 0a2 2 0 0 1 1 2c0 1 0 2-1 2zM52 19h4c1 0 2 1 2 2 0 1-1 2-2 2h-4v-4zM61 24c2-1 3-2 3-4 0-2-2-3-4-3 0 0-1 0-1 0h-13v14h14c3 0 5-1 5-4 0-2-2-3-4-3zM18 25c0 3-2 4-4 4-3 0-5-1-7-2v4s4 1 8 1c7 0 9-3 9-7v-8h-6v8z',
  unionpay: 'e2312m20 14-6 20;04712m36 14-6 20;07812m52 14-6 20',
  elo: '00048M0 24h72;fc04M24 13a17 17 0 0 1 18-5;0ae4M47 12a17 17 0 0 1 4 18;f424M49 34a17 17 0 0 1-18 5;fff3M21 25h9a5 5 0 1 0-2 4m8-13v16m9-10a5 5 0 1 0 1 0z',
  hipercard:
    'b1348M0 24h72;fff4M7 16v16m0-8h8m0-8v16m7-16v16m7 0V16h4a4 4 0 0 1 0 9h-4m22-9h-7v16h7m-7-8h6m7 8V16h4a4 4 0 0 1 0 9h-4m4 0 4 7',
  mir: '4b54M11 32V16l6 9 6-9v16m7-16v16l10-16v16m8 0V16;09d4M48 16h5a4 4 0 0 1 0 9h-5',
  troy: '0ab48M0 24h72;fff4M16 14v13a5 5 0 0 0 4 5m-8-12h8m7 12V20m0 5a5 5 0 0 1 6-5m9 1a5 5 0 1 0 1 0zm9-1 5 11m5-11-8 19',
  blank: BLANK,
  // The place of the security code.
  back: 'any2M0 13h72M10 31h18;own3M38 24h24v14H38zm7 7h0m5 0h0m5 0h0',
  front: 'any2M10 35h34;own3M36 9h26v14H36zm6 7h0m5 0h0m5 0h0m5 0h0',
  hiper:
    'f7048M0 24h72;fff4M7 14v18m0-6a5 5 0 0 1 9 0v6m7-11v11m0-17h0m8 23V21h4a5 5 0 0 1 0 11h-4m15-5h8a5 5 0 1 0-2 4m9 1V21m0 5a5 5 0 0 1 5-5',
  verve:
    'e2222M16 24h0;fff4m11 19 5 10 5-10;0263M31 25h7a4 4 0 1 0-1 4m7 2V21m0 4a4 4 0 0 1 4-4m3 0 4 10 4-10m3 4h7a4 4 0 1 0-1 4',
  naranja: 'f6048M0 24h72;fff5M20 33V15l12 18V15m8 0 12 18m0-18L40 33',
};

/** Every drawing that there is. */
export const allMarks: readonly string[] = Object.keys(MARKS);

/**
 * The drawings that `Mark` shows by their ids. They are outside of the form, so that its script does not contain them.
 */
export function MarkSymbols({ ids }: { ids: readonly string[] }) {
  return (
    <svg aria-hidden="true">
      {ids.map((id) => (
        <symbol key={id} id={markId(id)} viewBox="0 0 72 48">
          {MARKS[id]?.split(';').map((line) => {
            const [, colour, width, path] = /(...)(\d+)(.+)/.exec(line) ?? [];
            const paint = colour === 'any' ? undefined : colour === 'own' ? 'currentColor' : `#${colour}`;
            return (
              <path key={line} d={path} stroke={paint} stroke-width={width} fill={width === '0' ? paint : undefined} />
            );
          })}
        </symbol>
      ))}
    </svg>
  );
}
