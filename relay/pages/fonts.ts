import { z } from 'zod';

/** The limit of fonts, counting each weight and style. A form needs fewer. */
const MAX_FONTS = 8;
/** An https address without characters that end a string or a function of CSS, or a directive of a policy. */
const ADDRESS = /^https:\/\/[\w.-]+(:\d+)?\/[\w./~%-]*(\?[\w.=&%~-]*)?$/;
const PERCENT = /^\d{1,3}(\.\d{1,4})?%$/;

const percent = z.string().regex(PERCENT).optional();

const font = z.strictObject({
  family: z.string().regex(/^[\p{L}\p{N} _-]{1,60}$/u),
  src: z.string().max(500).regex(ADDRESS),
  weight: z
    .string()
    .regex(/^(normal|bold|\d{1,4}( \d{1,4})?)$/)
    .optional(),
  style: z.enum(['normal', 'italic']).optional(),
  sizeAdjust: percent,
  ascentOverride: percent,
  descentOverride: percent,
  lineGapOverride: percent,
});
type Font = z.infer<typeof font>;

/** The rules that load a shop's fonts, and the sources that the page's policy needs for them. */
export type PageFonts = { rules: string; sources: readonly string[] };

const none: PageFonts = { rules: '', sources: [] };

/**
 * Reads `fonts` of a frame's address, a JSON list. One invalid font makes the whole list invalid. A font with metrics also defines
 * `<family> fallback`, a font of the device adjusted to the same size, so that text does not move when the shop's font arrives.
 */
export function fontsOf(text: unknown): PageFonts {
  if (typeof text !== 'string') return none;
  const fonts = z.array(font).max(MAX_FONTS).safeParse(jsonOf(text));
  if (!fonts.success) return none;
  return {
    rules: fonts.data.map(rulesOf).join(''),
    // Policies do not compare the query of an address.
    sources: [...new Set(fonts.data.map(({ src }) => src.replace(/\?.*$/, '')))],
  };
}

function rulesOf({ family, src, weight = 'normal', style = 'normal', ...metrics }: Font): string {
  const face = (name: string, source: string, more = ''): string =>
    `@font-face{font-family:"${name}";src:${source};font-weight:${weight};font-style:${style}${more}}`;
  const adjusted = Object.entries(metrics).map(([name, value]) => `;${kebab(name)}:${value}`);
  const loaded = face(family, `url("${src}")`, ';font-display:swap');
  return adjusted.length === 0
    ? loaded
    : loaded + face(`${family} fallback`, 'local("Arial"),local("Roboto"),local("Liberation Sans")', adjusted.join(''));
}

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
