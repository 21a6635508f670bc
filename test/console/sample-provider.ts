// An identity provider whose URLs are never requested.
import { generateKeyPairSync } from 'node:crypto';
import type { Client } from '@signetry/client';

const at = (path: string): string => `https://id.corp.example/realms/staff${path}`;

const NAME = 'corporate';

/** Returns its name. */
export async function createSampleProvider({ authenticationSettings }: Client): Promise<string> {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = { ...publicKey.export({ format: 'jwk' }), kid: 'staff-2026-10', alg: 'RS256', use: 'sig' };
  await authenticationSettings.updateOAuth2ProviderSettings({
    params: { providerName: NAME },
    body: {
      issuerUrl: at(''),
      clientId: 'signetry',
      clientSecret: 'a sample secret',
      authorizationUrl: at('/protocol/openid-connect/auth'),
      tokenUrl: at('/protocol/openid-connect/token'),
      jwkSet: Buffer.from(JSON.stringify({ keys: [key] })).toString('base64'),
      logoutUrl: at('/protocol/openid-connect/logout'),
      postLogoutUrl: 'https://pki.corp.example/',
      scope: ['profile', 'email'],
      audiences: ['signetry'],
    },
  });
  return NAME;
}

/** Links a user to the identity provider. */
export const linkSampleIdentity = ({ externalIdentities }: Client, userUuid: string): Promise<unknown> =>
  externalIdentities.linkExternalIdentity({
    params: { userUuid },
    body: { providerName: NAME, subject: '3f1c2b9e-70d4-4c58-9a51-6f0e1d2c3b4a' },
  });
