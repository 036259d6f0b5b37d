import type { MetadataJson } from 'libphonenumber-js/core';
import metadata from 'libphonenumber-js/min/metadata';
import type { Plugin } from 'vite';

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
