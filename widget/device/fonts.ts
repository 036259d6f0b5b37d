import type { Pace } from './scheduler.ts';

/** The fonts that the library looks for, in its order: they are part of its hash. A test compares. */
export const FONTS = [
  'sans-serif-thin',
  'ARNO PRO',
  'Agency FB',
  'Arabic Typesetting',
  'Arial Unicode MS',
  'AvantGarde Bk BT',
  'BankGothic Md BT',
  'Batang',
  'Bitstream Vera Sans Mono',
  'Calibri',
  'Century',
  'Century Gothic',
  'Clarendon',
  'EUROSTILE',
  'Franklin Gothic',
  'Futura Bk BT',
  'Futura Md BT',
  'GOTHAM',
  'Gill Sans',
  'HELV',
  'Haettenschweiler',
  'Helvetica Neue',
  'Humanst521 BT',
  'Leelawadee',
  'Letter Gothic',
  'Levenim MT',
  'Lucida Bright',
  'Lucida Sans',
  'Menlo',
  'MS Mincho',
  'MS Outlook',
  'MS Reference Specialty',
  'MS UI Gothic',
  'MT Extra',
  'MYRIAD PRO',
  'Marlett',
  'Meiryo UI',
  'Microsoft Uighur',
  'Minion Pro',
  'Monotype Corsiva',
  'PMingLiU',
  'Pristina',
  'SCRIPTINA',
  'Segoe UI Light',
  'Serifa',
  'SimHei',
  'Small Fonts',
  'Staccato222 BT',
  'TRAJAN PRO',
  'Univers CE 55 Medium',
  'Vrinda',
  'ZWAdobeF',
];

const BASES = ['monospace', 'sans-serif', 'serif'];
const TEXT = 'mmMwWLliI0O&1';

/** A font that is not there costs a slow device 4 ms. */
const AT_ONCE = 3;

/**
 * Which of these fonts there are: those in which a text is of another size than in a base font. The library measures all of
 * them in one go, in a frame of its own: 280 ms of a slow device. What it finds is the same.
 */
export async function findFonts(pace: Pick<Pace, 'turn'>, fonts: readonly string[] = FONTS): Promise<string[]> {
  const found: string[] = [];
  await pace.turn('heavy');
  const bases = sizesIn(BASES);
  for (let at = 0; at < fonts.length; at += AT_ONCE) {
    const some = fonts.slice(at, at + AT_ONCE);
    await pace.turn();
    const sizes = sizesIn(some.flatMap((font) => BASES.map((base) => `'${font}',${base}`)));
    found.push(...some.filter((_, index) => bases.some((size, base) => sizes[index * BASES.length + base] !== size)));
  }
  return found;
}

function sizesIn(families: readonly string[]): string[] {
  const holder = document.createElement('div');
  Object.assign(holder.style, { all: 'initial', position: 'absolute', visibility: 'hidden', fontSize: '48px' });
  const spans = families.map((fontFamily) => {
    const span = document.createElement('span');
    Object.assign(span.style, { position: 'absolute', top: '0', left: '0', fontFamily });
    span.textContent = TEXT;
    return span;
  });
  holder.append(...spans);
  document.body.append(holder);
  const sizes = spans.map(({ offsetWidth, offsetHeight }) => `${offsetWidth} ${offsetHeight}`);
  holder.remove();
  return sizes;
}
