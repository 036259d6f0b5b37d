import type { Scheduler } from './scheduler.ts';

/** The fonts that the library searches for, in its order, because they are part of its hash. A test compares both. */
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

/**
 * The installed fonts among these: those in which a text has another size than in a base font. The library measures all
 * of them at once, in a frame of its own, which takes a slow device 280 ms. The result is the same.
 */
export async function findFonts(scheduler: Scheduler, fonts: readonly string[] = FONTS): Promise<string[]> {
  const found: string[] = [];
  await scheduler.next();
  const bases = sizesIn(BASES);
  for (const font of fonts) {
    await scheduler.next();
    const sizes = sizesIn(BASES.map((base) => `'${font}',${base}`));
    if (sizes.some((size, index) => size !== bases[index])) found.push(font);
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
