// SCEP profiles for tests, with a certificate whose RSA key is in a token.
import { randomUUID } from 'node:crypto';
import type { Client } from '@signetry/client';
import type { ScepProfileRequestDto } from '@signetry/contract';
import type { IssuingPath } from './profiles.ts';
import { createKey, createTokenWithProfile, textValue, type TokenPath } from './tokens.ts';

/** Creates a certificate that SCEP profiles can use. */
export async function makeScepCertificate(client: Client, path: IssuingPath, given?: TokenPath): Promise<string> {
  const token = given ?? (await createTokenWithProfile(client));
  const { uuid: keyUuid } = await createKey(client, token, { specification: 'RSA-2048' });
  const names = [textValue('commonName', 'scep.example'), textValue('dnsNames', 'scep.example')];
  const { uuid } = await client.clientOperations.issueCertificate({
    params: path,
    body: { attributes: [], keyUuid, tokenProfileUuid: token.tokenProfileUuid, csrAttributes: names },
  });
  return uuid;
}

export interface ScepProfileOfTest {
  readonly uuid: string;
  readonly name: string;
  readonly url: string;
}

export async function addScepProfile(
  client: Client,
  settings: Pick<ScepProfileRequestDto, 'caCertificateUuid'> & Partial<ScepProfileRequestDto>,
): Promise<ScepProfileOfTest> {
  const name = `scep-${randomUUID()}`;
  const { uuid, scepUrl: url = '' } = await client.scepProfiles.createScepProfile({
    body: {
      includeCaCertificate: false,
      includeCaCertificateChain: false,
      issueCertificateAttributes: [],
      ...settings,
      name,
    },
  });
  await client.scepProfiles.enableScepProfile({ params: { uuid } });
  return { uuid, name, url };
}
