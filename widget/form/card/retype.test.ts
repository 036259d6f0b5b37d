import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digitsOf } from '../../../shared/checkout/fields/digits.ts';
import './brand-table.ts';
import { formatExpiry } from './expiry.ts';
import { formatCode, formatNumber } from './number.ts';
import { type Format, retype } from './retype.ts';

/** Applies a change and returns the text; `|` is the caret. */
function play(before: string, now: string, how: string, format: Format = formatNumber): string {
  const caret = now.indexOf('|');
  const result = retype({ text: now.replace('|', ''), caret, before, how }, format);
  return `${result.text.slice(0, result.caret)}|${result.text.slice(result.caret)}`;
}

describe('the caret stays after the same digit', () => {
  it.each([
    ['typing at the end', '411', '4111|', 'insertText', '4111|'],
    ['typing over a gap', '4111', '41112|', 'insertText', '4111 2|'],
    ['typing in the middle', '4111 2222', '41911| 2222', 'insertText', '4191 1|222 2'],
    ['typing just before a gap', '4111 2222', '41119| 2222', 'insertText', '4111 9|222 2'],
    ['deleting in the middle', '4111 2222 3', '411|1 222 3', 'deleteContentBackward', '411|1 2223'],
    ['pasting in the middle', '4111 2222', '41-5555-|11 2222', 'insertFromPaste', '4155 55|11 2222'],
  ])('when %s', (_, before, now, how, after) => expect(play(before, now, how)).toBe(after));
});

it('a year can be typed with its century', () => {
  let date = '';
  for (const key of '12/2030') date = play(date, `${date}${key}|`, 'insertText', formatExpiry).replace('|', '');
  expect(date).toBe('12 / 30');
});

describe('a number with too many digits', () => {
  it('is cut if an input method composed it', () => {
    expect(play('5555 5555 5555 44443', '5555 5555 5555 44443|', 'insertText')).toBe('5555 5555 5555 4444|');
  });

  it('loses only the deleted digit', () => {
    const before = '5555 5555 5555 4444 1234';
    expect(play(before, '555|5 5555 5555 4444 1234'.replace('555|5', '55|5'), 'deleteContentBackward')).toBe(
      '55|55 5555 5554 4441 234',
    );
  });

  it('ignores further digits', () => {
    const before = '5555 5555 5555 4444 1234';
    expect(play(before, `${before}5|`, 'insertText')).toBe(`${before}|`);
  });
});

describe('the caret', () => {
  const digits = fc.stringMatching(/^4\d{0,14}$/);

  /** Applies an edit, and returns the number of digits before the caret afterwards. */
  function edited(
    number: string,
    place: number,
    edit: (before: string, caret: number) => [string, number],
    how: string,
  ) {
    const before = formatNumber(number);
    const [text, caret] = edit(before, Math.min(place, before.length));
    const result = retype({ text, caret, before, how }, formatNumber);
    return {
      ...result,
      before: digitsOf(text.slice(0, caret)).length,
      after: digitsOf(result.text.slice(0, result.caret)).length,
    };
  }

  it('stays after the same digits for any typed or pasted text', () => {
    const inserted = fc.stringMatching(/^[\d -]{1,4}$/);
    fc.assert(
      fc.property(
        digits,
        fc.nat(20),
        inserted,
        fc.constantFrom('insertText', 'insertFromPaste', ''),
        (number, place, added, how) => {
          const insert = (text: string, caret: number): [string, number] => [
            text.slice(0, caret) + added + text.slice(caret),
            caret + added.length,
          ];
          const { before, after } = edited(number, place, insert, how);
          expect(after).toBe(before);
        },
      ),
    );
  });

  it('stays after the same digits for any deleted selection', () => {
    const ways = fc.constantFrom('deleteContentBackward', 'deleteContentForward', 'deleteWordBackward', 'deleteByCut');
    fc.assert(
      fc.property(digits, fc.nat(20), fc.integer({ min: 1, max: 20 }), ways, (number, place, size, how) => {
        let lost = 0;
        const cut = (text: string, caret: number): [string, number] => {
          lost = digitsOf(text.slice(caret, caret + size)).length;
          return [text.slice(0, caret) + text.slice(caret + size), caret];
        };
        const { text, before, after } = edited(number, place, cut, how);
        if (lost) expect([digitsOf(text).length, after]).toEqual([number.length - lost, before]);
      }),
    );
  });
});

describe('a digit typed into a full field', () => {
  it.each([
    ['in the middle', '5555 5555 5555 4444', '5555 59|555 5555 4444', '5555 5|555 5555 4444'],
    ['at the end', '5555 5555 5555 4444', '5555 5555 5555 44449|', '5555 5555 5555 4444|'],
  ])('changes nothing %s', (_, before, now, after) => expect(play(before, now, 'insertText')).toBe(after));

  it('keeps a date, and cuts a code', () => {
    expect(play('12 / 30', '123| / 30', 'insertText', formatExpiry)).toBe('12| / 30');
    expect(play('12 / 30', '12 / 9|30', 'insertText', formatExpiry)).toBe('12 / |30');
    expect(play('737', '7937|', 'insertText', (text) => formatCode(text, 3))).toBe('793|');
  });
});

describe('deleting a gap deletes the digit beyond it', () => {
  it('backwards', () => expect(play('4111 2222', '4111|2222', 'deleteContentBackward')).toBe('411|2 222'));
  it('forwards', () => expect(play('4111 2222', '4111|2222', 'deleteContentForward')).toBe('4111| 222'));
  it('but not if a selected gap is cut out', () =>
    expect(play('4111 2222', '4111|2222', 'deleteByCut')).toBe('4111| 2222'));
});

describe('an expiry date can be deleted to its end', () => {
  it('key by key', () => {
    let text = '12 / 30';
    for (let presses = 0; presses < 7 && text; presses += 1) {
      const now = text.slice(0, -1);
      text = retype({ text: now, caret: now.length, before: text, how: 'deleteContentBackward' }, formatExpiry).text;
    }
    expect(text).toBe('');
  });

  it('from its slash, where only the month loses a digit', () => {
    expect(play('12 / 30', '12 /|30', 'deleteContentBackward', formatExpiry)).toBe('1| / 30');
    expect(play('1 / 30', ' / 30|', 'deleteContentBackward', formatExpiry)).toBe(' / 30|');
    expect(play('12 / 30', '12| 30', 'deleteContentForward', formatExpiry)).toBe('12| / 0');
  });

  it('and corrected in its month', () => {
    expect(play(' / 30', '1| / 30', 'insertText', formatExpiry)).toBe('1| / 30');
    expect(play('1 / 30', '11| / 30', 'insertText', formatExpiry)).toBe('11| / 30');
    expect(play(' / 30', '5| / 30', 'insertText', formatExpiry)).toBe('05| / 30');
  });
});
