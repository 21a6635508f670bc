// Tokens: software or hardware key stores, configured as instances at a cryptography provider; and token profiles,
// which define how a token may be used. Owns: token, token_profile. Invariants: names are unique; a token with profiles
// cannot be removed; a token that is being removed cannot get new profiles; activation data is passed on and never
// stored.
import type { AddTokenProfileRequestDto, RequestAttributeDto } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { Area, Platform } from '../../platform/platform.ts';
import type { AttributeEngine } from '../attributes/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import { createDependentRegistry, type Connectors } from '../connectors/index.ts';
import { createTokenProfileService, type TokenProfileKey } from './profiles.ts';
import { createTokenRemoval } from './remove-tokens.ts';
import { tokenRoutes } from './routes.ts';
import { createTokenService, type TokenService } from './service.ts';
import { tokenProfiles, tokens } from './store.ts';
import type { TokenProfileRow, TokenRow } from './tables.ts';
import { createTokenAccess, type TokenAccess } from './token-access.ts';

export { usageMask, usagesOf } from './usage-mask.ts';
export type { TokenProfileRow } from './tables.ts';
export { profileForm } from './token-access.ts';
export type { ReachedToken, TokenForm } from './token-access.ts';

/** Use cases for areas that create tokens on behalf of a caller, whose permissions they have checked. */
export interface TokenCreation extends Pick<TokenService, 'create' | 'activate'> {
  findByName(name: string): Promise<Pick<TokenRow, 'uuid' | 'connector_uuid' | 'kind'> | undefined>;
  findProfileByName(name: string): Promise<Pick<TokenProfileRow, 'uuid' | 'token_uuid'> | undefined>;
  createProfile(
    tokenUuid: string,
    request: AddTokenProfileRequestDto,
    context: RequestContext,
  ): Promise<{ readonly uuid: string }>;
}

/** Token functions for other areas. */
export interface Tokens extends Pick<TokenAccess, 'find' | 'reach' | 'definitions' | 'accept'> {
  readonly creation: TokenCreation;
  /** Throws 404 if the profile does not exist or belongs to a different token. */
  requireProfile(key: TokenProfileKey): Promise<TokenProfileRow>;
  /** Returns a profile's attributes as they are sent to its connector with every call that uses its keys. */
  profileAttributesToSend(profile: TokenProfileRow): Promise<RequestAttributeDto[]>;
  /**
   * Locks the token until the transaction ends, because its contents are about to change. Throws 404 if it no longer
   * exists.
   */
  lock(tx: Executor, uuid: string): Promise<void>;
  /** Returns the identifiers and names of all tokens and profiles, for filters. */
  listNames(): Promise<{
    readonly tokens: { uuid: string; name: string }[];
    readonly profiles: { uuid: string; name: string }[];
  }>;
}

export function createTokensArea(
  platform: Platform,
  areas: { readonly audit: AuditTrail; readonly attributes: AttributeEngine; readonly connectors: Connectors },
): Area & Tokens {
  const { executor } = platform.database;
  const access = createTokenAccess(platform, areas);
  const dependants = createDependentRegistry();
  dependants.register({ what: 'token profiles', ...tokenProfiles.referringBy('token_uuid') });
  const service = createTokenService(platform, { ...areas, access });
  const removal = createTokenRemoval({ access, dependants, service });
  const profiles = createTokenProfileService(platform, { ...areas, access });
  areas.connectors.registerDependants({ what: 'Tokens', ...tokens.referringBy('connector_uuid') });

  return {
    routes: tokenRoutes({ service, removal, access, profiles }),
    objectNames: { tokens: tokens.findNames, tokenProfiles: tokenProfiles.findNames },
    valueHolders: { tokenProfiles: profiles.holder },
    find: access.find,
    reach: access.reach,
    definitions: access.definitions,
    accept: access.accept,
    creation: {
      create: service.create,
      activate: service.activate,
      findByName: (name) => tokens.findByName(executor, name),
      findProfileByName: (name) => tokenProfiles.findByName(executor, name),
      createProfile: profiles.create,
    },
    requireProfile: profiles.require,
    profileAttributesToSend: profiles.attributesToSend,
    lock: async (tx, uuid) => void (await tokens.lock(tx, uuid)),
    listNames: async () => ({
      tokens: await tokens.findNames(executor),
      profiles: await tokenProfiles.findNames(executor),
    }),
  };
}
