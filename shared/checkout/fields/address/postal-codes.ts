/** The form of a country's postal codes. */
export type PostalCodeRule = {
  label: 'postal_code' | 'zip_code' | 'postcode' | 'pin_code';
  /**
   * Matches a complete code in upper case, with or without its separator; its groups are the parts beside the
   * separator.
   */
  pattern: RegExp;
  /** An example; empty if the form of the country's codes is not known. */
  example: string;
  /** Whether codes contain only digits, so that a phone may show a numeric keyboard. */
  numeric: boolean;
  /** Whether an address requires a code. */
  required: boolean;
};

const ZIP = /^(\d{5})(?:-?(\d{4}))?$/;
/** British codes, with those of the islands and the forces (`BFPO 58`). */
const POSTCODE = /^([A-Z]{1,2}\d[A-Z\d]?) ?(\d[ABD-HJLNP-UW-Z]{2})$|^(GIR) ?(0AA)$|^(BFPO) ?(\d{1,4})$/;

/** Codes whose form a single example does not show. */
const PATTERNS: Readonly<Record<string, RegExp>> = {
  // Old codes have only four digits.
  AR: /^([A-HJ-NP-Z]?\d{4}(?:[A-Z]{3})?)$/,
  CA: /^([ABCEGHJ-NPRSTVXY]\d[ABCEGHJ-NPRSTV-Z]) ?(\d[ABCEGHJ-NPRSTV-Z]\d)$/,
  CR: /^(\d{5})(?:-?(\d{4}))?$/,
  GB: POSTCODE,
  GG: POSTCODE,
  IE: /^([A-Z]\d[\dW]) ?([A-Z\d]{4})$/,
  IL: /^(\d{5}(?:\d\d)?)$/,
  IM: POSTCODE,
  JE: POSTCODE,
  PR: ZIP,
  // Recently six digits.
  PY: /^(\d{4}(?:\d\d)?)$/,
  SA: ZIP,
  TW: /^(\d{3}(?:\d{2,3})?)$/,
  US: ZIP,
  VE: /^(\d{4})(?:-?([A-Z]))?$/,
  VN: /^(\d{5,6})$/,
};

/** An example of each country whose codes all have one form; from Google’s libaddressinput. */
const EXAMPLES: Readonly<Record<string, string>> = table(
  'AR C1425CLA,AT 1010,AU 2060,BE 4000,BG 1000,BR 01310-100,CA K1A 0B1,CH 2544,CL 8340457,CN 266033,CO 110221,CR 10101,CY 2008,CZ 100 00,DE 26133,DK 8660,DO 11903,EC 090105,EE 69501,ES 28039,FI 00550,FR 75001,GB SW1A 1AA,GG GY1 1AA,GR 151 24,GT 09001,HR 10000,HU 1037,ID 40115,IE A65 F4E2,IL 9614303,IM IM2 1AA,IN 110034,IS 320,IT 00144,JE JE1 1AA,JP 154-0023,KR 03051,LT 04340,LU 4750,MX 02860,MY 43000,NL 1234 AB,NO 0025,NZ 6001,PE 15001,PH 1008,PK 44000,PL 00-950,PR 00930,PT 2725-079,PY 1536,RO 060274,RU 247112,SA 11564,SE 114 55,SG 546080,SI 4000,SK 010 01,TH 10150,TR 01960,TW 104,UA 15432,US 95014,UY 11600,VE 1010,VN 70010,ZA 0083',
);

/** Countries whose post requires a code. */
const REQUIRED = split(
  'AT AU BE BR CA CH CN CZ DE DK EE ES FI FR GB GG GR HU IM IN IT JE JP KR LT LU MX MY NL NO NZ PL PR PT RO RU SE SG SI SK TR TW UA US ZA',
);

/** Countries that have no postal codes. */
const NONE = split(
  'AE AO AW BF BI BJ BO BS BW BZ CD CF CG CI CK CM CW DJ ER FJ GA GM GQ HK KI KM KN ML MO MR MW NR NU QA RW SB SC SL SR ST SY TD TG TK TL TO TV UG VU WS YE ZW',
);

/** The label of a postal code, by country. Other countries use `postal_code`. */
const LABELS: readonly (readonly [label: PostalCodeRule['label'], countries: readonly string[]])[] = [
  ['postcode', split('AU GB GG IM JE NL NZ')],
  ['pin_code', split('IN')],
  ['zip_code', split('PH PR US')],
];

/** The rule of a country’s postal codes; undefined if there are none. */
export function postalCodeRule(country: string): PostalCodeRule | undefined {
  if (NONE.includes(country)) return undefined;
  const example = EXAMPLES[country] ?? '';
  return {
    label: LABELS.find(([, countries]) => countries.includes(country))?.[0] ?? 'postal_code',
    pattern: PATTERNS[country] ?? (example ? like(example) : /^(.{1,20})$/),
    example,
    numeric: /^[\d -]+$/.test(example),
    required: REQUIRED.includes(country),
  };
}

/** A postal code in upper case and in its country’s form; unchanged if it is not a code of the country. */
export function writePostalCode({ pattern, example }: PostalCodeRule, text: string): string {
  const tidy = text.trim().replace(/\s+/g, ' ').toUpperCase();
  if (!example) return tidy;
  const separator = /[A-Z\d]([ -])/.exec(example)?.[1] ?? '-';
  const plain = tidy.replace(/[^A-Z\d]/g, '');
  // `D-26133`, `C.P. 02860`: letters before the digits name the country or say that it is a postal code.
  const [, ...parts] = pattern.exec(plain) ?? pattern.exec(plain.replace(/^[A-Z]{1,3}(?=\d)/, '')) ?? [];
  return parts.length > 0 ? parts.filter(Boolean).join(separator) : tidy;
}

/** Matches codes with digits and letters in the same positions. */
function like(example: string): RegExp {
  const parts = example.split(/[ -]/).map((part) => `(${part.replace(/\d/g, '\\d').replace(/[A-Z]/g, '[A-Z]')})`);
  return new RegExp(`^${parts.join('[ -]?')}$`);
}

function table(text: string): Record<string, string> {
  return Object.fromEntries(split(text, ',').map((entry) => [entry.slice(0, 2), entry.slice(3)]));
}

function split(text: string, separator = ' '): string[] {
  return text.split(separator);
}
