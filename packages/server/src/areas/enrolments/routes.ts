// Operations on enrollment requests and one-time secrets, in addition to the API specification.
import { enrolmentOperations, enrolmentSecretOperations } from '@signetry/contract';
import { answer, routes, type Route } from '../../platform/http/routes.ts';
import type { Platform } from '../../platform/platform.ts';
import { listEnrolments } from './list.ts';
import type { SecretManagement } from './secrets/manage-secrets.ts';

export const enrolmentRoutes = (platform: Platform, secrets: SecretManagement): readonly Route[] => [
  ...routes(enrolmentOperations, {
    listEnrolments: ({ query, context }) => listEnrolments(platform, query, context),
  }),
  ...routes(enrolmentSecretOperations, {
    listEnrolmentSecrets: ({ params }) => secrets.list(params.raProfileUuid),
    handOutEnrolmentSecret: async ({ params, body, context }) => {
      const { shown, secret } = await secrets.handOut(params.raProfileUuid, body, context);
      return answer({ ...shown, secret: secret.reveal() }, NOT_STORED);
    },
    withdrawEnrolmentSecret: ({ params, context }) => secrets.withdraw(params, context),
  }),
];

/** Intermediate caches must not store a secret. */
const NOT_STORED = { 'cache-control': 'no-store' };
