import { useState } from 'preact/hooks';
import type { Me } from '../../shared/api/console.ts';
import { useApp } from '../app/app.tsx';
import { Failure, Waiting } from '../parts/state.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { Factor } from './factor.tsx';
import { codeField, passwordField, SecretForm } from './secret-form.tsx';
import { SignInList } from './sign-in-list.tsx';

/** The person's own sign-in: open sign-ins, password and second factor. */
export function OwnScreen() {
  const { api, words } = useApp();
  const reading = useAnswer('own', api.own);
  const { answer, again } = reading;
  return (
    <div class="order own">
      <div class="heading">
        <h1>{words.pages.own}</h1>
      </div>
      {answer === undefined ? (
        <Waiting reading={reading} />
      ) : (
        <>
          <Failure reading={reading} />
          <section aria-label={words.own.sign_ins}>
            <h2>{words.own.sign_ins}</h2>
            <SignInList signIns={answer.sign_ins} again={again} />
          </section>
          {answer.has_password ? (
            <>
              <section aria-label={words.own.second_factor}>
                <h2>{words.own.second_factor}</h2>
                <Factor own={answer} again={() => void again()} />
              </section>
              <section aria-label={words.password}>
                <h2>{words.password}</h2>
                <PasswordChange hasFactor={answer.factor !== undefined} again={() => void again()} />
              </section>
            </>
          ) : (
            <p>{words.own.by_proxy}</p>
          )}
        </>
      )}
    </div>
  );
}

function PasswordChange({ hasFactor, again }: { hasFactor: boolean; again: () => void }) {
  const { api, me, renew, words, locale } = useApp();
  const { own } = words;
  const [state, setState] = useState<'seen' | 'changing' | 'changed'>('seen');
  if (state === 'changing') {
    const fields = [
      passwordField(words),
      { name: 'new_password', label: own.new_password, hint: own.new_password_hint },
      { name: 'again', label: own.again },
      ...(hasFactor ? [codeField(words)] : []),
    ] as const;
    return (
      <SecretForm
        language={{ words, locale }}
        person={me.name}
        fields={fields}
        action={own.change_password}
        send={async ({ password, new_password, code }) => {
          renew(await api.changeOwn<Me>('password', { password, new_password, ...(hasFactor ? { code } : {}) }));
          setState('changed');
          again();
        }}
        onCancel={() => setState('seen')}
      />
    );
  }
  return (
    <>
      <div role="status">{state === 'changed' && <p class="notice good">{own.password_changed}</p>}</div>
      <div class="actions">
        <button type="button" onClick={() => setState('changing')}>
          {own.change_password}
        </button>
      </div>
    </>
  );
}
