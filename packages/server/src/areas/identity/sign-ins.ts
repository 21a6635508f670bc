// Assembles all ways in which users can open sessions, and the session information that users can view.
import type { Platform } from '../../platform/platform.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { AccessTokens } from './credentials/access-tokens.ts';
import type { Sessions, SessionTimes } from './credentials/sessions.ts';
import { createSignInLinks } from './credentials/sign-in-links.ts';
import type { ExternalSignIns } from './external/sign-ins.ts';
import { createChallenges } from './credentials/challenges.ts';
import { createInvitationAcceptance } from './credentials/accept-invitation.ts';
import { createInvitations } from './credentials/invitations.ts';
import { createOwnSessions } from './credentials/own-sessions.ts';
import { createPasskeyRegistration } from './credentials/passkey-registration.ts';
import { createPasskeySignIn } from './credentials/passkey-sign-in.ts';
import { createPasskeys } from './credentials/passkeys.ts';
import { invitationPages } from './pages/invitation-pages.ts';
import { passkeyPages } from './pages/passkey-pages.ts';
import { providerPages } from './pages/provider-pages.ts';
import { signInPages } from './pages/sign-in-pages.ts';
import type { Administration } from './users/administration.ts';

/** Lifetimes of sessions and invitations. */
export interface SignInSettings {
  readonly sessions: SessionTimes;
  readonly invitationLifetimeMs: number;
}

interface SignInParts {
  readonly audit: AuditTrail;
  readonly administration: Administration;
  readonly sessions: Sessions;
  readonly accessTokens: AccessTokens;
  readonly signIn: SignInSettings;
  readonly ownOrigins: () => readonly string[];
  readonly external: ExternalSignIns;
}

export function createSignIns(platform: Platform, parts: SignInParts) {
  const { audit, administration, sessions, accessTokens, signIn, ownOrigins, external } = parts;
  const challenges = createChallenges(platform);
  const registration = createPasskeyRegistration(platform, { challenges });
  const lifetimeMs = signIn.invitationLifetimeMs;
  const signInLinks = createSignInLinks(platform, { audit, sessions, accessTokens });
  const passkeySignIn = createPasskeySignIn(platform, { audit, sessions, challenges });
  const accepting = createInvitationAcceptance(platform, { audit, sessions, registration });
  return {
    signInLinks,
    invitations: createInvitations(platform, { audit, administration, accessTokens, lifetimeMs }),
    passkeys: createPasskeys(platform, { audit, sessions, registration }),
    ownSessions: createOwnSessions(platform, { audit, sessions }),
    pages: [
      signInPages(platform, { audit, sessions, links: signInLinks, ownOrigins, providers: external.browsers }),
      providerPages(platform, {
        audit,
        signIn: external.signIn,
        providers: external.providers,
        invitations: accepting,
        ownOrigins,
      }),
      passkeyPages(platform, { passkeySignIn, ownOrigins }),
      invitationPages(platform, { audit, invitations: accepting, ownOrigins, providers: external.browsers }),
    ],
  };
}
