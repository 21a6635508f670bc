// Operations on enrollment requests and one-time secrets, in addition to the API specification.
import { enrollmentOperations, enrollmentSecretOperations } from '@signetry/contract';
import { respondWith, routes, type Route } from '../../platform/http/routes.ts';
import type { Platform } from '../../platform/platform.ts';
import { listEnrollments } from './list.ts';
import type { SecretManagement } from './secrets/manage-secrets.ts';

export const enrollmentRoutes = (platform: Platform, secrets: SecretManagement): readonly Route[] => [
  ...routes(enrollmentOperations, {
    listEnrollments: ({ query, context }) => listEnrollments(platform, query, context),
  }),
  ...routes(enrollmentSecretOperations, {
    listEnrollmentSecrets: ({ params }) => secrets.list(params.raProfileUuid),
    createEnrollmentSecret: async ({ params, body, context }) => {
      const { shown, secret } = await secrets.handOut(params.raProfileUuid, body, context);
      return respondWith({ ...shown, secret: secret.reveal() }, NOT_STORED);
    },
    withdrawEnrollmentSecret: ({ params, context }) => secrets.withdraw(params, context),
  }),
];

/** Intermediate caches must not store a secret. */
const NOT_STORED = { 'cache-control': 'no-store' };
