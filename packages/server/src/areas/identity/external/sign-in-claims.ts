// Identifies the user of a sign-in by the claims of the access token, the user info and the ID token, in increasing
// order of precedence. The ID token is verified like any other token, with our client ID as its audience.
import { decodeJwt } from 'jose';
import type { RequestContext } from '../../../kernel/actor.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { ExternalUsers } from './external-users.ts';
import type { ProviderRow, UserRow } from '../tables.ts';
import { personOf, type Claims } from '../providers/claims.ts';
import type { ReceivedTokens } from '../providers/client.ts';
import { DEFAULT_SKEW_S, type LoginSettings } from '../providers/provider-settings.ts';
import { withKeysOf, type KeySets } from '../providers/key-sets.ts';
import { provisioningOf } from '../providers/provisioning.ts';
import type { ProviderTokens } from './provider-tokens.ts';
import type { UserInfo } from '../providers/user-info.ts';
import { SignInRejected, verifyToken } from '../providers/verify-token.ts';

export interface SignedInTokens {
  readonly provider: ProviderRow;
  readonly login: LoginSettings;
  readonly tokens: ReceivedTokens;
  readonly context: RequestContext;
  /** The ID token that was verified at sign-in. It is kept because a renewal does not have to return a new one. */
  readonly earlierIdToken?: string;
  /** Hash of the secret in the invitation that this sign-in accepts. */
  readonly invitationSha256?: Uint8Array | undefined;
}

export interface SignInClaimsParts {
  readonly keySets: KeySets;
  readonly userInfoOf: UserInfo;
  readonly accessTokens: Pick<ProviderTokens, 'claimsOf'>;
  readonly externalUsers: Pick<ExternalUsers, 'signedIn'>;
}

export type SignInClaims = ReturnType<typeof createSignInClaims>;

export function createSignInClaims({ clock }: Platform, parts: SignInClaimsParts) {
  const { keySets, userInfoOf, accessTokens, externalUsers } = parts;

  async function idClaims({ provider, login, tokens }: SignedInTokens): Promise<Claims & { readonly sub: string }> {
    const { idToken } = tokens;
    if (idToken === undefined) throw new SignInRejected('the provider returned no ID token');
    const skewS = provider.settings.skew ?? DEFAULT_SKEW_S;
    const facts = { issuer: provider.issuer_url, audiences: [login.clientId], skewS, now: clock.now() };
    return withKeysOf(keySets, provider, async (keys) => (await verifyToken(idToken, { ...facts, keys })).claims);
  }

  return {
    /** Returns the user who has signed in; throws `SignInRejected` if no user with these claims can sign in. */
    async userOf(signedIn: SignedInTokens): Promise<UserRow> {
      const { provider, tokens, context, earlierIdToken, invitationSha256 } = signedIn;
      const { accessToken } = tokens;
      const renewed = tokens.idToken === undefined && earlierIdToken !== undefined;
      const earlier = renewed ? decodeJwt(earlierIdToken) : {};
      const id = renewed ? {} : await idClaims(signedIn);
      const { sub: subject = '' } = { ...earlier, ...id } as { readonly sub?: string }; // from a verified token
      const access = await accessTokens.claimsOf(accessToken);
      const info = await userInfoOf({ provider, accessToken, subject });
      const claims = { ...earlier, ...(access?.sub === subject ? access : {}), ...info, ...id };
      const person = personOf({ issuer: provider.issuer_url, subject }, claims, provisioningOf(provider).claims);
      return externalUsers.signedIn({ provider, person, context, invitationSha256 });
    },
  };
}
