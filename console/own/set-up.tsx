import { useState } from 'preact/hooks';
import type { Enrolled, Enrolment, Me } from '../../shared/api/console.ts';
import { type ChangeOwn, SignedOut } from '../api/api.ts';
import type { Language } from '../locales/words.ts';
import { RecoveryCodes } from './recovery-codes.tsx';
import { passwordField, SecretForm } from './secret-form.tsx';

type Props = {
  language: Language;
  name: string;
  change: ChangeOwn;
  /** Called once the second factor is set up and the person has kept the recovery codes. */
  onDone: (me: Me) => void;
  /** Called when the sign-in has ended. */
  onSignedOut?: () => void;
  onCancel?: () => void;
};

/** Sets up a second factor in three steps: the password, the secret with a first code of the app, and the recovery codes. */
export function SetUp({ language, name, change, onDone, onSignedOut, onCancel }: Props) {
  const { words } = language;
  const [enrolment, setEnrolment] = useState<Enrolment>();
  const [enrolled, setEnrolled] = useState<Enrolled>();
  const orSignedOut = async (work: Promise<void>): Promise<void> =>
    work.catch((error: unknown) => {
      if (!(error instanceof SignedOut) || !onSignedOut) throw error;
      onSignedOut();
    });
  if (enrolled) {
    return <RecoveryCodes words={words} codes={enrolled.recovery_codes} onKept={() => onDone(enrolled.me)} />;
  }
  if (!enrolment) {
    return (
      <SecretForm
        key="password"
        language={language}
        person={name}
        fields={[passwordField(words)]}
        action={words.own.next}
        send={({ password }) => orSignedOut(change<Enrolment>('second-factor', { password }).then(setEnrolment))}
        onCancel={onCancel}
      />
    );
  }
  return (
    <SecretForm
      key="code"
      language={language}
      person={name}
      fields={[{ name: 'code', label: words.own.app_code, hint: words.own.app_code_hint }]}
      action={words.own.confirm}
      send={({ code }) => {
        const confirmed = change<Enrolled>('second-factor/confirm', { enrolment: enrolment.enrolment, code });
        return orSignedOut(confirmed.then(setEnrolled));
      }}
      onCancel={onCancel}
    >
      <Secret enrolment={enrolment} language={language} />
    </SecretForm>
  );
}

/** The secret as a QR code, as a link to an app on this device, and as text. */
function Secret({ enrolment: { secret, address, qr }, language }: { enrolment: Enrolment; language: Language }) {
  const { own } = language.words;
  return (
    <>
      <p>{own.scan}</p>
      <img class="qr" src={`data:image/svg+xml,${encodeURIComponent(qr)}`} alt={own.qr} />
      <p>
        <span class="quiet">{own.secret}</span> <span class="code">{(secret.match(/.{4}/g) ?? []).join(' ')}</span>
      </p>
      <p>
        <a href={address}>{own.open_app}</a>
      </p>
    </>
  );
}
