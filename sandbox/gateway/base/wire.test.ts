import { expect, test } from 'vitest';
import { elements } from '../testing.ts';
import { indentRespon, writeRespon } from './wire.ts';

test.each(['<b>&amp;</b>', ']]>', '  spaces kept  ', 'line\r\nline\rline\n', '日本 😀', '"quoted" \'twice\'', ''])(
  'the text %j is read back as it was',
  async (text) => {
    expect(await elements(new Response(writeRespon({ note: text, after: 'x' })))).toEqual({ note: text, after: 'x' });
  },
);

test('the document has the root respon and says its encoding', () => {
  expect(writeRespon({ a: 'b' })).toBe('<?xml version="1.0" encoding="UTF-8"?>\n<respon><a>b</a></respon>');
});

test('for people each element has a line', () => {
  expect(indentRespon(writeRespon({ a: '1 > 0', b: '' }))).toBe(
    '<?xml version="1.0" encoding="UTF-8"?>\n<respon>\n  <a>1 &gt; 0</a>\n  <b/>\n</respon>',
  );
});
