import { z } from 'zod';

/** More than these, with their weights and styles, no form needs. */
const MAX_FONTS = 8;
/** An https address that is safe in a style sheet and in a policy: nothing that ends a string, a function or a directive. */
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
 * Reads `fonts` of a frame's address: a JSON list, of which all is taken or nothing. Metrics make a second family,
 * `<family> fallback`, of a font that devices have: text in it takes the room that it takes once the shop's font is there.
 */
export function fontsOf(text: unknown): PageFonts {
  if (typeof text !== 'string') return none;
  const fonts = z.array(font).max(MAX_FONTS).safeParse(jsonOf(text));
  if (!fonts.success) return none;
  return {
    rules: fonts.data.map(rulesOf).join(''),
    // Without its query, which a policy does not compare.
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
