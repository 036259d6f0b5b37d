import type { Message } from '../../shared/gateway/signature.ts';
import { isCardNumber, maskCard } from './card-number.ts';

const digitRuns = /(?<!\d)\d(?:[ -]?\d){11,18}(?!\d)/g;
const LONGEST_TEXT = 400;

/** Masks whatever in a text could be a card number: 12 to 19 digits that pass Luhn, spaces and dashes allowed. */
export function maskText(text: string): string {
  return text.replace(digitRuns, (run) => {
    const digits = run.replace(/[ -]/g, '');
    return isCardNumber(digits) ? maskCard(digits) : run;
  });
}

/**
 * A copy of a message that may be kept and shown: no card number anywhere, no security code, long texts cut. A top-level
 * field outside `known` keeps only its name, because nobody can say what it holds.
 */
export function maskMessage(message: Message, known: readonly string[]): Message {
  const entries = Object.entries(message).map(([name, value]) => [
    maskText(name),
    known.includes(name) ? maskField(name, value) : '(not a field of this operation)',
  ]);
  return Object.fromEntries(entries);
}

/** An address without what may open it: its user, its last path segment, its query and its fragment. */
export function maskAddress(address: string): string {
  const url = URL.parse(address);
  if (!url) return '***';
  const shown = `${url.protocol}//${url.host}${url.pathname.replace(/[^/]+$/, '***')}`;
  return maskText(url.search || url.hash ? `${shown}?***` : shown);
}

const CODES = /^(security|verification).?(code|value)$|^(cvv|cvc|cvn|csc|cav|cid|pin)\d?$/i;
const CARDS = /^(card|pan|card.?(number|no|num))$/i;

function maskField(name: string, value: unknown): unknown {
  if (CODES.test(name)) return '***';
  if (CARDS.test(name)) return typeof value === 'string' ? maskedCard(value) : '******';
  if (name === 'notify_url') return typeof value === 'string' ? maskAddress(value) : '***';
  if (typeof value === 'string') return shortened(maskText(value));
  if (typeof value === 'number') {
    const masked = maskText(String(value));
    return masked === String(value) ? value : masked;
  }
  if (Array.isArray(value)) return value.map((entry: unknown) => maskField('', entry));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [maskText(key), maskField(key, inner)]));
  }
  return value;
}

/** A card number, masked unless it came so. */
function maskedCard(card: string): string {
  return /^\d{6}\*+\d{4}$/.test(card) ? card : maskCard(card);
}

function shortened(text: string): string {
  return text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT)}… (${text.length} characters)`;
}
