import { describe, expect, it } from 'vitest';
import { addressRule } from './address.ts';
import { writePostalCode } from './postal-codes.ts';
import { stateCode } from './states.ts';

const code = (country: string, text: string): string | undefined => {
  const rule = addressRule(country).postalCode;
  return rule && writePostalCode(rule, text);
};
const isGood = (country: string, text: string): boolean | undefined =>
  addressRule(country).postalCode?.pattern.test(code(country, text) ?? '');
const options = (country: string) => addressRule(country).state?.options ?? [];

describe('postal codes', () => {
  it.each([
    ['AR', 'c1425cla', 'C1425CLA'],
    ['AR', '1425', '1425'],
    ['AU', '2060', '2060'],
    ['BR', '01310100', '01310-100'],
    ['BR', '01310-100', '01310-100'],
    ['CA', 'k1a0b1', 'K1A 0B1'],
    ['CL', '834-0457', '8340457'],
    ['CO', '110221', '110221'],
    ['DE', '10115', '10115'],
    ['DE', 'D-26133', '26133'],
    ['ES', '28039', '28039'],
    ['FR', '75 001', '75001'],
    ['GB', 'sw1a1aa', 'SW1A 1AA'],
    ['GB', 'M1 1AE', 'M1 1AE'],
    ['GB', 'bfpo58', 'BFPO 58'],
    ['GB', 'GIR0AA', 'GIR 0AA'],
    ['IE', 'd6wf4e2', 'D6W F4E2'],
    ['IN', '110 034', '110034'],
    ['JP', '〒1540023', '154-0023'],
    ['MX', '02860', '02860'],
    ['MX', 'C.P. 02860', '02860'],
    ['PY', '001536', '001536'],
    ['SA', '11564-1234', '11564-1234'],
    ['VE', '1010-A', '1010-A'],
    ['NL', '1234ab', '1234 AB'],
    ['PL', '00950', '00-950'],
    ['PT', '2725 079', '2725-079'],
    ['SE', '11455', '114 55'],
    ['US', '95014', '95014'],
    ['US', '222011234', '22201-1234'],
    ['PR', '009301234', '00930-1234'],
  ])('%s: %s is written %s', (country, typed, written) => {
    expect(code(country, typed)).toBe(written);
    expect(code(country, written)).toBe(written);
    expect(isGood(country, typed)).toBe(true);
  });

  it.each([
    ['AR', '142'],
    ['AU', '20600'],
    ['BR', '0131010'],
    ['BR', '01310-1000'],
    ['CA', 'D1A 0B1'],
    ['CA', 'K1A 0B'],
    ['CL', '83404'],
    ['CO', '1102'],
    ['DE', '1011'],
    ['ES', 'ABCDE'],
    ['FR', '7500'],
    ['GB', 'SW1A 1A'],
    ['GB', 'SW1A 1AC'],
    ['IN', '1100345'],
    ['JP', '154-002'],
    ['MX', '2860'],
    ['PT', '2725'],
    ['US', '9501'],
    ['US', '95014-12'],
  ])('%s: %s is none', (country, typed) => expect(isGood(country, typed)).toBe(false));

  it('have an example that fits its own rule, in the local format', () => {
    const countries = 'AR AU BR CA CL CO DE ES FR GB IN JP MX PT US AT BE CH IE IT NL NZ PL SE'.split(' ');
    for (const country of countries) {
      const example = addressRule(country).postalCode?.example ?? '';
      expect(example, country).not.toBe('');
      expect(code(country, example), country).toBe(example);
      expect(isGood(country, example), country).toBe(true);
      expect(isGood(country, `${example}00000`), country).toBe(false);
    }
  });

  it('are not asked for in countries without them, and free where unknown', () => {
    for (const country of ['AE', 'AO', 'HK', 'QA']) {
      expect(addressRule(country).postalCode).toBeUndefined();
      expect(addressRule(country).order).not.toContain('postal_code');
    }
    expect(code('GH', 'ga-183-8164')).toBe('GA-183-8164');
    expect(isGood('GH', 'ga-183-8164')).toBe(true);
    expect(addressRule('GH').postalCode?.required).toBe(false);
    expect(addressRule(undefined)).toMatchObject({ postalCode: { required: false }, state: { required: false } });
  });

  it('give phones a digit keypad only where codes consist of digits', () => {
    const numeric = (country: string) => addressRule(country).postalCode?.numeric;
    expect(['BR', 'US', 'JP', 'DE'].map(numeric)).toEqual([true, true, true, true]);
    expect(['GB', 'CA', 'AR', 'NL', 'GH'].map(numeric)).toEqual([false, false, false, false, false]);
  });
});

describe('states', () => {
  /** ISO 3166-2 has 56 American ones without the minor islands; three are the armed forces'. Spain's are its provinces. */
  it.each([
    ['AR', 24],
    ['AU', 8],
    ['BR', 27],
    ['CA', 13],
    ['CL', 16],
    ['CO', 33],
    ['ES', 52],
    ['IN', 36],
    ['JP', 47],
    ['MX', 32],
    ['US', 59],
  ])('%s has %i, each once', (country, count) => {
    const states = options(country);
    expect(states).toHaveLength(count);
    expect(new Set(states.map(([iso]) => iso)).size).toBe(count);
    expect(new Set(states.map(([, name]) => name)).size).toBe(count);
    expect(states.every(([iso, name]) => /^[A-Z\d]{1,3}$/.test(iso) && name.trim() === name && name.length > 2)).toBe(
      true,
    );
  });

  it.each([
    ['BR', 'SP', 'São Paulo'],
    ['MX', 'CMX', 'Ciudad de México'],
    ['AR', 'C', 'Ciudad Autónoma de Buenos Aires'],
    ['CL', 'RM', 'Metropolitana de Santiago'],
    ['CO', 'DC', 'Bogotá D. C.'],
    ['US', 'CA', 'California'],
    ['CA', 'ON', 'Ontario'],
    ['ES', 'M', 'Madrid'],
    ['IN', 'UK', 'Uttarakhand'],
    ['JP', '13', '東京都 Tokyo'],
    ['AU', 'NSW', 'New South Wales'],
  ])('%s: %s is %s', (country, iso, name) => expect(options(country)).toContainEqual([iso, name]));

  it.each([
    ['BR', 'sao paulo', 'SP'],
    ['BR', ' sp ', 'SP'],
    ['MX', 'CDMX', 'CMX'],
    ['IN', 'OR', 'OD'],
    ['JP', 'Tokyo', '13'],
    ['JP', '東京都', '13'],
    ['ES', 'València', 'V'],
    ['CO', 'Bogotá', 'DC'],
    ['US', 'new-york', 'NY'],
    ['BR', 'BR-SP', 'SP'],
    ['JP', 'jp-13', '13'],
    ['JP', '東京', '13'],
    ['IN', 'Jammu & Kashmir', 'JK'],
    ['CL', 'Región de Valparaíso', 'VS'],
    ['CL', 'Región del Maule', 'ML'],
    ['CL', 'Región Metropolitana', 'RM'],
    ['AR', 'Provincia de Buenos Aires', 'B'],
    ['AR', 'Ciudad de Buenos Aires', 'C'],
    ['MX', 'Coahuila de Zaragoza', 'COA'],
    ['MX', 'Estado de México', 'MEX'],
    ['MX', 'Distrito Federal', 'CMX'],
    ['ES', 'Vizcaya', 'BI'],
    ['US', 'Washington, D.C.', 'DC'],
    ['US', 'Washington', 'WA'],
    ['CA', 'PEI', 'PE'],
    ['CA', 'Île-du-Prince-Édouard', 'PE'],
    ['CA', 'Nouvelle-Écosse', 'NS'],
    ['CA', 'Nouveau-Brunswick', 'NB'],
    ['CA', 'Colombie-Britannique', 'BC'],
    ['CA', 'Québec', 'QC'],
    ['CA', 'Terre-Neuve-et-Labrador', 'NL'],
    ['CA', 'Territoires du Nord-Ouest', 'NT'],
    ['CL', 'Aisén', 'AI'],
    ['CL', 'Región de Aisén del General Carlos Ibáñez del Campo', 'AI'],
    ['CO', 'San Andrés', 'SAP'],
    ['CO', 'Distrito Capital de Bogotá', 'DC'],
    ['ES', 'Principado de Asturias', 'O'],
    ['ES', 'Comunidad de Madrid', 'M'],
    ['ES', 'Comunidad Foral de Navarra', 'NA'],
    ['ES', 'Tenerife', 'TF'],
    ['ES', 'Gran Canaria', 'GC'],
    ['ES', 'Región de Murcia', 'MU'],
    ['IN', 'NCT of Delhi', 'DL'],
    ['IN', 'Dadra and Nagar Haveli', 'DH'],
    ['IN', 'Daman & Diu', 'DH'],
    ['IN', 'Uttaranchal', 'UK'],
    ['JP', 'Tokyo-to', '13'],
    ['JP', 'Tōkyō-to', '13'],
    ['JP', 'Osaka-fu', '27'],
    ['JP', 'Kyoto-fu', '26'],
    ['JP', 'Kyoto', '26'],
    ['JP', 'Hokkaido', '01'],
    ['JP', 'Hokkaidō', '01'],
    ['JP', 'Kanagawa-ken', '14'],
    ['JP', 'Hyogo Prefecture', '28'],
    ['MX', 'Edo. de México', 'MEX'],
    ['MX', 'Edo. Méx.', 'MEX'],
    ['AR', 'Ciudad Autónoma de Buenos Aires', 'C'],
  ])('%s: %s is found as %s', (country, entered, iso) =>
    expect(stateCode(country, options(country), entered)).toBe(iso),
  );

  it('are known by what the Mexican post calls them', () => {
    const post =
      'Ags.:AGU B.C.:BCN B.C.S.:BCS Camp.:CAM Chis.:CHP Chih.:CHH CDMX:CMX Coah.:COA Col.:COL Dgo.:DUR Méx.:MEX Gto.:GUA Gro.:GRO Hgo.:HID Jal.:JAL Mich.:MIC Mor.:MOR Nay.:NAY N.L.:NLE Oax.:OAX Pue.:PUE Qro.:QUE Q.R.:ROO S.L.P.:SLP Sin.:SIN Son.:SON Tab.:TAB Tamps.:TAM Tlax.:TLA Ver.:VER Yuc.:YUC Zac.:ZAC';
    const entries = post.split(' ').map((entry) => entry.split(':'));
    for (const [short = '', iso] of entries) expect(stateCode('MX', options('MX'), short), short).toBe(iso);
    expect(new Set(entries.map(([, iso]) => iso)).size).toBe(options('MX').length);
    expect(stateCode('MX', options('MX'), 'Q. Roo')).toBe('ROO');
  });

  it('are not guessed from a part of a name', () => {
    expect(stateCode('BR', options('BR'), 'Rio')).toBeUndefined();
    expect(stateCode('AR', options('AR'), 'San')).toBeUndefined();
    expect(stateCode('BR', options('BR'), '')).toBeUndefined();
    expect(stateCode('MX', options('MX'), 'Baja California del Sur')).toBeUndefined();
  });

  it('are not asked for where unused, and are free without a list', () => {
    for (const country of ['DE', 'FR', 'GB', 'PT']) {
      expect(addressRule(country).state).toBeUndefined();
      expect(addressRule(country).order).not.toContain('state');
    }
    expect(addressRule('IE').state).toEqual({ label: 'state_county', required: false });
    expect(addressRule('XX').state).toEqual({ label: 'state', required: false });
  });

  it('are called as in their country', () => {
    const label = (country: string) => addressRule(country).state?.label;
    const countries = ['BR', 'CA', 'JP', 'CL', 'CO', 'IE', 'RU'];
    expect(countries.map(label)).toEqual([
      'state_state',
      'state_province',
      'state_prefecture',
      'state_region',
      'state_department',
      'state_county',
      'state',
    ]);
  });
});

describe('the order of an address', () => {
  it.each([
    ['BR', ['postal_code', 'address', 'city', 'state']],
    ['DE', ['address', 'postal_code', 'city']],
    ['GB', ['address', 'city', 'postal_code']],
    ['JP', ['postal_code', 'state', 'city', 'address']],
    ['US', ['address', 'city', 'state', 'postal_code']],
  ])('is that of %s', (country, order) => expect(addressRule(country).order).toEqual(order));
});
