import type { ProfileAnswer } from '../../../shared/api/profile.ts';
import type { RouteDoc } from '../route.ts';

const profile: ProfileAnswer = {
  gateway_time_zone: 'America/Sao_Paulo',
  codes: {
    payment_status: { approved: ['3000'], declined: ['4100'], pending: [] },
    return_status: { success: ['1'], failed: ['0'] },
    refund_status: { success: ['1'], failed: ['0'] },
  },
};

/** How to read what the gateway says. */
export const profileRoutes: readonly RouteDoc[] = [
  {
    method: 'get',
    path: '/v1/profile',
    id: 'getProfile',
    tag: 'Operations',
    summary: 'Read what the gateway’s codes mean',
    description:
      'What it takes to read the gateway’s own records, which queries and refund searches give back as they are: what their codes mean, and the time zone of their dates. It is part of the relay’s gateway profile.',
    access: { kind: 'api_key', scopes: ['query'] },
    answers: [
      {
        status: 200,
        description: 'The codes, and the time zone.',
        content: {
          kind: 'json',
          schema: 'Profile',
          examples: [{ name: 'profile', summary: 'Codes of a gateway', value: profile }],
        },
      },
    ],
    problems: [],
  },
];
