import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import vectors from '../../../vectors/brazilian-documents.json' with { type: 'json' };
import { type DocumentRule, documentRule, documentRuleOf } from './document.ts';
import { documents } from './documents.ts';

const countries = Object.keys(documents);
const listed = (lists: Record<string, string[]>): string[] => Object.values(lists).flat();

function ruleOf(country: string): DocumentRule {
  const rule = documentRule(documents, country);
  if (!rule) throw new Error(`no rule for ${country}`);
  return rule;
}

const brazil = ruleOf('BR');
const problem = (country: string, number: string) => ruleOf(country).problem(number);

describe('Brazilian documents of public lists', () => {
  const { cpf, cnpj } = vectors;

  it.each([...listed(cpf.valid), ...listed(cnpj.valid)])('%s is one', (number) => {
    expect(brazil.problem(number)).toBeUndefined();
    expect(brazil.problem(brazil.compact(number))).toBeUndefined();
    expect(brazil.problem(brazil.format(number))).toBeUndefined();
  });

  it.each([...listed(cpf.wrong), ...listed(cnpj.wrong)])('%s is none', (number) => {
    expect(brazil.problem(number)).toBe('document_invalid');
  });

  it.each([...listed(cpf.incomplete), ...listed(cnpj.incomplete)])('%s is not whole', (number) => {
    expect(brazil.problem(number)).toBe('document_incomplete');
  });
});

/** The check digits by the authority's description, written down independently: ASCII less 48, weights, remainder of 11. */
function checkDigits(body: string, weights: readonly number[]): string {
  const digit = (text: string): number => {
    const own = weights.slice(weights.length - text.length);
    const sum = [...text].reduce((total, sign, at) => total + (sign.charCodeAt(0) - 48) * (own[at] ?? 0), 0);
    return sum % 11 < 2 ? 0 : 11 - (sum % 11);
  };
  const first = digit(body);
  return `${first}${digit(`${body}${first}`)}`;
}
const CPF_WEIGHTS = [11, 10, 9, 8, 7, 6, 5, 4, 3, 2];
const CNPJ_WEIGHTS = [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2];

const text = (signs: string, size: number) =>
  fc.string({ unit: fc.constantFrom(...signs), minLength: size, maxLength: size });
const varied = (body: string): boolean => new Set(body).size > 1;
const cpfs = text('0123456789', 9)
  .filter(varied)
  .map((body) => body + checkDigits(body, CPF_WEIGHTS));
const cnpjs = text('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ', 12)
  .filter(varied)
  .map((body) => body + checkDigits(body, CNPJ_WEIGHTS));

/**
 * One digit of a number changed: where, and by how much. The remainders 0 and 1 have one check digit, so that by some places'
 * weights a few changes are seen by neither.
 */
const withSlip = (numbers: fc.Arbitrary<string>) =>
  fc
    .tuple(numbers, fc.nat(13), fc.integer({ min: 1, max: 9 }))
    .map(([number, at, more]) => ({ number, at: at % number.length, more }))
    .filter(({ number, at }) => /\d/.test(number.charAt(at)))
    .map(({ number, at, more }) => {
      const from = Number(number[at]);
      const to = (from + more) % 10;
      return { at, by: Math.abs(from - to), slipped: number.slice(0, at) + to + number.slice(at + 1) };
    });

describe('check digits', () => {
  it('of every CPF are known', () => {
    fc.assert(fc.property(cpfs, (number) => brazil.problem(number) === undefined));
  });

  it('of every CNPJ are known, with letters or without', () => {
    fc.assert(fc.property(cnpjs, (number) => brazil.problem(number) === undefined));
  });

  it('detect every wrong digit in a CPF that they can tell apart', () => {
    const slips = withSlip(cpfs).filter(({ at, by }) => !(at === 0 && by === 1) && !(at === 5 && [2, 9].includes(by)));
    fc.assert(
      fc.property(slips, ({ slipped }) => brazil.problem(slipped) === 'document_invalid'),
      { numRuns: 1000 },
    );
  });

  it('detect every wrong digit in a CNPJ that they can tell apart', () => {
    const slips = withSlip(cnpjs).filter(
      ({ at, by }) => !([0, 8].includes(at) && [2, 9].includes(by)) && !(at === 4 && [5, 6].includes(by)),
    );
    fc.assert(
      fc.property(slips, ({ slipped }) => brazil.problem(slipped) === 'document_invalid'),
      { numRuns: 1000 },
    );
  });
});

describe('documents of Latin America', () => {
  it('may have letters and only zeros as digits, where letters are allowed', () => {
    expect(brazil.problem('KIJEIHCEKBCH00')).toBeUndefined();
  });

  it.each([
    ['AR', '20.123.456'],
    ['AR', '20-05536168-2'],
    ['AR', '25-12345678-0'],
    ['BO', '1234567-OR-1'],
    ['BO', '1020703023'],
    ['CL', '12.531.909-2'],
    ['CL', '76086428-5'],
    ['CO', '900.123.456-8'],
    ['CO', '1.020.304.050'],
    ['CO', '52.123.456'],
    ['CR', '1-0234-0567'],
    ['CR', '3-101-123456'],
    ['DO', '001-1391820-5'],
    ['DO', '1-01-85004-3'],
    ['EC', '171430710-3'],
    ['EC', '1792060346-001'],
    ['GT', '576937-K'],
    ['GT', 'CF'],
    ['GT', '1580 35224 0101'],
    ['MX', 'GODE 561231 GR8'],
    ['MX', 'MAB-930714-8T4'],
    ['MX', 'Ñ&T130705MD6'],
    ['MX', 'XEXX010101000'],
    ['MX', 'BOXW310820HNERXN09'],
    ['PE', '20512333797'],
    ['PE', '40123456'],
    ['PY', '80028061-0'],
    ['PY', '80000011-0'],
    ['SV', '0614-050707-104-8'],
    ['SV', '01234567-8'],
    ['UY', '1.234.567-2'],
    ['UY', '123456-1'],
    ['UY', '21-100342-001-7'],
    ['VE', 'V-11470283-4'],
    ['VE', 'V-12345678'],
  ])('%s: %s is one', (country, number) => {
    expect(problem(country, number)).toBeUndefined();
    expect(problem(country, ruleOf(country).compact(number))).toBeUndefined();
  });

  it.each([
    ['AR', '20-05536168-3'],
    ['CL', '12.531.909-3'],
    ['CO', '900.123.456-7'],
    ['EC', '1714307104'],
    ['EC', '1714307104001'],
    ['GT', '576937-1'],
    ['MX', 'BOXW310820HNERXN08'],
    ['PE', '20512333798'],
    ['PY', '80028061-5'],
    ['UY', '1.234.567-3'],
    ['UY', '123456-2'],
    ['VE', 'V-11470283-3'],
    ['AR', '200553616822'],
    ['MX', 'BOXW310820HNERXN099'],
  ])('%s: %s has a wrong check digit, or too many', (country, number) => {
    expect(problem(country, number)).toBe('document_invalid');
  });

  it.each(countries)('%s: zeros alone belong to no person', (country) => {
    for (let count = 1; count < 20; count += 1) expect(problem(country, '0'.repeat(count)), `${count}`).toBeDefined();
  });

  it.each([
    ['CL', '0.000.000-0'],
    ['CO', '00000'],
    ['PE', 'AB000000'],
    ['VE', 'V-00000000'],
  ])('%s: %s belongs to no person', (country, number) => expect(problem(country, number)).toBe('document_invalid'));

  it.each([
    ['BR', 'CPF: 529.982.247-25', '52998224725'],
    ['BR', 'cpf 52998224725', '52998224725'],
    ['BR', 'CPF nº 529.982.247-25', '52998224725'],
    ['BR', 'CNPJ 12.ABC.345/01DE-35', '12ABC34501DE35'],
    ['BR', 'ABC 529.982.247-25', 'ABC52998224725'],
    ['BR', 'CPF: 529', 'CPF529'],
    ['AR', 'DNI 20.123.456', '20123456'],
    ['AR', 'CUIT: 20-05536168-2', '20055361682'],
    ['CL', 'RUT 12.531.909-2', '125319092'],
    ['CL', 'R.U.T. 12.531.909-2', '125319092'],
    ['CO', 'CC 52.123.456', '52123456'],
    ['CO', 'C.C. 52.123.456', '52123456'],
    ['CO', 'NIT: 900.123.456-8', '9001234568'],
    ['CO', 'AB 123456', 'AB123456'],
    ['MX', 'RFC GODE 561231 GR8', 'GODE561231GR8'],
    ['MX', 'RFC: GODE561231GR8', 'GODE561231GR8'],
    ['MX', 'CURP: BOXW310820HNERXN09', 'BOXW310820HNERXN09'],
    ['MX', 'GODE 561231 GR8', 'GODE561231GR8'],
    ['VE', 'V 11470283 4', 'V114702834'],
    ['VE', 'RIF: V-11470283-4', 'V114702834'],
  ])('%s: %s is read as %s', (country, pasted, number) => {
    expect(ruleOf(country).compact(pasted)).toBe(number);
    expect(ruleOf(country).compact(ruleOf(country).format(pasted))).toBe(number);
  });

  it.each([
    ['AR', '12345'],
    ['CL', '12.531'],
    ['MX', 'GODE 561231'],
    ['MX', 'GODE 561331 GR8'],
    ['PE', '1234567'],
    ['UY', '12345678901'],
  ])('%s: %s is not whole', (country, number) => expect(problem(country, number)).toBe('document_incomplete'));

  it('lets foreigners pay with a passport where one may', () => {
    for (const country of ['CO', 'EC', 'MX', 'PE']) expect(problem(country, 'AB123456')).toBeUndefined();
    for (const country of ['AR', 'BR', 'CL', 'UY']) expect(problem(country, 'AB123456')).toBeDefined();
  });

  it('knows fifteen countries, and takes any text in all others', () => {
    expect(countries.sort().join(' ')).toBe('AR BO BR CL CO CR DO EC GT MX PE PY SV UY VE');
    expect(documentRule(documents, 'US')).toBeUndefined();
    expect(documentRule(documents, undefined)).toBeUndefined();
    expect(documentRule(documents, 'constructor')).toBeUndefined();
  });
});

describe('a number while it is typed', () => {
  it.each([
    ['BR', '529', '529'],
    ['BR', '5299', '529.9'],
    ['BR', '52998224725', '529.982.247-25'],
    ['BR', '112223330001', '11.222.333/0001'],
    ['BR', '12abc34501de35', '12.ABC.345/01DE-35'],
    ['BR', '１２ＡＢＣ３４５', '12.ABC.345'],
    ['AR', '12345678', '12.345.678'],
    ['AR', '20055361682', '20-05536168-2'],
    ['CL', '125319092', '12.531.909-2'],
    ['CL', '7', '7'],
    ['CO', '1020304050', '1.020.304.050'],
    ['CO', '9001234568', '900.123.456-8'],
    ['MX', 'ñ&t130705md6', 'Ñ&T130705MD6'],
    ['SV', '06140507071048', '0614-050707-104-8'],
    ['UY', '12345672', '1.234.567-2'],
    ['UY', '211003420017', '211003420017'],
  ])('%s: %s is shown as %s', (country, typed, shown) => expect(ruleOf(country).format(typed)).toBe(shown));

  it('keeps its format when formatted again, and loses no characters', () => {
    const typed = fc.string({ unit: fc.constantFrom(...'0123456789KVZabñ .-/&'), maxLength: 22 });
    for (const country of countries) {
      const { format, compact } = ruleOf(country);
      fc.assert(
        fc.property(typed, (number) => {
          expect(format(format(number))).toBe(format(number));
          expect(format(compact(number))).toBe(format(number));
          expect(compact(format(number))).toBe(compact(number));
          expect(compact(compact(number))).toBe(compact(number));
        }),
        { numRuns: 50 },
      );
    }
  });
});

describe('the rule of a field', () => {
  const context = (values: Record<string, string>) => ({
    values,
    currency: 'BRL',
    today: '2026-11-21',
    documents,
  });

  it('is the likeliest country’s', () => {
    expect(documentRuleOf('document', context({}))?.name).toBe('CPF / CNPJ');
    expect(documentRuleOf('document', context({ billing_country: 'CL' }))?.name).toBe('RUT');
    expect(documentRuleOf('person.document_number', context({ 'person.fiscal_country': 'US' }))).toBeUndefined();
  });

  it('is absent when another type than the usual ones is chosen', () => {
    const typed = (type: string) => documentRuleOf('person.document_number', context({ 'person.document_type': type }));
    expect(typed('cpf')?.name).toBe('CPF / CNPJ');
    expect(typed('PASSPORT')).toBeUndefined();
    expect(documentRuleOf('document', context({ 'person.document_type': 'PASSPORT' }))).toBeDefined();
  });

  it('is that of the type of document, whichever country’s it is', () => {
    const wrong = (type: string, number: string, country = 'BR') =>
      documentRuleOf(
        'person.document_number',
        context({ 'person.document_type': type, 'person.fiscal_country': country }),
      )?.problem(number);
    expect(wrong('CPF', '529.982.247-25')).toBeUndefined();
    expect(wrong('CNPJ', '11.222.333/0001-81')).toBeUndefined();
    expect(wrong('CNPJ', '529.982.247-25')).toBe('document_incomplete');
    expect(wrong('CPF', '11.222.333/0001-81')).toBe('document_invalid');
    expect(wrong('CURP', 'GODE 561231 GR8', 'MX')).toBeDefined();
    expect(wrong('NIT', 'AB123456', 'CO')).toBeDefined();
    expect(wrong('CPF', '529.982.247-24', 'US')).toBe('document_invalid');
    expect(wrong('CPF', '529.982.247-25', 'US')).toBeUndefined();
    // Other countries have one of this name too.
    expect(wrong('CC', '12345678 9 ZZ4', 'PT')).toBeUndefined();
    expect(wrong('NIT', 'anything', 'US')).toBeUndefined();
    expect(wrong('DNI', 'anything', 'US')).toBeUndefined();
  });

  it('takes every document under one of its country’s names', () => {
    const right: Record<string, string[]> = {
      AR: ['20123456', '20055361682'],
      BO: ['1234567OR1', '1020703023'],
      BR: ['52998224725', '11222333000181'],
      CL: ['125319092'],
      CO: ['9001234568', '1020304050', '52123456'],
      CR: ['102340567'],
      DO: ['00113918205', '101850043'],
      EC: ['1714307103', '1792060346001', '1714307103001'],
      GT: ['576937K', 'CF', '1580352240101'],
      MX: ['GODE561231GR8', 'BOXW310820HNERXN09'],
      PE: ['20512333797', '40123456'],
      PY: ['800280610', '12345678'],
      SV: ['06140507071048', '012345678'],
      UY: ['12345672', '211003420017'],
      VE: ['V114702834', 'V12345678', '114702834'],
    };
    expect(Object.keys(right)).toEqual(countries);
    for (const [country, numbers] of Object.entries(right)) {
      for (const number of numbers) {
        const types = ruleOf(country).name.toUpperCase().split(' / ');
        const rights = types.filter((type) => documentRule(documents, country, type)?.problem(number) === undefined);
        expect(rights, `${country} ${number}`).not.toEqual([]);
      }
    }
  });
});
