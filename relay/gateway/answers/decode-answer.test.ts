import { describe, expect, it } from 'vitest';
import { decodeAnswer, decodeLoosely } from './decode-answer.ts';
import { readJsonAnswer } from './json-answer.ts';
import { readXmlAnswer } from './read-answer.ts';

const utf16be = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const xmlAs = (encoding: string, text: string): string =>
  `<?xml version="1.0" encoding="${encoding}"?><respon><a>${text}</a></respon>`;

/** An XML answer, as bytes with a Content-Type, whose one element must be `text`. */
type Case = { bytes: Buffer; contentType?: string; text: string };

const read: Record<string, Case> = {
  'ISO-8859-1 by the XML declaration': { bytes: latin1(xmlAs('ISO-8859-1', 'São')), text: 'São' },
  'ISO-8859-1 by the header': {
    bytes: latin1('<respon><a>São</a></respon>'),
    contentType: 'text/xml; charset=ISO-8859-1',
    text: 'São',
  },
  'windows-1252 by the XML declaration': { bytes: latin1(xmlAs('windows-1252', '\x80 12')), text: '€ 12' },
  'GBK by the XML declaration': { bytes: latin1(xmlAs('GBK', '\xd6\xd0\xce\xc4')), text: '中文' },
  'GBK by a quoted charset': {
    bytes: latin1('<respon><a>\xd6\xd0\xce\xc4</a></respon>'),
    contentType: 'text/xml;charset="gbk"',
    text: '中文',
  },
  'ISO-8859-1 by a charset in single quotes': {
    bytes: latin1('<respon><a>São</a></respon>'),
    contentType: "text/xml; charset='iso-8859-1'",
    text: 'São',
  },
  'UTF-8 declared as utf8': { bytes: Buffer.from(xmlAs('utf8', 'São')), text: 'São' },
  'UTF-8 with a charset in single quotes': {
    bytes: Buffer.from(xmlAs('UTF-8', 'São')),
    contentType: "text/xml; charset='utf-8'",
    text: 'São',
  },
  'UTF-8 with charset=utf8': {
    bytes: Buffer.from('<respon><a>São</a></respon>'),
    contentType: 'text/xml; charset=utf8',
    text: 'São',
  },
  'UTF-16 by a mark': { bytes: Buffer.from(`\ufeff${xmlAs('UTF-16', 'São')}`, 'utf16le'), text: 'São' },
  'UTF-16 by a mark, the other way round': { bytes: utf16be(`\ufeff${xmlAs('utf-16', 'São')}`), text: 'São' },
  'UTF-16 by the declaration alone': { bytes: Buffer.from(xmlAs('UTF-16', 'São'), 'utf16le'), text: 'São' },
  'UTF-16 by the declaration, the other way round': { bytes: utf16be(xmlAs('UTF-16BE', 'São')), text: 'São' },
  'UTF-16 by the header': {
    bytes: utf16be('<respon><a>São</a></respon>'),
    contentType: 'text/xml; charset=utf-16',
    text: 'São',
  },
  'the header before the XML declaration': {
    bytes: latin1(xmlAs('UTF-8', 'São')),
    contentType: 'application/xml; charset=ISO-8859-1',
    text: 'São',
  },
  'UTF-16 by a mark and the header': {
    bytes: Buffer.from(`\ufeff${xmlAs('UTF-8', 'São')}`, 'utf16le'),
    contentType: 'text/xml; charset=utf-16',
    text: 'São',
  },
  'a byte order mark before the header': {
    bytes: Buffer.from('\ufeff<respon><a>São</a></respon>'),
    contentType: 'text/xml; charset=ISO-8859-1',
    text: 'São',
  },
};

const refused: Record<string, Pick<Case, 'bytes' | 'contentType'>> = {
  'an unknown encoding': { bytes: latin1(xmlAs('latin-9000', 'x')) },
  'an unknown charset': { bytes: latin1(xmlAs('UTF-8', 'x')), contentType: 'text/xml; charset=none' },
  'an encoding that browsers refuse too': { bytes: latin1(xmlAs('ISO-2022-KR', 'x')) },
  'bytes beyond ASCII that call themselves ASCII': { bytes: latin1(xmlAs('us-ascii', '\xe9')) },
  'bytes that are wrong in GBK': { bytes: latin1(xmlAs('GBK', '\xd6 ')) },
  'bytes that are wrong in UTF-8': { bytes: latin1('<respon><a>\xe9</a></respon>') },
  'half a character of UTF-16': { bytes: Buffer.from(`\ufeff${xmlAs('UTF-16', 'x')}`, 'utf16le').subarray(0, -1) },
  'eight-bit bytes that call themselves UTF-16': { bytes: latin1(xmlAs('UTF-16', 'x')) },
  'a mark that the declaration contradicts': { bytes: Buffer.from(`\ufeff${xmlAs('ISO-8859-1', 'x')}`) },
  'UTF-16 that calls itself UTF-8 twice': {
    bytes: Buffer.from(`\ufeff${xmlAs('UTF-8', 'x')}`, 'utf16le'),
    contentType: 'text/xml; charset=utf-8',
  },
  'UTF-16 that calls itself UTF-8': { bytes: Buffer.from(`\ufeff${xmlAs('UTF-8', 'x')}`, 'utf16le') },
};

describe('the encoding of an answer', () => {
  it.each(Object.entries(read))('is read: %s', (_, { bytes, contentType, text }) => {
    expect(readXmlAnswer(bytes, contentType)).toEqual({ a: text });
  });

  it.each(Object.entries(refused))('is refused: %s', (_, { bytes, contentType }) => {
    expect(() => readXmlAnswer(bytes, contentType)).toThrow('not_well_formed');
  });

  it('is read in JSON by the header or a mark', () => {
    expect(readJsonAnswer(latin1('{"a":"\xd6\xd0"}'), 'application/json; charset=GBK')).toEqual({ a: '中' });
    expect(readJsonAnswer(latin1('{"a":"\xe9"}'), 'application/json;charset=windows-1252')).toEqual({ a: 'é' });
    expect(readJsonAnswer(Buffer.from('\ufeff{"a":"é"}', 'utf16le'))).toEqual({ a: 'é' });
    expect(readJsonAnswer(utf16be('{"a":"é"}'), 'application/json; charset=UTF-16')).toEqual({ a: 'é' });
    expect(readJsonAnswer(Buffer.from('{"a":"é"}'), 'application/json; charset=utf8')).toEqual({ a: 'é' });
    expect(readJsonAnswer(latin1('{"a":"\xe9"}'), 'application/json')).toBe('not_json');
    expect(readJsonAnswer(Buffer.from('{"a":1}'), 'application/json; charset=latin-9000')).toBe('not_json');
  });

  it('decodes what cannot be an answer for people to read', () => {
    expect(decodeLoosely(utf16be('\ufeffcard 4111'))).toBe('card 4111');
    expect(decodeLoosely(latin1('caf\xe9'), 'text/plain; charset=latin1')).toBe('café');
    expect(decodeLoosely(latin1('caf\xe9'), 'text/plain; charset=none')).toBe('caf\ufffd');
    expect(decodeAnswer(Buffer.alloc(0))).toMatchObject({ text: '', encoding: 'utf-8' });
  });
});
