import type { MetadataJson } from 'libphonenumber-js/core';
import metadata from 'libphonenumber-js/min/metadata';
import type { Plugin } from 'vite';

type Chunk = { fileName: string; isEntry: boolean; code: string };

const SHARED = 'self.turnpikeForm';

/**
 * Makes of the form's entry a script that is inline in a page, where it has no address that a chunk could import it from. Its
 * functions that import one get the folder of a further try as their argument.
 */
export const inlineEntry: Plugin = {
  name: 'inline-entry',
  // The hash in a chunk's name is made before its code is changed here.
  augmentChunkHash: () => SHARED,
  generateBundle: {
    order: 'post',
    handler: (_, files) => makeInline(Object.values(files).filter((file) => file.type === 'chunk')),
  },
};

/**
 * Has the entry put what it shares into a global, where other chunks find it, and load these from /form/. Throws if one
 * imports the entry all the same, or if its code cannot stand in a script element.
 */
export function makeInline(chunks: readonly Chunk[]): void {
  const entry = chunks.find(({ isEntry }) => isEntry);
  for (const chunk of chunks) {
    chunk.code = chunk === entry ? sharing(chunk.code) : taking(chunk.code, `./${entry?.fileName}`);
    const wrong =
      chunk === entry
        ? /<\/script|<!--|(^|;)import[{"*]|import\(`\./i.test(chunk.code)
        : chunk.code.includes(`${entry?.fileName}`);
    if (wrong) throw new Error(`the form's entry cannot stand inline: ${chunk.fileName}`);
  }
}

function sharing(code: string): string {
  return code
    .replace(/export\{([^}]*)\};?\s*$/, (_, names: string) => `${SHARED}={${renamed(names, '$2:$1')}};`)
    .replaceAll(/(?:\(\)|[\w$]+)=>import\(`\.\//g, 'again=>import(`/form/`+again+`');
}

function taking(code: string, entry: string): string {
  return code.replaceAll(/import(?:\{([^}]*)\}from)?"([^"]+)";/g, (statement, names: string | undefined, from) => {
    if (from !== entry) return statement;
    return names ? `const{${renamed(names, '$1:$2')}}=${SHARED};` : '';
  });
}

/** The names of an import or export, `a as b`, as those of an object. */
function renamed(names: string, as: string): string {
  return names.replaceAll(/([\w$]+) as ([\w$]+)/g, as);
}

const ZONES = 'virtual:phone-zones';
const ZONE = /^virtual:phone-zone-(\d)$/;

/**
 * Cuts what libphonenumber knows of the world's telephone numbers into the zones of their calling codes, so that a form loads
 * the few of its shoppers: `virtual:phone-zones` has all of them, each a chunk of its own.
 */
export const phoneZones: Plugin = {
  name: 'phone-zones',
  enforce: 'pre',
  resolveId: (id) => (id === ZONES || ZONE.test(id) ? `\0${id}` : undefined),
  load(id) {
    if (id === `\0${ZONES}`) {
      const entries = Object.keys(zonesOf(metadata)).map(
        (digit) => `${digit}: () => import('virtual:phone-zone-${digit}')`,
      );
      return `export const zones = { ${entries.join(', ')} };
export const callingCodes = ${JSON.stringify(callingCodes(metadata))};`;
    }
    const [, digit] = ZONE.exec(id.slice(1)) ?? [];
    return digit ? `export const zone = ${JSON.stringify(zonesOf(metadata)[digit])};` : undefined;
  },
};

/** The metadata of each zone, by the first digit of its calling codes. */
function zonesOf({ version, country_calling_codes, countries }: MetadataJson): Record<string, MetadataJson> {
  const zones: Record<string, MetadataJson> = {};
  for (const [code, members] of Object.entries(country_calling_codes)) {
    const digit = code.charAt(0);
    zones[digit] ??= { version, country_calling_codes: {}, countries: {}, nonGeographic: {} };
    const zone = zones[digit];
    zone.country_calling_codes[code] = members;
    for (const country of members) Object.assign(zone.countries, { [country]: countries[country] });
  }
  return zones;
}

function callingCodes({ country_calling_codes }: MetadataJson): string {
  return Object.entries(country_calling_codes)
    .map(([code, members]) => `${code}${members.join()}`)
    .join(' ');
}
