import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Refused } from '../api/send.ts';
import { counted, type Language, type Words } from '../locales/words.ts';
import { Fault } from '../parts/state.tsx';

type FieldName = 'password' | 'new_password' | 'again' | 'code';

/** A field of a form: `hint` stands below it. */
export type SecretField = { name: FieldName; label: string; hint?: string };

/** The fields of a refusal. */
const wrongFields: Readonly<Record<string, FieldName>> = {
  password_wrong: 'password',
  invalid_request: 'new_password',
  second_factor_wrong: 'code',
  second_factor_required: 'code',
};

/** A form with passwords and codes, which it clears once it is sent. `send` throws the fault. */
export function SecretForm(props: {
  language: Language;
  /** The name of the person, for password managers. */
  person: string;
  fields: readonly SecretField[];
  action: string;
  send: (typed: Readonly<Record<FieldName, string>>) => Promise<void>;
  onCancel?: (() => void) | undefined;
  children?: ComponentChildren;
}) {
  const { language, person, fields, action, send, onCancel, children } = props;
  const { words } = language;
  const [fault, setFault] = useState<{ error: unknown } | undefined>();
  const [isSending, setSending] = useState(false);
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => form.current?.querySelector<HTMLInputElement>('input:not([hidden])')?.focus(), []);
  const wrong = fault && wrongField(fault.error, fields);

  const submit = async (): Promise<void> => {
    const typed = new FormData(form.current ?? undefined);
    const valueIn = (name: FieldName): string => String(typed.get(name) ?? '');
    setSending(true);
    setFault(undefined);
    try {
      if (typed.has('again') && valueIn('again') !== valueIn('new_password')) throw new Differs();
      await send({
        ...{ password: valueIn('password'), new_password: valueIn('new_password') },
        ...{ again: valueIn('again'), code: valueIn('code') },
      });
    } catch (error) {
      setFault({ error });
      const name = wrongField(error, fields);
      if (name) form.current?.querySelector<HTMLInputElement>(`[name=${name}]`)?.focus();
    }
    setSending(false);
  };

  return (
    <form
      ref={form}
      class="fields secrets"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isSending) void submit();
      }}
    >
      {children}
      <input type="text" autocomplete="username" value={person} readOnly hidden />
      {fields.map(({ name, label, hint }) => {
        const about = [...(hint ? [`${id}-${name}`] : []), ...(wrong === name ? [id] : [])].join(' ');
        return (
          <div key={name} class="field">
            <label for={`${id}-${name}-field`}>{label}</label>
            <input
              id={`${id}-${name}-field`}
              name={name}
              {...kinds[name]}
              required
              aria-invalid={wrong === name}
              aria-describedby={about || undefined}
            />
            {hint && (
              <p id={`${id}-${name}`} class="hint">
                {hint}
              </p>
            )}
          </div>
        );
      })}
      <Fault id={id} text={fault && faultText(language, fault.error)} />
      <div class="buttons">
        {onCancel && (
          <button type="button" onClick={onCancel}>
            {words.own.cancel}
          </button>
        )}
        <button type="submit" class="primary" aria-disabled={isSending}>
          {action}
        </button>
      </div>
    </form>
  );
}

const kinds = {
  password: { type: 'password', autocomplete: 'current-password' },
  new_password: { type: 'password', autocomplete: 'new-password' },
  again: { type: 'password', autocomplete: 'new-password' },
  code: { type: 'text', autocomplete: 'one-time-code', autocapitalize: 'none', spellcheck: false, maxLength: 60 },
} as const;

/** The field of the code: from the app, or a recovery code. */
export const codeField = ({ own }: Words): SecretField => ({ name: 'code', label: own.code, hint: own.code_hint });

/** The field of the current password. */
export const passwordField = ({ own }: Words): SecretField => ({ name: 'password', label: own.current_password });

/** Two fields that must be equal differ. */
class Differs extends Error {}

function wrongField(error: unknown, fields: readonly SecretField[]): FieldName | undefined {
  if (error instanceof Differs) return 'again';
  const name = error instanceof Refused ? wrongFields[error.code] : undefined;
  return fields.find((field) => field.name === name)?.name;
}

function faultText({ words, locale }: Language, error: unknown): string {
  const { own } = words;
  if (error instanceof Differs) return own.differs;
  if (!(error instanceof Refused)) return words.no_connection;
  if (error.status === 429) {
    return counted(locale, words.too_many_tries, Math.ceil((error.retryAfterSeconds ?? 60) / 60));
  }
  const field = wrongFields[error.code];
  if (field === 'password') return own.wrong_password;
  if (field === 'new_password') return own.too_weak;
  return field === 'code' ? own.wrong_code : error.message;
}
