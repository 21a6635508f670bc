// Tokens: stores of keys, in software or hardware, as instances at a cryptography provider; and token profiles, which
// say what a token is used for.
// Owns: token, token_profile. Invariants: names are unique; a token with profiles is not removed; one that is being
// removed gets no new profiles; what activates a token is passed on and never kept.
import type { RequestAttributeDto } from '@signetry/contract';
import type { Executor } from '../../platform/database/database.ts';
import type { Area, Platform } from '../../platform/platform.ts';
import type { AttributeEngine } from '../attributes/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import { createDependantRegistry, type Connectors } from '../connectors/index.ts';
import { createTokenProfileService, type TokenProfileKey } from './profiles.ts';
import { createTokenRemoval } from './remove-tokens.ts';
import { tokenRoutes } from './routes.ts';
import { createTokenService } from './service.ts';
import { tokenProfiles, tokens } from './store.ts';
import type { TokenProfileRow } from './tables.ts';
import { createTokenAccess, type TokenAccess } from './token-access.ts';

export { usageMask, usagesOf } from './usage-mask.ts';
export type { TokenProfileRow } from './tables.ts';
export { profileForm } from './token-access.ts';
export type { ReachedToken, TokenForm } from './token-access.ts';

/** What other areas use of tokens. */
export interface Tokens extends Pick<TokenAccess, 'find' | 'reach' | 'definitions' | 'accept'> {
  /** 404 when there is none, or when it belongs to another token. */
  requireProfile(key: TokenProfileKey): Promise<TokenProfileRow>;
  /** Attributes of a profile as its connector gets them, with every call on its keys. */
  profileAttributesToSend(profile: TokenProfileRow): Promise<RequestAttributeDto[]>;
  /** Locks the token until the transaction ends: what it holds changes. 404 when it is gone. */
  lock(tx: Executor, uuid: string): Promise<void>;
  /** Identifiers and names of all tokens and profiles, for filters. */
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
  const dependants = createDependantRegistry();
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
    requireProfile: profiles.require,
    profileAttributesToSend: profiles.attributesToSend,
    lock: async (tx, uuid) => void (await tokens.lock(tx, uuid)),
    listNames: async () => ({
      tokens: await tokens.findNames(executor),
      profiles: await tokenProfiles.findNames(executor),
    }),
  };
}
