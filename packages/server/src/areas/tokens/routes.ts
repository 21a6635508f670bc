// API operations on tokens and token profiles.
import { tokenInstanceOperations, tokenProfileOperations } from '@signetry/contract';
import { routes, type Route } from '../../platform/http/routes.ts';
import type { TokenProfileKey, TokenProfileService } from './profiles.ts';
import type { TokenRemoval } from './remove-tokens.ts';
import type { TokenService } from './service.ts';
import { activationForm, profileForm, type TokenAccess } from './token-access.ts';

export interface TokenRouteParts {
  readonly service: TokenService;
  readonly removal: TokenRemoval;
  readonly access: TokenAccess;
  readonly profiles: TokenProfileService;
}

export const tokenRoutes = (parts: TokenRouteParts): readonly Route[] => [
  ...instanceRoutes(parts),
  ...profileRoutes(parts.profiles),
];

const instanceRoutes = ({ service, removal, access }: TokenRouteParts): readonly Route[] =>
  routes(
    tokenInstanceOperations,
    {
      listTokenInstances: () => service.list(),
      createTokenInstance: ({ body, context }) => service.create(body, context),
      getTokenInstance: ({ params, context }) => service.detail(params.uuid, context),
      updateTokenInstance: ({ params, body, context }) => service.edit(params.uuid, body, context),
      reloadTokenInstanceStatus: ({ params, context }) => service.reload(params.uuid, context),
      deleteTokenInstance: ({ params, context }) => removal.remove(params.uuid, context),
      bulkDeleteTokenInstance: ({ body, context }) => removal.removeMany(body, context),
      listTokenInstanceActivationAttributes: ({ params, context }) =>
        access.definitions(params.uuid, activationForm, context.signal),
      activateTokenInstance: ({ params, body, context }) => service.activate(params.uuid, body, context),
      deactivateTokenInstance: ({ params, context }) => service.deactivate(params.uuid, context),
      listTokenProfileAttributes: ({ params, context }) => access.definitions(params.uuid, profileForm, context.signal),
    },
    { updateTokenInstance: ({ uuid }) => service.ownValues(uuid) },
  );

const profileRoutes = (profiles: TokenProfileService): readonly Route[] =>
  routes(tokenProfileOperations, {
    listTokenProfiles: ({ query }) => profiles.list(query),
    createTokenProfile: ({ params, body, context }) => profiles.create(params.tokenInstanceUuid, body, context),
    getTokenProfile: ({ params, context }) => profiles.detail(keyOf(params), context),
    editTokenProfile: ({ params, body, context }) => profiles.edit(keyOf(params), body, context),
    deleteTokenProfile: ({ params, context }) => profiles.remove(keyOf(params), context),
    deleteTokenProfileWithoutToken: ({ params, context }) => profiles.remove({ profileUuid: params.uuid }, context),
    bulkDeleteTokenProfiles: ({ body, context }) => profiles.removeMany(body, context).then(() => undefined),
    enableTokenProfile: ({ params, context }) => profiles.change(keyOf(params), { enabled: true }, context),
    disableTokenProfile: ({ params, context }) => profiles.change(keyOf(params), { enabled: false }, context),
    enableTokenProfiles: ({ body, context }) =>
      profiles.changeMany(body, { enabled: true }, context).then(() => undefined),
    disableTokenProfiles: ({ body, context }) =>
      profiles.changeMany(body, { enabled: false }, context).then(() => undefined),
    updateTokenProfileUsages: ({ params, body, context }) =>
      profiles.change(keyOf({ ...params, uuid: params.tokenProfileUuid }), { usages: body.usage }, context),
    bulkUpdateTokenProfileUsages: ({ body, context }) =>
      profiles.changeMany(body.uuids, { usages: body.usage }, context).then(() => undefined),
  });

const keyOf = (params: { readonly uuid: string; readonly tokenInstanceUuid: string }): TokenProfileKey => ({
  profileUuid: params.uuid,
  tokenUuid: params.tokenInstanceUuid,
});
