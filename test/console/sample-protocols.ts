// CMP, SCEP and EST profiles, with rejected requests and one-time secrets.
import type { Client } from '@signetry/client';
import type { RunningServer } from '@signetry/server';
import { randomUUID } from 'node:crypto';
import { coreContext } from '../../packages/server/src/kernel/actor.ts';
import type { EnrollmentRequest } from '../../packages/server/src/areas/enrollments/index.ts';
import { makeRequest } from '../e2e/testing/requests.ts';
import { makeScepCertificate } from '../e2e/testing/scep-profiles.ts';
import { defaultProfile } from '../e2e/testing/profiles.ts';

export interface ProtocolSamples {
  readonly cmp: string;
  readonly scep: string;
  readonly est: string;
}

export async function createSampleProtocols(
  client: Client,
  server: Pick<RunningServer, 'areas'>,
): Promise<ProtocolSamples> {
  const path = await defaultProfile(client);
  const { raProfileUuid } = path;
  const { uuid: cmp } = await client.cmpProfiles.createCmpProfile({
    body: {
      name: 'base-stations',
      description: 'Radio sites in the north.',
      variant: 'v2',
      raProfileUuid,
      requestProtectionMethod: 'sharedSecret',
      responseProtectionMethod: 'sharedSecret',
      sharedSecret: 'a sample secret',
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
    body: { name: 'switches', raProfileUuid, users: [{ username: 'device', password: 'a sample password' }] },
  });
  await client.estProfiles.enableEstProfile({ params: { estProfileUuid: est } });
  for (const subject of ['CN=site-17.example,O=Example Ltd', undefined])
    await client.enrollmentSecrets.createEnrollmentSecret({
      params: { raProfileUuid },
      body: { protocol: 'cmp', ...(subject === undefined ? {} : { subject }) },
    });
  await placeRequests(server, {
    family: 'profile',
    uuid: cmp,
    name: 'base-stations',
    version: 1,
    enabled: true,
    raProfile: { uuid: raProfileUuid, name: 'default', enabled: true, authorityUuid: path.authorityUuid },
    issueAttributes: [],
    revokeAttributes: [],
    association: { owner: null, groupUuids: [], customAttributes: [] },
  });
  return { cmp, scep, est };
}

/** Places a request for each state that looks different. */
async function placeRequests(
  { areas }: Pick<RunningServer, 'areas'>,
  profile: EnrollmentRequest['profile'],
): Promise<void> {
  const asked = { protocol: 'cmp' as const, profile, kind: 'ir', requester: 'reference site-17' };
  for (const [index, name] of ['site-17.example', 'site-18.example'].entries()) {
    const { der } = await makeRequest({ subject: `CN=${name},O=Example Ltd` });
    const request = await areas.issuing.protocols.readRequest(der);
    const transactionId = randomUUID().replaceAll('-', '');
    const context = coreContext(randomUUID());
    await areas.enrollments.enroll({ ...asked, transactionId, request, requireManualApproval: index === 1 }, context);
  }
  await areas.enrollments.recordRejection({
    ...asked,
    transactionId: randomUUID(),
    requester: '192.0.2.17',
    problem: 'The message is protected with a secret that is not known: the reference is site-99.',
  });
}
