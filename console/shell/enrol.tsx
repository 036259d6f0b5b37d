import { useEffect, useState } from 'preact/hooks';
import type { Me } from '../../shared/api/console.ts';
import type { SignInApi } from '../api/api.ts';
import type { Language } from '../locales/words.ts';

type Props = {
  language: Language;
  signIn: SignInApi;
  me: Me;
  onEnrolled: (me: Me) => void;
  onSignedOut: () => void;
};

type SetUp = typeof import('../own/set-up.tsx').SetUp;

/** The page for a person who must set up a second factor first. */
export function EnrolPage({ language, signIn, me, onEnrolled, onSignedOut }: Props) {
  const { words } = language;
  const [Loaded, setLoaded] = useState<{ SetUp: SetUp }>();
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => void import('../own/set-up.tsx').then(setLoaded, () => setFailed(true)), []);
  const leave = (): void => void signIn.signOut(me.csrf).then(onSignedOut, () => setFailed(true));
  return (
    <main class="sign-in">
      <h1>{words.own.second_factor}</h1>
      <p>{words.own.factor_required}</p>
      {hasFailed && (
        <p class="fault" role="alert">
          {words.no_connection}
        </p>
      )}
      {Loaded && (
        <Loaded.SetUp
          language={language}
          name={me.name}
          change={signIn.changeOwn(me.csrf)}
          onDone={onEnrolled}
          onSignedOut={onSignedOut}
        />
      )}
      <button type="button" class="plain" onClick={leave}>
        {words.sign_out}
      </button>
    </main>
  );
}
