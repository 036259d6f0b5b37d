import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Me } from '../../shared/api/console.ts';
import type { SignInApi } from '../api/api.ts';
import { Refused } from '../api/send.ts';
import { useApp } from '../app/app.tsx';
import { counted, fill, type Language } from '../locales/words.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Fault } from '../parts/state.tsx';

type Props = { language: Language; signIn: SignInApi; onSignedIn: (me: Me) => void };

/** The sign-in page. */
export function SignInPage(props: Props) {
  return (
    <main class="sign-in">
      <h1>Turnpike</h1>
      <SignInForm {...props} />
    </main>
  );
}

/** Asks for the password in a dialog over the open page, once the sign-in has expired. */
export function SignInAgain({ name, signIn, onSignedIn }: { name: string } & Omit<Props, 'language'>) {
  const { words, locale } = useApp();
  return (
    <Dialog title={words.sign_in_again} isBusy onClose={() => undefined}>
      <p class="dialog-text">{fill(words.sign_in_again_why, { name })}</p>
      <SignInForm language={{ words, locale }} signIn={signIn} onSignedIn={onSignedIn} name={name} />
      <button type="button" class="plain" onClick={() => window.location.reload()}>
        {words.sign_in_other}
      </button>
    </Dialog>
  );
}

/** Blocks the page: its content belongs to another person than the one who is signed in now. */
export function OtherPerson() {
  const { words } = useApp();
  return (
    <Dialog title={words.sign_in_again} isBusy onClose={() => undefined}>
      <p class="dialog-text" role="alert">
        {words.other_person}
      </p>
      <div class="buttons">
        <button type="button" class="primary" onClick={() => window.location.reload()}>
          {words.reload}
        </button>
      </div>
    </Dialog>
  );
}

/** The sign-in form. With `name` only this person can sign in. */
function SignInForm({ language, signIn, onSignedIn, name }: Props & { name?: string }) {
  const { words } = language;
  const [fault, setFault] = useState<unknown>();
  const [isSending, setSending] = useState(false);
  /** Whether the form also asks for a code of the app or a recovery code. */
  const [asksCode, setAsksCode] = useState(false);
  const id = useId();
  const box = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => box.current?.querySelector<HTMLInputElement>('input:not([type=hidden])')?.focus(), []);
  useLayoutEffect(
    () => (asksCode ? box.current?.querySelector<HTMLInputElement>('[name=code]')?.focus() : undefined),
    [asksCode],
  );
  const submit = async (form: HTMLFormElement): Promise<void> => {
    const fields = new FormData(form);
    setSending(true);
    setFault(undefined);
    try {
      const [password, code] = ['password', 'code'].map((field) => String(fields.get(field) ?? ''));
      const who = { name: name ?? String(fields.get('name')), password: password ?? '' };
      const me = await signIn.signIn(code ? { ...who, code } : who);
      // Safari rejects secure cookies over http, even from localhost.
      if (window.location.protocol === 'http:' && !(await signIn.me())) throw new NotKept();
      onSignedIn(me);
    } catch (error) {
      const isAsked = error instanceof Refused && error.code === 'second_factor_required';
      setAsksCode((asked) => asked || isAsked);
      setFault(isAsked ? undefined : error);
      setSending(false);
      form.querySelector<HTMLInputElement>(isWrongCode(error) ? '[name=code]' : '[name=password]')?.select();
    }
  };
  return (
    <form
      ref={box}
      class="fields"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isSending) void submit(event.currentTarget);
      }}
    >
      {name === undefined ? (
        <label>
          {words.name}
          <input name="name" autocomplete="username" autocapitalize="none" spellcheck={false} required />
        </label>
      ) : (
        <input type="hidden" name="name" autocomplete="username" value={name} />
      )}
      <label>
        {words.password}
        <input
          name="password"
          type="password"
          autocomplete="current-password"
          required
          aria-invalid={fault !== undefined && !isWrongCode(fault)}
          aria-describedby={fault === undefined ? undefined : id}
        />
      </label>
      {asksCode && (
        <div class="field">
          <label for={`${id}-code`}>{words.own.code}</label>
          <input
            id={`${id}-code`}
            name="code"
            autocomplete="one-time-code"
            autocapitalize="none"
            spellcheck={false}
            maxLength={60}
            required
            aria-invalid={isWrongCode(fault)}
            aria-describedby={`${id}-hint${fault === undefined ? '' : ` ${id}`}`}
          />
          <p id={`${id}-hint`} class="hint">
            {words.own.code_hint}
          </p>
        </div>
      )}
      <Fault id={id} text={fault === undefined ? undefined : faultText(language, fault)} />
      {isLimited(fault) && !asksCode && (
        <button type="button" class="plain" onClick={() => setAsksCode(true)}>
          {words.use_recovery_code}
        </button>
      )}
      <button type="submit" class="primary" disabled={isSending}>
        {words.sign_in}
      </button>
    </form>
  );
}

/** The browser did not store the cookie of a sign-in. */
class NotKept extends Error {}

const isWrongCode = (fault: unknown): boolean => fault instanceof Refused && fault.code === 'second_factor_wrong';

/** Too many passwords were tried. A recovery code is still accepted, unless the tries came from this address. */
const isLimited = (fault: unknown): boolean => fault instanceof Refused && fault.status === 429;

function faultText({ words, locale }: Language, fault: unknown): string {
  if (fault instanceof NotKept) return words.not_kept;
  if (!(fault instanceof Refused)) return words.no_connection;
  if (isWrongCode(fault)) return words.own.wrong_code;
  if (isLimited(fault)) return counted(locale, words.too_many_tries, Math.ceil((fault.retryAfterSeconds ?? 60) / 60));
  return fault.status === 401 ? words.wrong_password : fault.message;
}
