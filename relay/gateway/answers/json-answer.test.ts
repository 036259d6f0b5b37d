import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readJsonAnswer } from './json-answer.ts';

const read = (json: string | Buffer): unknown => readJsonAnswer(Buffer.from(json));

describe('reading a JSON answer', () => {
  it('takes one object, with every value as JSON has it', () => {
    expect(read(' {"a":"1","b":[1.50,{"c":null}],"d":{}} ')).toEqual({ a: '1', b: [1.5, { c: null }], d: {} });
  });

  it.each(['', 'null', '"text"', '[]', '12', '{"a":1', '{"a":1}{"b":2}', "{'a':1}", '{"a":1,}', '<respon/>'])(
    'refuses %j',
    (json) => {
      expect(read(json)).toBe('not_json');
    },
  );

  it('refuses bytes that are not UTF-8', () => {
    expect(read(Buffer.from('{"a":"\xe9"}', 'latin1'))).toBe('not_json');
  });

  it('refuses a repeated field in an object, escaped or nested', () => {
    const twice = [
      '{"amount":"1.00","amount":"100.00"}',
      '{"amount":"1.00","\\u0061mount":"100.00"}',
      '{"amount" : {"x":1} , "b":2, "amount"\n:3}',
      '{"orders":[{"a":1,"b":[{}],"a":1}]}',
      '{"a":{"b":{"c":1,"c":1}}}',
    ];
    for (const json of twice) expect(read(json), json).toBe('repeated_field');
  });

  it('accepts equal names in different objects, and values that resemble names', () => {
    for (const json of ['{"a":{"a":1},"b":[{"a":1},{"a":2}]}', '{"a":"a","b":"\\"a\\":","c":["a","a"]}']) {
      expect(read(json), json).toEqual(JSON.parse(json));
    }
  });

  it('refuses what is nested beyond any sense, and takes what is not', () => {
    const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
    expect(read(nested(64))).toEqual(JSON.parse(nested(64)));
    expect(read(nested(65))).toBe('nested_too_deep');
    expect(read(`{"a":${'['.repeat(400_000)}${']'.repeat(400_000)}}`)).toBe('nested_too_deep');
  });

  it('survives names that are special to JavaScript', () => {
    expect(read('{"__proto__":{"polluted":true},"constructor":1}')).toHaveProperty('constructor', 1);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  it('reads every object that JSON can write', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 5 })), (value) => {
        const json = JSON.stringify(value);
        expect(read(json)).toEqual(JSON.parse(json));
        expect(read(JSON.stringify(value, null, 2))).toEqual(JSON.parse(json));
      }),
    );
  });
});
