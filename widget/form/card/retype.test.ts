import { describe, expect, it } from 'vitest';
import { formatExpiry } from './expiry.ts';
import { formatNumber } from './number.ts';
import { type Format, retype } from './retype.ts';

const number: Format = (text) => formatNumber(text);

/** Plays a change; `|` is the caret. */
function play(before: string, now: string, how: string, format: Format = number): string {
  const caret = now.indexOf('|');
  const result = retype({ text: now.replace('|', ''), caret, before, how }, format);
  return `${result.text.slice(0, result.caret)}|${result.text.slice(result.caret)}`;
}

describe('the caret stays after the digit that it stood after', () => {
  it.each([
    ['typing at the end', '411', '4111|', 'insertText', '4111|'],
    ['typing over a gap', '4111', '41112|', 'insertText', '4111 2|'],
    ['typing in the middle', '4111 2222', '41911| 2222', 'insertText', '4191 1|222 2'],
    ['typing just before a gap', '4111 2222', '41119| 2222', 'insertText', '4111 9|222 2'],
    ['deleting in the middle', '4111 2222 3', '411|1 222 3', 'deleteContentBackward', '411|1 2223'],
    ['pasting in the middle', '4111 2222', '41-5555-|11 2222', 'insertFromPaste', '4155 55|11 2222'],
  ])('when %s', (_, before, now, how, after) => expect(play(before, now, how)).toBe(after));
});

describe('deleting a gap deletes the digit beyond it', () => {
  it('backwards', () => expect(play('4111 2222', '4111|2222', 'deleteContentBackward')).toBe('411|2 222'));
  it('forwards', () => expect(play('4111 2222', '4111|2222', 'deleteContentForward')).toBe('4111| 222'));
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
});
