import { useApp } from '../app/app.tsx';
import { addressOf, type Route } from '../app/route.ts';
import { fill } from '../locales/words.ts';
import { Foreign, isolated } from '../parts/text.tsx';

/**
 * Links to the person's accounts. Shown instead of a page if its account is not one of them, or if its address names no account.
 * @param lacks the account that the address names; empty if it names none
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
