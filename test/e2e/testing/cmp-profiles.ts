// Served CMP profiles, and certificates that sign their responses.
import { randomUUID } from 'node:crypto';
import type { Client } from '@signetry/client';
import type { CmpProfileRequestDto } from '@signetry/contract';
import type { TestServer } from '@signetry/testkit/platform';
import type { IssuingPath } from './profiles.ts';
import { createKey, createTokenWithProfile, textValue } from './tokens.ts';

export const SHARED = { secret: 'a secret of the factory', reference: 'device-7' };

export interface ServedCmp {
  readonly url: string;
  readonly uuid: string;
}

/**
 * Creates an enabled profile whose requests and responses are protected by the shared secret, unless the settings
 * specify otherwise.
 */
export async function serveCmp(
  { client, ready }: TestServer,
  path: IssuingPath,
  settings: Partial<CmpProfileRequestDto> = {},
): Promise<ServedCmp> {
  const name = `cmp-${randomUUID()}`;
  const { uuid } = await client.cmpProfiles.createCmpProfile({
    body: {
      name,
      variant: 'v2',
      raProfileUuid: path.raProfileUuid,
      requestProtectionMethod: 'sharedSecret',
      responseProtectionMethod: 'sharedSecret',
      sharedSecret: SHARED.secret,
      ...settings,
    },
  });
  await client.cmpProfiles.enableCmpProfile({ params: { cmpProfileUuid: uuid } });
  return { url: `${ready.http}/api/v1/protocols/cmp/${name}`, uuid };
}

/** Returns settings of a profile that signs its responses with a P-256 key in a token. */
export async function signedResponseSettings(client: Client, path: IssuingPath) {
  const token = await createTokenWithProfile(client);
  const { uuid: keyUuid } = await createKey(client, token, { specification: 'P-256' });
  const csrAttributes = [textValue('commonName', 'cmp.example'), textValue('dnsNames', 'cmp.example')];
  const body = { attributes: [], keyUuid, tokenProfileUuid: token.tokenProfileUuid, csrAttributes };
  const { uuid } = await client.clientOperations.issueCertificate({ params: path, body });
  return { responseProtectionMethod: 'signature' as const, signingCertificateUuid: uuid };
}

export async function certificatesNamed(client: Client, commonName: string) {
  const { certificates } = await client.certificates.listCertificates({ body: { itemsPerPage: 1000 } });
  return certificates.filter((certificate) => certificate.commonName === commonName);
}
