// Retrieves claims from the user info endpoint (OpenID Connect Core §5.3). They supplement the token's claims; if there
// are none, only the token's claims are used.
import { isObject } from '../../../kernel/is-object.ts';
import type { Logger } from '../../../platform/logging/logger.ts';
import type { ProviderRow } from '../tables.ts';
import type { Claims } from './claims.ts';
import { ProviderFault, type ProviderHttp } from './provider-http.ts';

export interface UserInfoQuery {
  readonly provider: Pick<ProviderRow, 'name' | 'settings'>;
  readonly accessToken: string;
  readonly subject: string;
}

export type UserInfo = ReturnType<typeof createUserInfo>;

export function createUserInfo({ http, log }: { readonly http: ProviderHttp; readonly log: Logger }) {
  /** Returns no claims if the provider has no such endpoint or returns no usable response. */
  return async function userInfoOf({ provider, accessToken, subject }: UserInfoQuery): Promise<Claims> {
    const { userInfoUrl } = provider.settings;
    if (userInfoUrl === undefined) return {};
    try {
      const claims = await http.getJson(userInfoUrl, { authorization: `Bearer ${accessToken}` });
      // The response could describe a different user (§5.3.2, §5.3.4).
      if (isObject(claims) && claims['sub'] === subject) return claims;
      throw new ProviderFault('returned data about a different subject');
    } catch (error) {
      if (!(error instanceof ProviderFault)) throw error;
      log.warn(
        { provider: provider.name, reason: error.message },
        'no user info; only the claims of the token are used',
      );
      return {};
    }
  };
}
