import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundleBefore } from './before.ts';
import { bundle } from './bundle.ts';
import { serveGallery } from './serve.ts';
import { takeLocales } from './shots/locale-shots.ts';
import { takePairs } from './shots/pair-shots.ts';
import { takeSheets, takeShots } from './shots/shots.ts';

/**
 * `npm run gallery` serves the gallery. `-- --shots DIR` takes all pictures instead (`--only TEXT`: some; `--widths
 * 320,768,1280` and `--locale ar`: with these widths and this language); `-- --sheets docs/pictures` takes the README's
 * pictures; `-- --locales DIR` takes one of each language (`--only TAG`: some). `--before REF` serves or takes each
 * picture beside that of a commit.
 */
const root = join(import.meta.dirname, '..');
const { values } = parseArgs({
  options: {
    shots: { type: 'string' },
    only: { type: 'string' },
    sheets: { type: 'string' },
    locales: { type: 'string' },
    before: { type: 'string' },
    widths: { type: 'string' },
    locale: { type: 'string' },
  },
});
const before = values.before === undefined ? undefined : await bundleBefore(root, values.before);
const gallery = await serveGallery(await bundle(root), Number(process.env.PORT_GALLERY ?? 0), before);
if (values.shots !== undefined) {
  const { shots, only, locale } = values;
  const widths = values.widths?.split(',').map(Number);
  const taken = before
    ? takePairs(gallery.url, before, shots, only)
    : takeShots(gallery.url, shots, { only, widths, locale });
  console.log(`${await taken} pictures in ${shots}`);
} else if (values.locales !== undefined) {
  console.log(`${await takeLocales(gallery.url, values.locales, values.only)} languages in ${values.locales}`);
} else if (values.sheets !== undefined) {
  await takeSheets(gallery.url, values.sheets);
} else {
  console.log(`The gallery: ${gallery.url}/`);
}
if ([values.shots, values.sheets, values.locales].some((folder) => folder !== undefined)) await gallery.close();
