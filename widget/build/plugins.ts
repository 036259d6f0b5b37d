import type { MetadataJson } from 'libphonenumber-js/core';
import metadata from 'libphonenumber-js/min/metadata';
import type { Plugin } from 'vite';

type Chunk = { fileName: string; isEntry: boolean; code: string };

const SHARED = 'self.turnpikeForm';

/**
 * Makes the form's entry an inline script of the page. Such a script has no address from which a chunk could import it. The entry's
 * functions that import a chunk get the folder of a further try as their argument.
 */
export const inlineEntry: Plugin = {
  name: 'inline-entry',
  // The hashes in the names of chunks are computed before this plugin changes the code.
  augmentChunkHash: () => SHARED,
  generateBundle: {
    order: 'post',
    handler: (_, files) => makeInline(Object.values(files).filter((file) => file.type === 'chunk')),
  },
};

/**
 * Makes the entry assign its exports to a global, which other chunks read, and load these chunks from /form/. Throws if a chunk still
 * imports the entry, or if the entry's code cannot be inside a script element.
 */
export function makeInline(chunks: readonly Chunk[]): void {
  const entry = chunks.find(({ isEntry }) => isEntry);
  for (const chunk of chunks) {
    chunk.code =
      chunk === entry ? withGlobalExports(chunk.code) : withGlobalImports(chunk.code, `./${entry?.fileName}`);
    const wrong =
      chunk === entry
        ? /<\/script|<!--|(^|;)import[{"*]|import\(`\./i.test(chunk.code)
        : chunk.code.includes(`${entry?.fileName}`);
    if (wrong) throw new Error(`the form's entry cannot be inline: ${chunk.fileName}`);
  }
}

function withGlobalExports(code: string): string {
  return code
    .replace(/export\{([^}]*)\};?\s*$/, (_, names: string) => `${SHARED}={${renamed(names, '$2:$1')}};`)
    .replaceAll(/(?:\(\)|[\w$]+)=>import\(`\.\//g, 'again=>import(`/form/`+again+`');
}

function withGlobalImports(code: string, entry: string): string {
  return code.replaceAll(/import(?:\{([^}]*)\}from)?"([^"]+)";/g, (statement, names: string | undefined, from) => {
    if (from !== entry) return statement;
    return names ? `const{${renamed(names, '$1:$2')}}=${SHARED};` : '';
  });
}

/** The names of an import or export (`a as b`) as properties of an object. */
function renamed(names: string, as: string): string {
  return names.replaceAll(/([\w$]+) as ([\w$]+)/g, as);
}

const ZONES = 'virtual:phone-zones';
const ZONE = /^virtual:phone-zone-(\d)$/;

/**
 * Splits libphonenumber's metadata into zones by the first digit of the calling code, so that a form loads only the zones of its shoppers.
 * `virtual:phone-zones` lists all zones, each in its own chunk.
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
