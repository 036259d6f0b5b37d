import { gzipSync } from 'node:zlib';

/** One request body that no well-behaved client sends. */
type HostileBody = {
  name: string;
  bytes: Buffer;
  /** Added to the default headers of a JSON request; undefined removes a header. */
  headers?: Readonly<Record<string, string | undefined>>;
  /** The problem code of the answer, if it depends on the body alone. */
  code: 'invalid_json' | 'body_too_large' | 'unsupported_media_type' | 'invalid_request';
};

const MIB = 1_048_576;

const json = (name: string, text: string, code: HostileBody['code']): HostileBody => ({
  name,
  bytes: Buffer.from(text, 'utf8'),
  code,
});

const notJson: readonly (readonly [name: string, text: string])[] = [
  ['spaces alone', ' \n\t '],
  ['an open object', '{'],
  ['an open array', '['],
  ['an open string', '{"order":"'],
  ['an open escape', '{"order":"\\'],
  ['half a unicode escape', '{"order":"\\u12'],
  ['an invalid escape', '{"order":"\\x41"}'],
  ['a bare word', 'undefined'],
  ['half a literal', '{"order":tru'],
  ['NaN', '{"order":NaN}'],
  ['Infinity', '{"order":-Infinity}'],
  ['a comma too many', '{"order":1,}'],
  ['a comma at the start', '{,"order":1}'],
  ['two commas', '[1,,2]'],
  ['a comma after the end', '{},'],
  ['a missing colon', '{"order" 1}'],
  ['two colons', '{"order"::1}'],
  ['a key without quotes', '{order:1}'],
  ['single quotes', "{'order':1}"],
  ['a comment', '{"order":1/*x*/}'],
  ['two documents', '{}{}'],
  ['a bracket of the other kind', '{"order":[1}]'],
  ['a closing bracket alone', '}'],
  ['a leading zero', '{"order":01}'],
  ['a plus sign', '{"order":+1}'],
  ['a hexadecimal number', '{"order":0x1F}'],
  ['a number that ends in a dot', '{"order":1.}'],
  ['a number that begins with a dot', '{"order":.5}'],
  ['an exponent without digits', '{"order":1e}'],
  ['a minus alone', '{"order":-}'],
  ['a raw NUL in a string', '{"order":"\u0000"}'],
  ['a raw line end in a string', '{"order":"\n"}'],
  ['a raw NUL between', '{\u0000}'],
  ['no-break spaces between', '{\u00a0"order":1}'],
  ['a BOM in the middle', '{\ufeff"order":1}'],
  ['XML', '<?xml version="1.0"?><order/>'],
  ['a form', 'order=1&amount=2'],
  ['JSON with a prefix against hijacking', ")]}',\n{}"],
  ['lines of JSON', '{"order":1}\n{"order":2}'],
  ['a string', '"order"'],
  ['a number', '42'],
  ['null', 'null'],
  ['true', 'true'],
];

const notAnObject: readonly (readonly [name: string, text: string])[] = [
  ['an empty object', '{}'],
  ['an empty array', '[]'],
  ['an array of objects', '[{},{}]'],
  ['an unknown field', '{"unknown":1}'],
  ['an empty name', '{"":1}'],
  ['the same name a hundred thousand times', `{${'"a":1,'.repeat(100_000)}"a":1}`],
  ['sixty thousand names', `{${Array.from({ length: 60_000 }, (_, at) => `"k${at}":0`).join(',')}}`],
  ['a name of a hundred thousand letters', `{"${'k'.repeat(100_000)}":1}`],
  ['a name that is a card number', '{"4111111111111111":1}'],
  ['a name with half a surrogate pair', '{"\\ud800":1}'],
  ['a name with control characters', '{"\\u0000\\u001b[2J":1}'],
  ['numbers beyond every range', '{"a":1e999,"b":-1e999,"c":1e-400,"d":-0}'],
  ['a whole number of a thousand digits', `{"a":${'9'.repeat(1000)}}`],
  ['arrays in arrays, 100,000 deep', `{"order":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
  ['objects in objects, 100,000 deep', `${'{"order":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
  ['an array as the whole, 100,000 deep', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
];

/** `__proto__` and similar names: at the top, nested, and through a constructor. */
const polluting: readonly HostileBody[] = [
  json('__proto__ at the top', '{"__proto__":{"polluted":"yes"}}', 'invalid_request'),
  json('__proto__ beside its escape', '{"\\u005f_proto__":{"polluted":"yes"}}', 'invalid_request'),
  json('__proto__ nested', '{"order":{"__proto__":{"polluted":"yes"}}}', 'invalid_request'),
  json('a constructor', '{"constructor":{"prototype":{"polluted":"yes"}}}', 'invalid_request'),
  json('a prototype', '{"prototype":{"polluted":"yes"}}', 'invalid_request'),
  json('an array whose member is __proto__', '[{"__proto__":{"polluted":"yes"}}]', 'invalid_request'),
  json('toString and valueOf', '{"toString":"x","valueOf":1,"hasOwnProperty":null,"toJSON":1}', 'invalid_request'),
];

const large = Buffer.from(`{"a":"${'x'.repeat(MIB)}"}`);
const bomb = gzipSync(Buffer.alloc(64 * MIB, 0x20), { level: 9 });
const plain = Buffer.from('{}');

const encoded = (name: string, encoding: string, bytes: Buffer, code: HostileBody['code']): HostileBody => ({
  name,
  bytes,
  headers: { 'content-encoding': encoding },
  code,
});

const typed = (name: string, type: string | undefined, bytes: Buffer, code: HostileBody['code']): HostileBody => ({
  name,
  bytes,
  headers: { 'content-type': type },
  code,
});

/** Bodies that every route with a JSON body refuses, with the problem code. */
export const hostileBodies: readonly HostileBody[] = [
  ...notJson.map(([name, text]) => json(name, text, 'invalid_json')),
  ...notAnObject.map(([name, text]) => json(name, text, 'invalid_request')),
  ...polluting,
  json('1 MiB and a little', `{"a":"${'x'.repeat(MIB - 8)}"} `, 'body_too_large'),
  { name: '2 MiB that are no JSON', bytes: Buffer.alloc(2 * MIB, 0x20), code: 'body_too_large' },
  json('2 MiB of a string', `"${'x'.repeat(2 * MIB)}"`, 'body_too_large'),
  { name: '10 MiB', bytes: Buffer.alloc(10 * MIB, 0x20), code: 'body_too_large' },
  json('a BOM before', '\ufeff{}', 'invalid_request'),
  { name: 'no bytes', bytes: Buffer.alloc(0), code: 'invalid_request' },
  { name: 'random bytes', bytes: Buffer.from('fffe00d8800f9f', 'hex'), code: 'invalid_json' },
  { name: 'UTF-8 cut in a character', bytes: Buffer.from('7b2261223a22f09f98227d', 'hex'), code: 'invalid_json' },
  { name: 'an overlong slash', bytes: Buffer.from('7b2261223a22c0af227d', 'hex'), code: 'invalid_json' },
  { name: 'a surrogate in UTF-8', bytes: Buffer.from('7b2261223a22eda080227d', 'hex'), code: 'invalid_json' },
  { name: 'Latin-1', bytes: Buffer.from('{"a":"café"}', 'latin1'), code: 'invalid_json' },
  { name: 'UTF-16 that says nothing', bytes: Buffer.from('\ufeff{"a":1}', 'utf16le'), code: 'invalid_json' },
  typed(
    'UTF-16 that says so',
    'application/json; charset=utf-16le',
    Buffer.from('{"é":1}', 'utf16le'),
    'invalid_request',
  ),
  typed('Latin-1 that says so', 'application/json; charset=iso-8859-1', plain, 'unsupported_media_type'),
  typed('an unknown charset', 'application/json; charset=klingon', plain, 'unsupported_media_type'),
  typed('no content type', undefined, plain, 'unsupported_media_type'),
  typed('an empty content type', '', plain, 'unsupported_media_type'),
  typed('plain text', 'text/plain', plain, 'unsupported_media_type'),
  typed('a form', 'application/x-www-form-urlencoded', Buffer.from('a=b'), 'unsupported_media_type'),
  typed('a form with files', 'multipart/form-data; boundary=x', Buffer.from('--x--'), 'unsupported_media_type'),
  typed('XML', 'application/xml', plain, 'unsupported_media_type'),
  typed('two types', 'application/json, text/plain', plain, 'unsupported_media_type'),
  typed('half a type', 'application', plain, 'unsupported_media_type'),
  typed('any type', '*/*', plain, 'unsupported_media_type'),
  typed('a cousin of JSON', 'application/vnd.api+json', plain, 'unsupported_media_type'),
  typed('a type in capitals', 'APPLICATION/JSON', plain, 'invalid_request'),
  typed('a charset in quotes', 'application/json; charset="UTF-8"', plain, 'invalid_request'),
  typed('a parameter that is none', 'application/json; q', plain, 'invalid_request'),
  encoded('gzip that is none', 'gzip', plain, 'invalid_json'),
  encoded('gzip that ends too early', 'gzip', gzipSync(large).subarray(0, 40), 'invalid_json'),
  encoded('a gzip bomb', 'gzip', bomb, 'body_too_large'),
  encoded('deflate that is none', 'deflate', plain, 'invalid_json'),
  encoded('brotli that is none', 'br', Buffer.from('ffffffff', 'hex'), 'invalid_json'),
  encoded('an unknown encoding', 'x-unknown', plain, 'unsupported_media_type'),
  encoded('gzip in gzip', 'gzip, gzip', gzipSync(gzipSync(plain)), 'unsupported_media_type'),
];
