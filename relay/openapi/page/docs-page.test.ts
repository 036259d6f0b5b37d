// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createPayment } from '../../../shared/api/payment.ts';
import { eventTypes } from '../../../shared/api/webhook.ts';
import { problems } from '../../../shared/checkout/problem-codes.ts';
import { createSession } from '../../../shared/checkout/session.ts';
import { allRoutes } from '../../routes/all.ts';
import { openApiDocument } from '../document.ts';
import { docsPage } from './docs-page.ts';
import { html, inline, prose } from './html.ts';

const api = openApiDocument('https://pay.example/<b>"\'&', { list_separator: ',', query_requires: [['orders']] });
const text = docsPage(api);
const document = new DOMParser().parseFromString(text, 'text/html');
const all = (selector: string): Element[] => [...document.querySelectorAll(selector)];

/** The names of the fields of a body that are numbers. */
function numbersIn(body: z.ZodType): string[] {
  const written = JSON.stringify(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any', reused: 'inline' }));
  const names: string[] = [];
  JSON.parse(written, (name, value) => {
    if (/^(number|integer)$/.test(value?.type)) names.push(name);
    return value;
  });
  return names;
}

describe('the page of the API', () => {
  it('lists every route with its method, path and a linked heading', () => {
    const linked = new Set(all('nav.wide a').map((link) => link.getAttribute('href')));
    for (const { id, method, path, summary } of allRoutes) {
      const section = document.getElementById(id);
      expect(section?.querySelector('h3')?.textContent, id).toBe(summary);
      expect(section?.querySelector('.address')?.textContent).toBe(`${method.toUpperCase()} ${path}`);
      expect(linked).toContain(`#${id}`);
    }
  });

  it('has every webhook with its type, its data and its body', () => {
    const linked = new Set(all('nav.wide a').map((link) => link.getAttribute('href')));
    for (const type of eventTypes) {
      const id = `webhook-${type.replaceAll(/[._]/g, '-')}`;
      const section = document.getElementById(id);
      expect(section?.querySelector('.address')?.textContent, id).toBe(type);
      expect(JSON.parse(section?.querySelector('pre')?.textContent ?? '')).toMatchObject({ type });
      expect(linked).toContain(`#${id}`);
    }
    const names = [...(document.getElementById('webhook-payout-notified')?.querySelectorAll('.field-name') ?? [])];
    expect(names.map(({ textContent }) => textContent)).toEqual(expect.arrayContaining(['verified', 'notification']));
  });

  it('tells every error code and what to do about it', () => {
    const rows = all('section[aria-labelledby="errors"] tbody th').map((cell) => cell.textContent);
    expect(rows.toSorted()).toEqual(Object.keys(problems).toSorted());
  });

  it('says how an amount is written', () => {
    const [amounts] = all('section[aria-labelledby="amounts"] li').map(({ textContent }) => textContent);
    expect(amounts).toContain('"129.90" and "129.9" BRL are the same, "129" is refused unless');
    const isTaken = (amount: string) =>
      createSession.safeParse({ order: { order_no: 'A-1', currency: 'BRL', amount } }).success;
    expect(['129.90', '129.9', '129'].map(isTaken)).toEqual([true, true, false]);
  });

  it('names the fields of shops that are numbers', () => {
    const [, types] = all('section[aria-labelledby="amounts"] li').map(({ textContent }) => textContent);
    const risk = ['amount_usd', 'amount_local_currency', 'created', 'past_orders_count', 'past_orders_sum'];
    const named = [...numbersIn(createSession), ...numbersIn(createPayment)].filter((name) => !risk.includes(name));
    expect(named).toContain('quantity');
    expect(named.filter((name) => !types?.includes(name))).toEqual([]);
  });

  it('shows the fields of a body, with the nested ones folded', () => {
    const body = document.getElementById('refund');
    const names = [...(body?.querySelectorAll('details.inner .field-name') ?? [])].map(
      ({ textContent }) => textContent,
    );
    expect(names).toEqual(expect.arrayContaining(['transaction_id', 'amount', 'refund_amount', 'refund_reason']));
    expect(body?.textContent).toContain('at most 50');
  });

  it('shows commands that a shell reads as they were meant', () => {
    const [first = ''] = all('#createSession pre').map(({ textContent }) => textContent);
    expect(first).toMatch(/^curl https:\/\/pay\.example/);
    expect(first).toContain('-H "Authorization: Bearer $API_KEY"');
    const body = /-d '([\s\S]*)'$/.exec(first)?.[1] ?? '';
    expect(JSON.parse(body)).toMatchObject({ order: { currency: 'BRL' } });
  });

  it('runs and loads nothing but its own script and style sheet', () => {
    expect(all('img, iframe, object, embed, form, style, [style], base')).toEqual([]);
    expect(all('script').map((script) => script.outerHTML)).toEqual(['<script src="/docs.js" defer=""></script>']);
    expect(all('link').map((link) => link.getAttribute('href'))).toEqual(['/docs.css']);
    expect(
      all('*')
        .flatMap(({ attributes }) => [...attributes])
        .filter(({ name }) => name.startsWith('on')),
    ).toEqual([]);
    const links = all('a').map((link) => link.getAttribute('href') ?? '');
    for (const link of links) expect(link).toMatch(/^[#/]/);
  });

  it('has links that lead somewhere and names that are there once', () => {
    const ids = all('[id]').map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const link of all('a[href^="#"]')) expect(ids).toContain(link.getAttribute('href')?.slice(1));
    for (const part of all('[aria-labelledby]')) expect(ids).toContain(part.getAttribute('aria-labelledby'));
  });

  it('can be walked by landmarks and headings', () => {
    expect(document.documentElement.lang).toBe('en');
    expect(all('main')).toHaveLength(1);
    expect(all('h1')).toHaveLength(1);
    expect(document.body.firstElementChild?.getAttribute('href')).toBe('#content');
    for (const nav of all('nav')) expect(nav.getAttribute('aria-label')).toBe('Contents');
    const levels = all('h1, h2, h3, h4').map(({ tagName }) => Number(tagName.slice(1)));
    for (const [at, level] of levels.entries()) expect(level - (levels[at - 1] ?? 0), `heading ${at}`).toBeLessThan(2);
  });

  it('escapes everything that it is given', () => {
    expect(text).not.toContain('<b>');
    expect(document.querySelector('.server')?.textContent).toBe('https://pay.example/<b>"\'&');
    expect(String(html`<a title="${'"><script>'}">${'<i>&'}</a>`)).toBe(
      '<a title="&quot;&gt;&lt;script&gt;">&lt;i&gt;&amp;</a>',
    );
    expect(String(inline('a `<b>` & c'))).toBe('a <code>&lt;b&gt;</code> &amp; c');
    expect(String(prose('one\n\n<two>'))).toBe('<p>one</p>\n<p>&lt;two&gt;</p>');
  });
});
