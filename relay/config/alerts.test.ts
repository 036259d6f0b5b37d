import { expect, it } from 'vitest';
import { checkConfig } from './load.ts';

const secret = `whsec_${Buffer.from('a secret of the alerts of tests').toString('base64')}`;
const smtp = { url: 'smtps://mail.shop.example', from: 'pay@shop.example' };
const mailed = { id: 'ops', email: 'ops@shop.example' };
const posted = { id: 'chat', url: 'https://hooks.shop.example/x', secrets: [secret] };

const read = (alerts: object) =>
  checkConfig(
    {
      public_url: 'http://a.example',
      gateway: { base_url: 'http://127.0.0.1' },
      accounts: [
        {
          ...{
            id: 'demo',
            merchant_id: '1',
            account_id: '2',
            signing_secret: 's',
            allowed_origins: ['http://a.example'],
          },
          api_keys: [{ name: 'a', sha256: 'a'.repeat(64), scopes: ['*'] }],
        },
      ],
      alerts,
    },
    { SMTP: 'mail password', HOOK: secret },
  ).alerts;

it('reads recipients and secrets', () => {
  const given = { ...smtp, user: 'pay', password: { env: 'SMTP' } };
  expect(read({ smtp: given, recipients: [mailed, { ...posted, secrets: [{ env: 'HOOK' }] }] })).toMatchObject({
    smtp: { server: { host: 'mail.shop.example', port: 465, secure: true }, user: 'pay', password: 'mail password' },
    daily_at: '07:00',
    recipients: [
      { id: 'ops', to: { email: 'ops@shop.example' }, every: 'minute', summary: false, language: 'en' },
      { id: 'chat', to: { url: posted.url, secrets: [secret] } },
    ],
  });
});

it.each([
  ['a mail without a server', { recipients: [mailed] }, 'recipients.0.email: needs alerts.smtp'],
  [
    'two recipients of one id',
    { smtp, recipients: [mailed, mailed] },
    'recipients.1.id: two recipients are called ops',
  ],
  ['neither email nor url', { recipients: [{ id: 'x' }] }, 'recipients.0: give either email or url'],
  [
    'a url without secrets',
    { recipients: [{ id: 'x', url: posted.url }] },
    'recipients.0.secrets: are needed for a url',
  ],
  ['a secret that is none', { recipients: [{ ...posted, secrets: ['x'] }] }, 'recipients.0.secrets.0: must be whsec_'],
  ['an unknown account', { recipients: [{ ...posted, accounts: ['no'] }] }, 'accounts.0: there is no account no'],
  ['a user without a password', { smtp: { ...smtp, user: 'u' } }, 'smtp: give user and password'],
  ['a server that is none', { smtp: { ...smtp, url: 'https://x' } }, 'smtp.url: must be smtps://HOST'],
])('names %s', (_what, alerts, problem) => {
  expect(() => read(alerts)).toThrow(expect.objectContaining({ problems: [expect.stringContaining(problem)] }));
});
