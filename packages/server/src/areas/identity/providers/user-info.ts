// Claims of the user info endpoint (OpenID Connect Core §5.3). They add to those of a token; without them the token
// stands alone.
import { isObject } from '../../../kernel/is-object.ts';
import type { Logger } from '../../../platform/logging/logger.ts';
import type { ProviderRow } from '../tables.ts';
import type { Claims } from './claims.ts';
import { ProviderFault, type ProviderHttp } from './provider-http.ts';

export interface UserInfoQuestion {
  readonly provider: Pick<ProviderRow, 'name' | 'settings'>;
  readonly accessToken: string;
  readonly subject: string;
}

export type UserInfo = ReturnType<typeof createUserInfo>;

export function createUserInfo({ http, log }: { readonly http: ProviderHttp; readonly log: Logger }) {
  /** No claims when the provider has no such endpoint, or gives no usable answer. */
  return async function userInfoOf({ provider, accessToken, subject }: UserInfoQuestion): Promise<Claims> {
    const { userInfoUrl } = provider.settings;
    if (userInfoUrl === undefined) return {};
    try {
      const claims = await http.getJson(userInfoUrl, { authorization: `Bearer ${accessToken}` });
      // The answer could be about somebody else (§5.3.2, §5.3.4).
      if (isObject(claims) && claims['sub'] === subject) return claims;
      throw new ProviderFault('answered about another subject');
    } catch (error) {
      if (!(error instanceof ProviderFault)) throw error;
      log.warn({ provider: provider.name, reason: error.message }, 'there is no user info; the token stands alone');
      return {};
    }
  };
}
