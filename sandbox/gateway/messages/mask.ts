import type { z } from 'zod';
import { isCodeField } from '../../../shared/card-data/find.ts';
import { maskText as maskCardData, maskOwnCard } from '../../../shared/card-data/mask.ts';
import { CARDS, fieldNames } from '../../../shared/card-data/message.ts';
import type { Message } from '../../../shared/gateway/signature.ts';
import { maskCard } from '../base/ids.ts';
import { specialCards } from '../faults/test-cards.ts';

const MAX_TEXT_LENGTH = 400;
const HIDDEN = '(not a field of this operation)';

/**
 * A copy of a message that may be stored and shown: without card numbers and security codes, and with long texts cut.
 * Of a top-level field outside `known` only the name is kept, because its content is unknown.
 */
export function maskMessage(message: Message, known: readonly string[]): Message {
  const cards = [...specialCards, ...ownCard(message)];
  const entries = Object.entries(message).map(([name, value]) => [
    shownName(name),
    known.includes(name) ? maskField(name, value, cards) : HIDDEN,
  ]);
  return Object.fromEntries(entries);
}

/** An address without its secret parts: user, last path segment, query and fragment. */
export function maskAddress(address: string): string {
  const url = URL.parse(address);
  if (!url) return '***';
  const shown = `${url.protocol}//${url.host}${url.pathname.replace(/[^/]+$/, '***')}`;
  return maskText(url.search || url.hash ? `${shown}?***` : shown);
}

/** `cards` are masked even if other digits that pass Luhn are there by chance. */
function maskField(name: string, value: unknown, cards: readonly string[]): unknown {
  if (isCodeField(name)) return '***';
  if (CARDS.test(name)) return typeof value === 'string' ? maskedCard(value) : '******';
  if (name === 'notify_url') return typeof value === 'string' ? maskAddress(value) : '***';
  if (typeof value === 'string') return shortened(maskValue(name, value, cards));
  if (typeof value === 'number') {
    const masked = maskValue(name, String(value), cards);
    return masked === String(value) ? value : masked;
  }
  if (Array.isArray(value)) return value.map((entry: unknown) => maskField('', entry, cards));
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([key, inner]) => {
      const shown = shownName(key);
      return [shown, shown === NO_FIELD ? HIDDEN : maskField(key, inner, cards)];
    });
    return Object.fromEntries(entries);
  }
  return value;
}

/** Some digits of a signature pass for a card number by chance. */
function maskValue(name: string, text: string, cards: readonly string[]): string {
  return name === 'encryption_data' ? maskKnownCards(text, cards) : maskCardData(text, {}, cards);
}

function ownCard({ card }: Message): string[] {
  const digits = typeof card === 'string' ? card.replace(/\D/g, '') : '';
  return /^\d{12,19}$/.test(digits) ? [digits] : [];
}

/** A card number, masked unless it was already. */
function maskedCard(card: string): string {
  return /^\d{6}\*+\d{4}$/.test(card) ? card : maskCard(card);
}

function shortened(text: string): string {
  return text.length <= MAX_TEXT_LENGTH ? text : `${text.slice(0, MAX_TEXT_LENGTH)}… (${text.length} characters)`;
}

/** Masks the card data in a text. The gateway's test cards are also masked among other digits. */
export function maskText(text: string): string {
  return maskCardData(text, {}, specialCards);
}

/** Masks only these card numbers, for texts whose other digits are known to be no card. */
export function maskKnownCards(text: string, cards: readonly string[]): string {
  return maskOwnCard(text, {}, cards);
}

/** Replaces a field name that may contain card data. */
const NO_FIELD = '(a name that is no field)';

/** A field's name as it may be shown: unchanged if the interface has it, or if it can only be a name. */
function shownName(name: string): string {
  const plain = fieldNames.has(name) || (/^[a-z0-9_]{1,64}$/.test(name) && maskText(name) === name);
  return plain ? name : NO_FIELD;
}

const MAX_REASONS = 10;

/** Why a message is malformed, in one line that contains only names of fields. */
export function reasonsOf(error: z.ZodError): string {
  return maskText(error.issues.slice(0, MAX_REASONS).map(reasonOf).join('; '));
}

function reasonOf(issue: z.core.$ZodIssue): string {
  const path = issue.path.map((part) => (typeof part === 'string' ? shownName(part) : String(part))).join('.');
  const unknown = issue.code === 'unrecognized_keys' ? [...new Set(issue.keys.map(shownName))] : [];
  const message = unknown.length > 0 ? `no such field: ${unknown.slice(0, MAX_REASONS).join(', ')}` : issue.message;
  return [path, message].filter(Boolean).join(': ');
}
