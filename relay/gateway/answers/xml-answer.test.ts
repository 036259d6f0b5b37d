import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import vectors from '../../../shared/vectors/signing.json' with { type: 'json' };
import { readXmlAnswer } from './read-answer.ts';
import { XmlAnswerError } from './xml-answer.ts';

const read = (xml: string): Record<string, string> => readXmlAnswer(Buffer.from(xml));

function faultOf(xml: string | Buffer): string {
  try {
    readXmlAnswer(Buffer.from(xml));
  } catch (error) {
    if (error instanceof XmlAnswerError) return error.code;
    throw error;
  }
  return 'read';
}

describe('reading an XML answer', () => {
  it('keeps every element’s exact text, as the signing vector has it', () => {
    const vector = vectors.find(({ xml }) => xml !== undefined);
    const { encryption_data, ...message } = read(vector?.xml ?? '');
    expect(message).toEqual(vector?.message);
    expect(encryption_data).toBe(vector?.encryption_data);
  });

  it('guesses no numbers and trims nothing', () => {
    expect(read('<respon><a>00123</a><b>1e5</b><c>  x </c><d> </d><e/><f></f></respon>')).toEqual({
      a: '00123',
      b: '1e5',
      c: '  x ',
      d: ' ',
      e: '',
      f: '',
    });
  });

  it('reads references, CDATA, comments inside text and white space between elements', () => {
    const xml =
      '\n<respon>\n <a>&lt;&amp;&#65;&#x1F600;&quot;&apos;&gt;</a>\n <b><![CDATA[<q>&amp;]]></b><c>1<!-- x -->2</c>\n</respon>\n';
    expect(read(`<?xml version="1.0" encoding="utf-8"?>${xml}`)).toEqual({ a: '<&A😀"\'>', b: '<q>&amp;', c: '12' });
  });

  const illFormed: Record<string, string> = {
    'an unclosed root': '<respon><a>1</a>',
    'mismatched tags': '<respon><a>1</b></respon>',
    'two roots': '<respon></respon><respon></respon>',
    'an empty text': '',
    'plain text': 'OK',
    HTML: '<!doctype html><html><body>Error</body></html>',
    'a DOCTYPE': '<!DOCTYPE respon><respon><a>1</a></respon>',
    'an entity bomb': '<!DOCTYPE respon [<!ENTITY a "aaaa">]><respon><x>&a;</x></respon>',
    'an undefined entity': '<respon><a>&nbsp;</a></respon>',
    'a bare ampersand': '<respon><a>a & b</a></respon>',
    'a control character': '<respon><a>\u0001</a></respon>',
    'a reference to a control character': '<respon><a>&#1;</a></respon>',
    'text beside the elements': '<respon>text<a>1</a></respon>',
    'an unknown encoding': '<?xml version="1.0" encoding="latin-9000"?><respon><a>1</a></respon>',
    'bytes beyond ASCII that call themselves ASCII':
      '<?xml version="1.0" encoding="us-ascii"?><respon><a>é</a></respon>',
    'another version': '<?xml version="1.1"?><respon><a>1</a></respon>',
    'two byte order marks': '\uFEFF\uFEFF<respon><a>1</a></respon>',
    'a space between the elements that XML does not know': '<respon>\u00a0<a>1</a></respon>',
    'a name that not every edition of XML allows': '<respon><eggſ>1</eggſ></respon>',
    'an undeclared prefix': '<respon a:b="1"><a>1</a></respon>',
    'a prefix without a name': '<respon><a:>1</a:></respon>',
    'a prefix of a processing instruction': '<?a:b c?><respon><a>1</a></respon>',
    'a truncated answer': '<respon><a>1</a><b>2',
  };
  for (const [what, xml] of Object.entries(illFormed)) {
    it(`refuses ${what}`, () => {
      expect(faultOf(xml)).toBe('not_well_formed');
    });
  }

  it('refuses bytes that are not UTF-8', () => {
    expect(faultOf(Buffer.from('<respon><a>\xe9</a></respon>', 'latin1'))).toBe('not_well_formed');
  });

  it('refuses another root, a repeated element and an element inside an element', () => {
    expect(faultOf('<response><a>1</a></response>')).toBe('wrong_root');
    expect(faultOf('<respon><a>1</a><a>1</a></respon>')).toBe('repeated_element');
    expect(faultOf('<respon><a><b>1</b></a></respon>')).toBe('nested_element');
  });

  it('refuses elements of another namespace, whatever their names are', () => {
    expect(faultOf('<x:respon xmlns:x="urn:x"><x:a>1</x:a></x:respon>')).toBe('wrong_root');
    expect(faultOf('<respon xmlns="urn:x"><a>1</a></respon>')).toBe('foreign_namespace');
    expect(faultOf('<respon><a xmlns="urn:x">1</a></respon>')).toBe('foreign_namespace');
    expect(faultOf('<respon><x:a xmlns:x="urn:x">1</x:a></respon>')).toBe('foreign_namespace');
    expect(faultOf('<respon xmlns:x="urn:x" xml:lang="en"><a>1</a></respon>')).toBe('read');
  });

  it('refuses more elements than any answer has', () => {
    const many = Array.from({ length: 5_000 }, (_, at) => `<a${at}/>`);
    expect(faultOf(`<respon>${many.join('')}</respon>`)).toBe('too_many_elements');
  });

  it('refuses a text that is longer than any answer', () => {
    const xml = `<respon><a>${'x'.repeat(65_000)}</a></respon>`;
    expect(faultOf(xml)).toBe('read');
    expect(faultOf(xml + ' '.repeat(1_000))).toBe('too_long');
  });

  it('reads a byte order mark over', () => {
    expect(read('\uFEFF<?xml version="1.0" encoding="UTF-8"?><respon><a>1</a></respon>')).toEqual({ a: '1' });
  });

  it.each(['__proto__', 'constructor'])('refuses the element %s, which the readers read differently', (name) => {
    expect(faultOf(`<respon><${name}>x</${name}></respon>`)).toBe('readers_differ');
    expect(Object.hasOwn(Object.prototype, 'x')).toBe(false);
  });

  it('refuses 20,000 nested elements at once', () => {
    expect(faultOf('<respon>'.concat('<a>'.repeat(20_000)))).toBe('nested_element');
  });

  it('reads any mixture of text, references, CDATA, comments and instructions', () => {
    const piece = fc.oneof(
      fc.stringMatching(/^[a-z \t\n"'>]{0,5}$/).map((text) => ({ xml: text.replaceAll('>', '&gt;'), text })),
      fc.constantFrom('&', '<', '>', '"', "'").map((text) => ({ xml: `&#${text.charCodeAt(0)};`, text })),
      fc.stringMatching(/^[a-z &<]{0,5}$/).map((text) => ({ xml: `<![CDATA[${text}]]>`, text })),
      fc.stringMatching(/^[a-z &<>"']{0,5}$/).map((text) => ({ xml: `<!--${text}--><?note ${text}?>`, text: '' })),
    );
    fc.assert(
      fc.property(fc.array(piece), fc.array(piece), (one, other) => {
        const [a = '', b = ''] = [one, other].map((pieces) => pieces.map(({ xml }) => xml).join(''));
        const [first = '', second = ''] = [one, other].map((pieces) => pieces.map(({ text }) => text).join(''));
        expect(read(`<respon>\n<a>${a}</a><!-- - --><b>${b}</b></respon>`)).toEqual({ a: first, b: second });
      }),
    );
  });

  it('reads back any text that XML can hold', () => {
    const escaped = (text: string): string =>
      text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\r', '&#13;');
    const character = fc
      .string({ unit: 'binary', minLength: 1, maxLength: 1 })
      .filter((value) => !/[^\P{Cc}\t\n\r]|[\uFFFE\uFFFF]/u.test(value) && value.isWellFormed());
    const text = fc.string({ unit: character });
    fc.assert(
      fc.property(text, (value) => {
        expect(read(`<respon><a>${escaped(value)}</a></respon>`)).toEqual({ a: value });
      }),
      { numRuns: 500 },
    );
  });
});
