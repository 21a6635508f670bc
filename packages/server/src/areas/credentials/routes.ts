// Credential operations.
import { credentialOperations } from '@signetry/contract';
import { routes, type Route } from '../../platform/http/routes.ts';
import type { CredentialService } from './service.ts';

export const credentialRoutes = (service: CredentialService): readonly Route[] =>
  routes(credentialOperations, {
    listCredentials: () => service.list(),
    createCredential: async ({ body, context }) => ({ uuid: await service.create(body, context) }),
    getCredential: ({ params, context }) => service.detail(params.uuid, context),
    editCredential: ({ params, body, context }) => service.edit(params.uuid, body, context),
    deleteCredential: ({ params, context }) => service.remove(params.uuid, context),
    bulkDeleteCredential: async ({ body, context }) => {
      await service.removeMany(body, context);
    },
    enableCredential: ({ params, context }) => service.setEnabled(params.uuid, true, context),
    disableCredential: ({ params, context }) => service.setEnabled(params.uuid, false, context),
  });
