import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';

const WORDS = ['light', 'dark', 'auto', 'compact'];
export const MAX_VARIABLES = 40;
/** Words, numbers, colours, lists and functions. Excludes the end of a declaration, escapes, comments and addresses. */
const VALUE = /^[\w#%.,+*/()"' -]{1,200}$/;
const LOADS = /\/\*|\b(url|src|image|image-set|cross-fade|element)\s*\(/i;

/** The name of a CSS variable of the form. */
export const VARIABLE_NAME = /^--turnpike-[a-z-]{1,60}$/;

/** Whether a CSS value is plain: complete, without the end of a declaration, and without an address to load. */
export function isPlainValue(value: string): boolean {
  if (!VALUE.test(value) || LOADS.test(value)) return false;
  const unquoted = value.replace(/"[^"']*"|'[^"']*'/g, '');
  if (/["']/.test(unquoted)) return false;
  let open = 0;
  for (const character of unquoted) {
    if (character === '(') open += 1;
    if (character === ')') open -= 1;
    if (open < 0) return false;
  }
  return open === 0;
}

const theme = z.string().refine((value) => {
  const words = value.split(/\s+/);
  return words.every((word) => WORDS.includes(word)) && words.filter((word) => word !== 'compact').length <= 1;
}, 'must be one of light, dark and auto, and compact beside it or alone');

const variables = z
  .record(
    z.string().regex(VARIABLE_NAME, 'must be a CSS variable such as --turnpike-color-accent'),
    z
      .string()
      .refine(isPlainValue, 'must be a plain CSS value without url(), ";" or braces, of 200 characters at most'),
  )
  .refine((value) => Object.keys(value).length <= MAX_VARIABLES, `must be ${MAX_VARIABLES} variables at most`);

/** The appearance of an account's pages. `logo` is an image as a `data:` URL, or the path of its file. */
export const appearance = z.strictObject({
  theme: theme.optional(),
  variables: variables.default({}),
  logo: z.string().min(1).optional(),
});

/** An image that the relay serves. `file` is its name, which contains a hash of the content. */
export type Logo = { file: string; type: string; body: Buffer };

const MAX_LOGO_BYTES = 262_144;

/** The kinds of images that browsers show, and their first bytes. */
const KINDS: readonly { type: string; extension: string; begins: RegExp }[] = [
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are part of the signature.
  { type: 'image/png', extension: 'png', begins: /^\x89PNG\r\n\x1a\n/ },
  { type: 'image/jpeg', extension: 'jpg', begins: /^\xff\xd8\xff/ },
  { type: 'image/webp', extension: 'webp', begins: /^RIFF[\s\S]{4}WEBP/ },
  {
    type: 'image/svg+xml',
    extension: 'svg',
    begins: /^(\xef\xbb\xbf)?\s*(<\?xml[\s\S]*?)?(<!--[\s\S]*?-->\s*)*<svg[\s>]/,
  },
];

/** Reads a logo; a path is relative to `folder`. */
export function readLogo(logo: string, folder: string): Logo | { problem: string } {
  const body = bytesOf(logo, folder);
  if (typeof body === 'string') return { problem: body };
  if (body.length > MAX_LOGO_BYTES) return { problem: `must be ${MAX_LOGO_BYTES} bytes at most` };
  const start = body.toString('latin1', 0, 4096);
  const kind = KINDS.find(({ begins }) => begins.test(start));
  if (!kind) return { problem: 'must be a PNG, JPEG, WebP or SVG image' };
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 16);
  return { file: `logo-${hash}.${kind.extension}`, type: kind.type, body };
}

function bytesOf(logo: string, folder: string): Buffer | string {
  if (/^https?:/i.test(logo))
    return 'must be a file of the relay’s own or a data: URL: pages load nothing from elsewhere';
  const [, base64, data] = /^data:image\/[\w.+-]+(?:;charset=[\w-]+|;utf8)*(;base64)?,(.*)$/is.exec(logo) ?? [];
  if (data !== undefined) return decoded(data, base64 !== undefined);
  if (/^data:/i.test(logo)) return 'must be a data: URL of an image';
  try {
    return readFileSync(resolve(folder, logo));
  } catch (error) {
    return `cannot read the file ${logo} (${error instanceof Error && 'code' in error ? error.code : 'unreadable'})`;
  }
}

function decoded(data: string, isBase64: boolean): Buffer | string {
  try {
    return Buffer.from(decodeURIComponent(data), isBase64 ? 'base64' : 'utf8');
  } catch {
    return 'must be a data: URL of an image';
  }
}
