import type { en } from './en.ts';

export type MessageKey = keyof typeof en;

/** All texts of one language. */
export type Messages = Record<MessageKey, string>;

/** What fills a text's placeholders. */
export type Values = Record<string, string>;

/** A text in the shopper's language, with its placeholders filled. */
export type Say = (key: MessageKey, values?: Values) => string;

/** Speaks one language's texts. A text that is missing shows its key, so that nothing is silently empty. */
export function sayIn(messages: Readonly<Record<string, string>>): Say {
  return (key, values = {}) => (messages[key] ?? key).replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
}
