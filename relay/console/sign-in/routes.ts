import { type Request, type Response, Router } from 'express';
import { type Me, signInBody } from '../../../shared/api/console.ts';
import type { Context } from '../../context/context.ts';
import { readBodyIfAny, readJsonBody } from '../../http/json-body.ts';
import { parseBody } from '../../http/parse.ts';
import { addRoute } from '../../http/serve.ts';
import type { CheckCredentials } from './check-credentials.ts';
import { checkOwnPage, notSignedIn, requireCsrf, requirePerson, signedInAt } from './guard.ts';
import { type Credentials, type Person, trustedPerson, type Way } from './person.ts';
import { auditSignIn } from './sign-in-audit.ts';
import { dropToken, type SignedIn, type SignIns, setToken } from './sign-ins.ts';

/** The routes of the sign-in and the sign-out, and the signed-in person. */
export function signInRoutes(context: Context, signIns: SignIns, checkCredentials: CheckCredentials): Router {
  const router = Router();

  addRoute(router, '/console/api/sign-in', {
    post: [
      async (req, res) => {
        checkOwnPage(req);
        const given = parseBody(signInBody, await readJsonBody(req, res));
        const purpose = { action: 'console.sign_in', wrong: 'unauthorized' } as const;
        const { person, own } = await checkCredentials(req, res, given, purpose);
        await begin(req, res, person, 'password', own);
      },
    ],
  });

  addRoute(router, '/console/api/me', {
    get: [
      async (req, res) => {
        const signedIn = await signIns.find(req);
        if (signedIn) return void sendPrivately(res, meOf(context, signedIn));
        const person = trustedPerson(context.config.console, req);
        if (!person) throw notSignedIn();
        // Another site's page could sign its reader in again and again.
        checkOwnPage(req);
        await begin(req, res, person, 'header', {});
      },
    ],
  });

  addRoute(router, '/console/api/sign-out', {
    post: [
      requirePerson(signIns, { mayEnrol: true }),
      requireCsrf,
      async (req, res) => {
        await readBodyIfAny(req, res);
        const { person, token } = signedInAt(res);
        await signIns.end(token);
        await auditSignIn(context, req, res, person, { action: 'console.sign_out' });
        dropToken(res);
        res.set('Cache-Control', 'no-store').status(204).end();
      },
    ],
  });

  async function begin(req: Request, res: Response, person: Person, way: Way, own: Credentials): Promise<void> {
    const signedIn = await signIns.begin(req, person, way, own);
    await auditSignIn(context, req, res, person, { action: 'console.sign_in' });
    setToken(res, signedIn.token);
    sendPrivately(res, meOf(context, signedIn));
  }

  return router;
}

/** The signed-in person, as the page gets it. */
export function meOf({ config }: Context, { person, csrf, mustEnrol }: SignedIn): Me {
  const { confirm_above, approval, refund_reasons } = config.console;
  return {
    name: person.name,
    scopes: person.scopes,
    accounts: config.accounts.flatMap(({ id, name }) => (person.accounts.includes(id) ? [{ id, name }] : [])),
    ...(confirm_above ? { confirm_above } : {}),
    ...(refund_reasons ? { refund_reasons } : {}),
    ...(mustEnrol ? { must_enrol: true } : {}),
    ...(approval ? { approval } : {}),
    ...(person.limits ? { limits: person.limits } : {}),
    csrf,
  };
}

/** Sends an answer that no cache may store. */
export function sendPrivately(res: Response, answer: object): void {
  res.set('Cache-Control', 'no-store').json(answer);
}
