import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundle } from './bundle.ts';
import { takeLocales } from './locale-shots.ts';
import { serveGallery } from './serve.ts';
import { takeSheets, takeShots } from './shots.ts';

/**
 * `npm run gallery` serves the gallery. Instead, `-- --shots DIR` takes a picture of everything in it (`--only TEXT` of some), and
 * `-- --sheets docs` the README's pictures, and `-- --locales DIR` of every language (`--only TAG` of some).
 */
const root = join(import.meta.dirname, '..');
const { values } = parseArgs({
  options: {
    shots: { type: 'string' },
    only: { type: 'string' },
    sheets: { type: 'string' },
    locales: { type: 'string' },
  },
});
const gallery = await serveGallery(await bundle(root), Number(process.env.PORT_GALLERY ?? 0));
if (values.shots !== undefined) {
  console.log(`${await takeShots(gallery.url, values.shots, values.only)} pictures in ${values.shots}`);
} else if (values.locales !== undefined) {
  console.log(`${await takeLocales(gallery.url, values.locales, values.only)} languages in ${values.locales}`);
} else if (values.sheets !== undefined) {
  await takeSheets(gallery.url, values.sheets);
} else {
  console.log(`The gallery: ${gallery.url}/`);
}
if ([values.shots, values.sheets, values.locales].some((folder) => folder !== undefined)) await gallery.close();
