import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { cpuMs } from '../../test/support/time/cpu-time.ts';
import {
  addressHoldsCard,
  holdsCard,
  holdsMaskedCard,
  holdsOwnCard,
  maskOwn,
  maskOwnCard,
  maskPan,
  maskText,
  mayHoldCard,
  safeMaskedCard,
} from './mask.ts';

const own = { card: '4000001234567899', security_code: '9173' };
const groups = ['4000', '0012', '3456', '7899'];

describe('the payment’s own card and code', () => {
  it.each([
    ['in a row', groups.join('')],
    ['with blanks', groups.join(' ')],
    ['with dashes', groups.join('-')],
    ['with dots', groups.join('.')],
    ['with many signs', groups.join(' -- /\t_ \r\n ')],
    ['digit by digit', [...own.card].join(' ')],
    ['with no-break spaces', groups.join('\u00a0')],
    ['with characters of no width', groups.join('\u200b\u2060')],
    ['with entities that have a name', groups.join('&nbsp;&ensp;')],
    ['with numbered entities', groups.join('&#160;&#x2011;')],
    ['with percent encoding', groups.join('%20%C2%A0')],
    ['with percent encoding of percent encoding', groups.join('%2520')],
    ['with JSON escapes', groups.join('\\u00a0\\n\\x20\\u{2d}')],
    ['as entities', [...own.card].map((digit) => `&#${48 + Number(digit)};`).join('')],
    ['as hexadecimal entities', [...own.card].map((digit) => `&#x0003${digit};`).join('')],
    ['as entities in XML in XML', [...own.card].map((digit) => `&amp;#${48 + Number(digit)};`).join('')],
    ['percent-encoded', [...own.card].map((digit) => `%3${digit}`).join('')],
    ['percent-encoded twice', [...own.card].map((digit) => `%253${digit}`).join('')],
    ['in JSON escapes', [...own.card].map((digit) => `\\u003${digit}`).join('')],
    ['in JSON inside JSON', [...own.card].map((digit) => `\\\\u003${digit}`).join('')],
    ['in escapes of JavaScript', [...own.card].map((digit) => `\\x3${digit}`).join('')],
    ['in full-width digits', [...own.card].map((digit) => String.fromCodePoint(0xff10 + Number(digit))).join('')],
    ['in full-width digits, percent-encoded', [...own.card].map((digit) => `%EF%BC%9${digit}`).join('')],
    ['in Arabic digits', [...own.card].map((digit) => String.fromCodePoint(0x660 + Number(digit))).join('')],
    ['in Bengali digits', [...own.card].map((digit) => String.fromCodePoint(0x9e6 + Number(digit))).join('')],
    ['in mathematical digits', [...own.card].map((digit) => String.fromCodePoint(0x1d7d8 + Number(digit))).join('')],
    ['in superscript digits', [...own.card].map((digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)]).join('')],
  ])('are taken out where the number stands %s', (_how, written) => {
    expect(maskText(`card ${written} refused`, own)).toBe('card 400000******7899 refused');
    expect(maskOwnCard(`card ${written} refused`, own)).toBe('card 400000******7899 refused');
  });

  it.each(['9173', '9 1 7 3', '9-1-7-3', '９１７３', '%39%31%37%33', '&#57;&#49;&#55;&#51;', '\\u00391\\u00373'])(
    'are taken out where the code is written %s',
    (written) => expect(maskText(`wrong: ${written}.`, own)).toBe('wrong: ***.'),
  );

  it('are taken out among other digits and words, which stay', () => {
    expect(maskText('x400000123456789917 y', own)).toBe('x400000******789917 y');
    expect(maskText('<a>4000</a><b>0012 3456</b> and 7899', own)).toBe('<a>4000</a><b>00******</b> and 7899');
  });

  it('are found alone where the code is part of another number', () => {
    expect(maskText('ref 91730, 19173', own)).toBe('ref 91730, 19173');
  });

  it('are two things where a group of the number is the code', () => {
    const amex = { card: '4111111111111111', security_code: '1111' };
    expect(maskText('4111 1111 1111 1111, 1111', amex)).toBe('411111******1111, ***');
  });

  it.each(['100%', '\\u', '\\x', '&#', '%25', '\\\\u'])('are found behind %s, which begins no escape', (before) => {
    for (const number of [own.card, groups.join(' ')]) {
      const text = `card ${before}${number}`;
      expect(maskText(text, own)).toBe(`card ${before}400000******7899`);
      expect(maskOwnCard(text, own)).toBe(`card ${before}400000******7899`);
      expect(maskOwn(text, own)).toBe(`card ${before}400000******7899`);
      expect(holdsOwnCard(text, own)).toBe(true);
      expect(addressHoldsCard(`https://bank.example/?a=${before}${number}`, own)).toBe(true);
      expect(holdsMaskedCard(text, '400000******7899')).toBe(true);
      expect(mayHoldCard(text)).toBe(true);
    }
  });

  it.each(['%', '\\u', '\\x', '&#'])('are found where %s and the code look like an escape', (before) => {
    expect(maskText(`cvv ${before}9173`, own)).toBe(`cvv ${before}***`);
  });

  it('are found in every text that holds them', () => {
    for (const text of ['4000 0012 3456 7899', 'cvv 9173', '"security_code":"9173"']) {
      expect(holdsOwnCard(text, own)).toBe(true);
    }
    for (const text of ['9173', 'cvv 1234', '4111 1111 1111 1111', 'Rua 9173, 4000']) {
      expect(holdsOwnCard(text, own)).toBe(false);
    }
  });

  it('are never readable, whatever stands between and around the digits', () => {
    const sign = fc.constantFrom('', '', ' ', '-', '\u00a0', '%20', '&#160;', '\\u0020', '\n', '</td><td>');
    const digit = fc.constantFrom<(digit: string) => string>(
      (plain) => plain,
      (plain) => `%3${plain}`,
      (plain) => `\\u003${plain}`,
      (plain) => `&#x3${plain};`,
      (plain) => String.fromCodePoint(0xff10 + Number(plain)),
    );
    const parts = fc.array(fc.tuple(digit, sign), { minLength: 16, maxLength: 16 });
    const noise = fc.string({ maxLength: 8 });
    fc.assert(
      fc.property(noise, parts, noise, (before, how, after) => {
        const written = [...own.card].map((plain, at) => `${how[at]?.[0](plain)}${how[at]?.[1]}`).join('');
        const masked = maskText(`${before} ${written} ${after}`, own);
        expect(masked).toContain('*');
        expect(maskText(masked, own)).toBe(masked);
        expect(masked).not.toContain(written.trim());
      }),
    );
  });
});

describe('any other card data in a free text', () => {
  it.each([
    ['card 4539 5787 6362 1486 cvv 947', 'card 453957******1486 cvv ***'],
    ['5555555555554444 and 1234567890123456', '555555******4444 and 1234567890123456'],
    ['3782-822463-10005', '378282*****0005'],
    ['6304000000000000000', '630400*********0000'],
    ['{"cvv": 947, "cvc2":"12"}', '{"cvv": ***, "cvc2":"12"}'],
    ['security code is 1234', 'security code is ***'],
    ['<security_code>947</security_code>', '<security_code>***</security_code>'],
    ['cvv%3D947', 'cvv%3D***'],
    ['código de segurança: 947', 'código de segurança: ***'],
    ['100%4539578763621486', '100%453957******1486'],
    ['\\u4539578763621486', '\\u453957******1486'],
    ['order 1 4539 5787 6362 1486 737', 'order 1 453957******1486 737'],
  ])('is taken out: %s', (text, masked) => expect(maskText(text)).toBe(masked));

  it.each([
    '',
    'Rua da Aurora 1254, 50050-000 Recife',
    '+55 81 99999-0001',
    'transaction 00012345678901234567',
    '20261122000000000000',
    '4111111111111111000',
    'CNPJ 11.222.333/0001-81',
    'code 2003',
    'Security code does not match',
    '2026-11-21T06:46:10.123Z',
    '100 % of 12 \\ 13 & 14',
    'EAN 4006381300063',
  ])('is not seen in %s', (text) => {
    expect(maskText(text)).toBe(text);
    expect(holdsCard(text)).toBe(false);
  });

  it('may stand inside a longer number, where that is in doubt', () => {
    for (const text of ['x14539578763621486x', '411111111111111112307', '1-4539-5787-6362-1486']) {
      expect(mayHoldCard(text)).toBe(true);
    }
    expect(mayHoldCard('01890a5d-ac96-774b-bcce-b302099a8057')).toBe(false);
  });
});

test('a masked card number shows its first six and last four digits', () => {
  expect(maskPan('4111111111111111')).toBe('411111******1111');
  expect(maskPan('378282246310005')).toBe('378282*****0005');
});

test('an address holds a card number that stands apart', () => {
  const at = (path: string): string => `https://900.bank.example/${path}`;
  for (const path of ['?card=4539578763621486', '4539-5787-6362-1486/pay', 'a?b=%34%35%33%39578763621486&c=1']) {
    expect(addressHoldsCard(at(path)), path).toBe(true);
  }
  for (const path of [`x${own.card}y`, '?cvv=9173', groups.join('%20')]) {
    expect(addressHoldsCard(at(path), own), path).toBe(true);
  }
  // A token, codes without a name of a code, and another payment's.
  for (const path of [
    '?q=%2212345678901231%22',
    '4248035684084f783a1e77754a53a2e5',
    'f4539578763621486',
    '9173/737',
    '?cvv=737',
  ]) {
    expect(addressHoldsCard(at(path), own), path).toBe(false);
  }
});

test('an address may hold the payment’s identifiers, whatever they look like', () => {
  const ids = ['5000000000000009', 'A 5105105105105100', '400001', '200001', ''];
  const holds = (path: string): boolean => addressHoldsCard(`https://bank.example/${path}`, own, ids);
  for (const path of [
    '?order=5000000000000009&n=1',
    'pay/5000000000000009',
    '?next=%2Fpay%3Fid%3D%205000000000000009%26',
    '?id=A%205105105105105100',
    'pay/400001/200001/1236',
  ]) {
    expect(addressHoldsCard(`https://bank.example/${path}`, own), path).toBe(true);
    expect(holds(path), path).toBe(false);
  }
  // Some other number, and the payment's own card, even if it is an identifier.
  for (const path of ['?card=4539578763621486&order=5000000000000009', `?order=${own.card}`]) {
    expect(holds(path), path).toBe(true);
  }
  expect(addressHoldsCard(`https://bank.example/?order=${own.card}`, own, [own.card])).toBe(true);
});

test('a number is known by its mask', () => {
  const masked = '400000******7899';
  for (const number of [groups.join(''), groups.join('%20'), groups.join('&#160;'), `x1${groups.join('-')}2`]) {
    expect(holdsMaskedCard(`https://bank.example/?ref=${number}`, masked), number).toBe(true);
  }
  // Another one with the same beginning and end, one without its check digit, and what is no mask.
  for (const number of ['4000001234567898', '4000001234577899', '400000123457899', '4000007899', '']) {
    expect(holdsMaskedCard(`https://bank.example/?ref=${number}`, masked), number).toBe(false);
  }
  expect(holdsMaskedCard(groups.join(''), '')).toBe(false);
});

test('the gateway’s masked card is taken only if it is masked', () => {
  const visa = { card: '4111111111111111' };
  expect(safeMaskedCard('411111******1111', visa)).toBe('411111******1111');
  expect(safeMaskedCard('4111111111111111', visa)).toBe('411111******1111');
  expect(safeMaskedCard('4111111111**1111', visa)).toBe('411111******1111');
  expect(safeMaskedCard('', {})).toBeUndefined();
});

test('megabytes of digits are masked in little time', () => {
  const took = cpuMs(() => {
    maskText('4111 1111 '.repeat(100_000), own);
    maskText('1 '.repeat(500_000), own);
    maskText('&#52;%31\\u0031'.repeat(50_000), own);
    maskText('cvv '.repeat(100_000), own);
    maskText('\\'.repeat(200_000), own);
    maskText('%25'.repeat(333_333), own);
    maskText('&amp;'.repeat(200_000), own);
  });
  expect(took).toBeLessThan(5000);
});
