// Authority operations of the API.
import { authorityOperations } from '@signetry/contract';
import { routes, type Route } from '../../platform/http/routes.ts';
import type { AuthorityAccess } from './authority-access.ts';
import type { AuthorityRemoval } from './remove-authority.ts';
import type { AuthorityService } from './service.ts';

export interface AuthorityRouteParts {
  readonly service: AuthorityService;
  readonly removal: AuthorityRemoval;
  readonly access: AuthorityAccess;
}

export const authorityRoutes = ({ service, removal, access }: AuthorityRouteParts): readonly Route[] =>
  routes(authorityOperations, {
    listAuthorityInstances: () => service.list(),
    createAuthorityInstance: async ({ body, context }) => ({ uuid: await service.create(body, context) }),
    getAuthorityInstance: ({ params, context }) => service.detail(params.uuid, context),
    editAuthorityInstance: ({ params, body, context }) => service.edit(params.uuid, body, context),
    deleteAuthorityInstance: ({ params, context }) =>
      removal.remove(params.uuid, { context, force: false }).then(() => undefined),
    bulkDeleteAuthorityInstance: ({ body, context }) => removal.removeMany(body, { context, force: false }),
    forceDeleteAuthorityInstances: ({ body, context }) => removal.removeMany(body, { context, force: true }),
    listRAProfileAttributes: ({ params, context }) => access.raProfileDefinitions(params.uuid, context.signal),
    validateRAProfileAttributes: ({ params, body, context }) =>
      access.acceptRaProfileAttributes(params.uuid, body, context).then(() => undefined),
    listEntityProfiles: ({ params, context }) =>
      service.legacyList(params.uuid, { operation: 'listEntityProfiles' }, context),
    listCertificateProfiles: ({ params: { uuid, endEntityProfileId }, context }) =>
      service.legacyList(uuid, { operation: 'listCertificateProfiles', endEntityProfileId }, context),
    listCAsInProfile: ({ params: { uuid, endEntityProfileId }, context }) =>
      service.legacyList(uuid, { operation: 'listCAsInProfile', endEntityProfileId }, context),
  });
