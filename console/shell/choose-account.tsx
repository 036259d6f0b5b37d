import { useApp } from '../app/app.tsx';
import { addressOf, type Route } from '../app/route.ts';
import { fill } from '../locales/words.ts';
import { Foreign, isolated } from '../parts/text.tsx';

/**
 * In place of a page whose account the person lacks, or of which its address names none: no order of another account is shown in its place.
 * @param lacks the account; empty where none is named
 */
export function ChooseAccount({ lacks, route }: { lacks: string; route: Route }) {
  const { me, words } = useApp();
  const to: Route = lacks === '' ? route : { page: 'orders', filter: new URLSearchParams() };
  return (
    <div class="empty">
      <h1>{lacks === '' ? words.which_account : fill(words.no_account, { account: isolated(lacks) })}</h1>
      {me.accounts.map(({ id, name }) => (
        <p key={id}>
          <a href={addressOf(to, id)}>
            <Foreign text={name} />
          </a>
        </p>
      ))}
    </div>
  );
}
