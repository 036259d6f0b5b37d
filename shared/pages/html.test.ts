import { expect, test } from 'vitest';
import { html } from './html.ts';

test('a value is escaped for text and for quoted attributes', () => {
  const evil = `"><script>alert('&')</script>`;
  expect(html`<a title="${evil}">${evil}</a>`.toString()).toBe(
    '<a title="&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;">' +
      '&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;</a>',
  );
});

test('HTML made by the helper is kept, alone and in lists', () => {
  const item = (text: string) => html`<li>${text}</li>`;
  expect(html`<ul>${[item('a'), item('<b>')]}</ul>`.toString()).toBe('<ul><li>a</li><li>&lt;b&gt;</li></ul>');
});

test('an undefined value leaves nothing behind', () => {
  expect(html`<p>${undefined}</p>`.toString()).toBe('<p></p>');
});
