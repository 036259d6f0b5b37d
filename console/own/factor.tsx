import { useState } from 'preact/hooks';
import type { RecoveryCodes as Codes, Me, Own } from '../../shared/api/console.ts';
import { useApp } from '../app/app.tsx';
import { counted, fill } from '../locales/words.ts';
import { clock } from '../parts/text.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { codeField, passwordField, SecretForm } from './secret-form.tsx';
import { SetUp } from './set-up.tsx';

type Step = { step: 'seen' | 'set_up' | 'new_codes' | 'remove' } | { step: 'kept'; codes: readonly string[] };

/** The second factor: its status, and the forms that set it up, renew its codes and remove it. */
export function Factor({ own: { factor }, again }: { own: Own; again: () => void }) {
  const { api, me, renew, words, locale } = useApp();
  const { own } = words;
  const [state, setState] = useState<Step>({ step: 'seen' });
  const language = { words, locale };
  const seen = (): void => {
    setState({ step: 'seen' });
    again();
  };
  const goOn = (next: Me): void => {
    renew(next);
    seen();
  };
  const common = {
    ...{ language, person: me.name, onCancel: seen },
    fields: [passwordField(words), codeField(words)],
  };
  switch (state.step) {
    case 'set_up':
      return <SetUp language={language} name={me.name} change={api.changeOwn} onDone={goOn} onCancel={seen} />;
    case 'kept':
      return <RecoveryCodes words={words} codes={state.codes} onKept={seen} />;
    case 'new_codes':
      return (
        <SecretForm
          {...common}
          key="new_codes"
          action={own.new_codes}
          send={async ({ password, code }) => {
            const made = await api.changeOwn<Codes>('second-factor/recovery-codes', { password, code });
            setState({ step: 'kept', codes: made.recovery_codes });
          }}
        >
          <p>{own.new_codes_why}</p>
        </SecretForm>
      );
    case 'remove':
      return (
        <SecretForm
          {...common}
          key="remove"
          action={own.remove}
          send={async ({ password, code }) => goOn(await api.changeOwn<Me>('second-factor/remove', { password, code }))}
        >
          <p>{own.remove_why}</p>
        </SecretForm>
      );
    default:
      return factor ? (
        <>
          <p>
            {fill(own.factor_on, { time: clock(locale, factor.enrolled_at) })}{' '}
            {counted(locale, own.codes_left, factor.recovery_codes)}
          </p>
          <div class="actions">
            <button type="button" onClick={() => setState({ step: 'new_codes' })}>
              {own.new_codes}
            </button>
            <button type="button" onClick={() => setState({ step: 'remove' })}>
              {own.remove}
            </button>
          </div>
        </>
      ) : (
        <>
          <p>{own.factor_off}</p>
          <div class="actions">
            <button type="button" onClick={() => setState({ step: 'set_up' })}>
              {own.set_up}
            </button>
          </div>
        </>
      );
  }
}
