// Bearer tokens signed by identity providers. A verified token is cached by its hash until it expires or the provider's
// keys or settings change. Whether its user can still sign in is checked every time.
import { LRUCache } from 'lru-cache';
import type { RequestContext } from '../../../kernel/actor.ts';
import { AppError } from '../../../kernel/errors.ts';
import type { Platform } from '../../../platform/platform.ts';
import { sha256 } from '../credentials/sessions.ts';
import type { ExternalUsers } from './external-users.ts';
import type { ProviderRow } from '../tables.ts';
import { personOf } from '../providers/claims.ts';
import { DEFAULT_SKEW_S } from '../providers/provider-settings.ts';
import type { ProviderKey } from '../providers/key-set.ts';
import { withKeysOf, type KeySets } from '../providers/key-sets.ts';
import { provisioningOf } from '../providers/provisioning.ts';
import type { Providers } from '../providers/service.ts';
import type { UserInfo } from '../providers/user-info.ts';
import { issuerOf, SignInRejected, verifyToken, type VerifiedToken } from '../providers/verify-token.ts';

/** Each entry takes about 300 bytes. */
const MAX_REMEMBERED = 20_000;

interface CachedToken {
  readonly subject: string;
  readonly issuer: string;
  readonly expiresAtMs: number;
  /** Provider keys at the time of verification. */
  readonly keys: readonly ProviderKey[];
  readonly settingsOfMs: number;
}

export interface ProviderTokensParts {
  readonly providers: Pick<Providers, 'all'>;
  readonly keySets: KeySets;
  readonly userInfoOf: UserInfo;
  readonly externalUsers: Pick<ExternalUsers, 'signedIn' | 'userOf'>;
}

export type ProviderTokens = ReturnType<typeof createProviderTokens>;

export function createProviderTokens({ clock, log }: Platform, parts: ProviderTokensParts) {
  const { providers, keySets, userInfoOf, externalUsers } = parts;
  const remembered = new LRUCache<string, CachedToken>({ maxSize: MAX_REMEMBERED, sizeCalculation: () => 1 });

  async function providerOf(issuer: string): Promise<ProviderRow> {
    const provider = (await providers.all()).find(({ issuer_url }) => issuer_url === issuer);
    if (!provider) throw new SignInRejected('the issuer of the token is not a configured provider');
    return provider;
  }

  /** Verifies a token; throws `SignInRejected` unless a provider signed it for this platform. */
  async function verifyByProvider(token: string) {
    const provider = await providerOf(issuerOf(token));
    const { issuer_url: issuer, settings } = provider;
    const { audiences = [], skew: skewS = DEFAULT_SKEW_S } = settings;
    return withKeysOf(keySets, provider, async (keys) => {
      const accessToken = {
        clientId: settings.clientId,
        typed: provisioningOf(provider).requireAccessTokenType === true,
      };
      const expected = { keys, issuer, audiences, skewS, now: clock.now(), accessToken };
      const { claims } = await verifyToken(token, expected);
      return { provider, keys, claims, expiresAtMs: (claims.exp + skewS) * 1000 };
    });
  }

  /** Returns the user for a cached token, if the keys and settings that it was verified with have not changed. */
  async function findCachedUser(hash: string): Promise<string | undefined> {
    const known = remembered.get(hash);
    if (!known || known.expiresAtMs <= clock.now().getTime()) return undefined;
    const provider = await providerOf(known.issuer);
    if (provider.updated_at.getTime() !== known.settingsOfMs) return undefined;
    if ((await keySets.current(provider)) !== known.keys) return undefined;
    return externalUsers.userOf(known);
  }

  async function admitNewToken(token: string, hash: string, context: RequestContext): Promise<string> {
    const { provider, keys, claims, expiresAtMs } = await verifyByProvider(token);
    const facts = { issuer: provider.issuer_url, subject: claims.sub };
    const more = await userInfoOf({ provider, accessToken: token, subject: claims.sub });
    const person = personOf(facts, { ...claims, ...more }, provisioningOf(provider).claims);
    const user = await externalUsers.signedIn({ provider, person, context });
    remembered.set(hash, { ...facts, expiresAtMs, keys, settingsOfMs: provider.updated_at.getTime() });
    return user.uuid;
  }

  return {
    /**
     * Returns the user for a token. A rejection does not state the reason, because the caller could be anyone; the
     * reason is logged.
     */
    async userOf(token: string, context: () => RequestContext): Promise<string> {
      const hash = sha256(token).toString('base64url');
      try {
        return (await findCachedUser(hash)) ?? (await admitNewToken(token, hash, context()));
      } catch (error) {
        if (!(error instanceof SignInRejected)) throw error;
        log.info({ reason: error.message }, 'a bearer token was rejected');
        throw rejectedToken(error);
      }
    },
    /** Returns the user that a token belongs to, regardless of who presents it. Does not create or change users. */
    async identify(token: string): Promise<string | undefined> {
      try {
        const { provider, claims } = await verifyByProvider(token);
        return await externalUsers.userOf({ issuer: provider.issuer_url, subject: claims.sub });
      } catch (error) {
        if (error instanceof SignInRejected) return undefined;
        throw error;
      }
    },
    /** Returns the claims of an access token if it is itself a token for this platform; undefined otherwise. */
    async claimsOf(token: string): Promise<VerifiedToken['claims'] | undefined> {
      try {
        return (await verifyByProvider(token)).claims;
      } catch (error) {
        if (error instanceof SignInRejected) return undefined;
        throw error;
      }
    },
  };
}

export const rejectedToken = (cause?: unknown): AppError =>
  new AppError('unauthenticated', { reason: 'the bearer token is unknown, expired or revoked' }, { cause });
