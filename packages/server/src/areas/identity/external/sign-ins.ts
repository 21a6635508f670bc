// Assembles all parts of signing in through identity providers.
import type { Platform } from '../../../platform/platform.ts';
import type { AuditTrail } from '../../audit/index.ts';
import type { Sessions } from '../credentials/sessions.ts';
import { createProviderClient } from '../providers/client.ts';
import { createProviderChecks } from '../providers/check-provider.ts';
import { createKeySets } from '../providers/key-sets.ts';
import { createProviderHttp } from '../providers/provider-http.ts';
import { createProviderSessions, endSignInsEverywhere } from './provider-sessions.ts';
import { createProviderTokens } from './provider-tokens.ts';
import { createProviders } from '../providers/service.ts';
import { createProviderSignIn } from './sign-in.ts';
import { createSignInClaims } from './sign-in-claims.ts';
import { createUserInfo } from '../providers/user-info.ts';
import type { Administration } from '../users/administration.ts';
import type { UserService } from '../users/service.ts';
import { createExternalUsers } from './external-users.ts';
import { createLinkInvited } from './invited-users.ts';
import { createExternalLinks } from './links.ts';

export interface ExternalSignInsParts {
  readonly audit: AuditTrail;
  readonly administration: Administration;
  readonly users: Pick<UserService, 'prepare' | 'insertUser'>;
  readonly sessions: Sessions;
}

export type ExternalSignIns = ReturnType<typeof createExternalSignIns>;

export function createExternalSignIns(platform: Platform, parts: ExternalSignInsParts) {
  const { audit } = parts;
  const http = createProviderHttp(platform);
  const keySets = createKeySets(platform, { http });
  const providers = createProviders(platform, { audit, http, keySets });
  const linkInvited = createLinkInvited(platform, parts);
  const externalUsers = createExternalUsers(platform, { ...parts, linkInvited, forgetProviders: providers.forget });
  const userInfoOf = createUserInfo({ http, log: platform.log });
  const providerTokens = createProviderTokens(platform, { providers, keySets, userInfoOf, externalUsers });
  const client = createProviderClient(platform, { http, clientSecretOf: providers.clientSecretOf });
  const claims = createSignInClaims(platform, { keySets, userInfoOf, accessTokens: providerTokens, externalUsers });
  const sessions = createProviderSessions(platform, { ...parts, providers, http, client, claims });
  const signIn = createProviderSignIn(platform, { ...parts, providers, client, claims, providerSessions: sessions });
  return {
    providers,
    providerTokens,
    /** Functions for the gatekeeper and for the pages with all sign-in methods. */
    browsers: {
      usable: signIn.usable,
      isAlive: sessions.isAlive,
      leave: sessions.leave,
      signOutOrigin: sessions.signOutOrigin,
    },
    /** Functions for the API operations. */
    services: {
      providers,
      usableProviders: signIn.usable,
      checkProvider: createProviderChecks(platform, { http }),
      externalLinks: createExternalLinks(platform, { ...parts, providers, endSignIns: endSignInsEverywhere(platform) }),
    },
    signIn,
    forget: () => [externalUsers, sessions].forEach((memory) => memory.forget()),
    close: http.close,
  };
}
