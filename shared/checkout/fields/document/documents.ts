import { validate as arCuit } from 'stdnum/lib/cjs/ar/cuit.js';
import { validate as brCnpj } from 'stdnum/lib/cjs/br/cnpj.js';
import { validate as brCpf } from 'stdnum/lib/cjs/br/cpf.js';
import { validate as clRut } from 'stdnum/lib/cjs/cl/rut.js';
import { validate as coNit } from 'stdnum/lib/cjs/co/nit.js';
import { validate as ecCi } from 'stdnum/lib/cjs/ec/ci.js';
import { validate as gtNit } from 'stdnum/lib/cjs/gt/nit.js';
import { validate as mxCurp } from 'stdnum/lib/cjs/mx/curp.js';
import { validate as peRuc } from 'stdnum/lib/cjs/pe/ruc.js';
import { validate as pyRuc } from 'stdnum/lib/cjs/py/ruc.js';
import type { ValidateReturn } from 'stdnum/lib/cjs/types.js';
import { validate as uyCedula } from 'stdnum/lib/cjs/uy/cedula.js';
import { validate as uyRut } from 'stdnum/lib/cjs/uy/rut.js';
import { validate as veRif } from 'stdnum/lib/cjs/ve/rif.js';

/** One kind of number of a country's people or companies. */
type Kind = {
  /** Its name, in countries with several documents. */
  of?: string;
  /** The form of the number without separators. */
  shape: RegExp;
  /** Whether its check digits are right; undefined without check digits, or if they are not reliable. */
  accepts?: (number: string) => boolean;
};

/** The documents of one country. */
type CountryDocuments = {
  name: string;
  numeric?: true;
  /** The characters to remove, if a number may contain other signs than digits and the letters A to Z. */
  others?: RegExp;
  kinds: readonly Kind[];
  /** The number of characters of the longest one. */
  longest: number;
  /** Formats a number without separators, as far as it is typed; undefined if it is written without separators. */
  format?: (number: string) => string;
};

/** The documents of each known country, by its two letters. */
export type Documents = Readonly<Record<string, CountryDocuments>>;

/** A document of foreigners, in countries that accept it for payments. */
const PASSPORT: Kind = { of: 'PASSPORT', shape: /^[A-Z]{1,2}\d{5,9}$/ };
/** Year, month and day of a birth or a foundation. */
const DAY = String.raw`\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])`;

/**
 * The documents of people and companies in Latin America. They are refused only for their length and for a wrong check
 * digit: a library's lists of prefixes, regions and names grow, and shoppers must not wait for its updates.
 */
export const documents: Documents = {
  AR: {
    name: 'DNI / CUIT',
    numeric: true,
    kinds: [{ of: 'DNI', shape: /^\d{6,8}$/ }, checked(/^\d{11}$/, arCuit, 'CUIT')],
    longest: 11,
    format: (number) => (number.length > 8 ? masked('##-########-#', number) : inThousands(number)),
  },
  BO: { name: 'CI / NIT', kinds: [{ shape: /^\d{5,12}[A-Z\d]{0,4}$/ }], longest: 16 },
  BR: {
    name: 'CPF / CNPJ',
    kinds: [
      // A number whose digits are all equal passes the check and belongs to no person.
      { of: 'CPF', shape: /^\d{11}$/, accepts: (number) => !isOneDigit(number) && isRight(brCpf(number)) },
      { of: 'CNPJ', shape: /^[A-Z\d]{12}\d\d$/, accepts: (number) => !isOneDigit(number) && isRight(brCnpj(number)) },
    ],
    longest: 14,
    format: (number) => {
      // May still become a passport's number.
      if (/^[A-Z].{0,8}$/.test(number)) return number;
      return masked(/^\d{0,11}$/.test(number) ? '###.###.###-##' : '##.###.###/####-##', number);
    },
  },
  CL: { name: 'RUT', kinds: [checked(/^\d{7,8}[\dK]$/, clRut)], longest: 9, format: withCheckDigit },
  CO: {
    name: 'CC / NIT',
    kinds: [
      // A company's number ends with its check digit. A person's cédula has none and may be as long.
      checked(/^[89]\d{9}$/, coNit, 'NIT'),
      checked(/^1\d{10}$/, coNit, 'NIT'),
      { shape: /^\d{5,9}$|^[1-7]\d{9}$/ },
      PASSPORT,
    ],
    longest: 11,
    format: (number) => (/^[89]\d{9}$/.test(number) ? withCheckDigit(number) : inThousands(number)),
  },
  CR: { name: 'Cédula', numeric: true, kinds: [{ shape: /^\d{9,12}$/ }], longest: 12 },
  // Some hundreds of issued cédulas have a wrong check digit.
  DO: { name: 'Cédula / RNC', kinds: [{ shape: /^\d{11}$/ }, { of: 'RNC', shape: /^\d{9}$/ }, PASSPORT], longest: 11 },
  EC: {
    name: 'CI / RUC',
    kinds: [
      checked(/^\d{10}$/, ecCi, 'CI'),
      // A person's is the cédula with three more digits. Companies now get numbers without a check digit.
      { of: 'RUC', shape: /^\d\d[0-5]\d{10}$/, accepts: (number) => isRight(ecCi(number.slice(0, 10))) },
      { of: 'RUC', shape: /^\d\d[6-9]\d{10}$/ },
      PASSPORT,
    ],
    longest: 13,
  },
  GT: {
    name: 'NIT / CUI',
    // A person's CUI may also be the NIT.
    kinds: [checked(/^\d{3,8}[\dK]$/, gtNit, 'NIT'), { of: 'NIT', shape: /^CF$/ }, { shape: /^\d{13}$/ }, PASSPORT],
    longest: 13,
  },
  MX: {
    name: 'RFC / CURP',
    others: /[^\dA-Z&Ñ]/g,
    kinds: [
      // Many valid RFCs have a wrong check digit.
      { of: 'RFC', shape: new RegExp(`^[A-Z&Ñ]{3,4}${DAY}[A-Z\\d]{3}$`) },
      checked(new RegExp(`^[A-Z]{4}${DAY}[A-Z]{6}[A-Z\\d]\\d$`), mxCurp, 'CURP'),
      PASSPORT,
    ],
    longest: 18,
  },
  PE: {
    name: 'DNI / RUC',
    kinds: [checked(/^\d{11}$/, peRuc, 'RUC'), { of: 'DNI', shape: /^\d{8,10}$|^\d{12}$/ }, PASSPORT],
    longest: 12,
  },
  PY: {
    name: 'CI / RUC',
    numeric: true,
    kinds: [{ shape: /^\d{5,8}$/ }, { of: 'RUC', shape: /^\d{9}$/, accepts: isParaguayan }],
    longest: 9,
  },
  SV: {
    name: 'DUI / NIT',
    numeric: true,
    // A person's DUI is also the NIT.
    kinds: [{ shape: /^\d{9}$/ }, { of: 'NIT', shape: /^\d{14}$/ }],
    longest: 14,
    format: (number) => masked(number.length > 9 ? '####-######-###-#' : '########-#', number),
  },
  UY: {
    name: 'CI / RUT',
    numeric: true,
    kinds: [
      { of: 'CI', shape: /^\d{7,8}$/, accepts: (number) => isRight(uyCedula(number.padStart(8, '0'))) },
      checked(/^\d{12}$/, uyRut, 'RUT'),
    ],
    longest: 12,
    format: (number) => (number.length > 8 ? number : withCheckDigit(number)),
  },
  VE: {
    name: 'CI / RIF',
    kinds: [
      checked(/^[VEJPGC]\d{9}$/, veRif, 'RIF'),
      { of: 'RIF', shape: /^\d{9}$/ },
      { of: 'CI', shape: /^[VE]?\d{5,8}$/ },
    ],
    longest: 10,
  },
};

function checked(shape: RegExp, validate: (number: string) => ValidateReturn, of?: string): Kind {
  return { ...(of && { of }), shape, accepts: (number) => isRight(validate(number)) };
}

function isRight({ error }: ValidateReturn): boolean {
  return error?.name !== 'InvalidChecksum';
}

/** stdnum expects a 1 where the tax office writes a 0: if the sum has no remainder. */
function isParaguayan(number: string): boolean {
  return isRight(pyRuc(number)) || (number.endsWith('0') && isRight(pyRuc(`${number.slice(0, -1)}1`)));
}

function isOneDigit(number: string): boolean {
  return /^(\d)\1*$/.test(number);
}

/** `12.345.678` */
function inThousands(number: string): string {
  return /^\d+$/.test(number) ? number.replace(/\B(?=(?:\d{3})+$)/g, '.') : number;
}

/** `12.345.678-5`, in the groups in which people read it aloud, for any length. */
function withCheckDigit(number: string): string {
  return number.length > 1 ? `${inThousands(number.slice(0, -1))}-${number.slice(-1)}` : number;
}

/** Puts characters into the places of a mask, and adds the separators that have characters after them. */
function masked(mask: string, characters: string): string {
  let written = '';
  let at = 0;
  for (const sign of mask) {
    if (at === characters.length) return written;
    written += sign === '#' ? characters.charAt(at++) : sign;
  }
  return written + characters.slice(at);
}
