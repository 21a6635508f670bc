// Goal: only the platform itself gets certificates under an internal RA profile, such as those of the OCSP responders.
// Method: the administrator calls every operation whose path or body contains an RA profile, with the internal one
// substituted. New operations are included automatically.
import { platformOperations, type Operation } from '@signetry/contract';
import type { ApiError, Client } from '@signetry/client';
import { sharedTestServer } from '@signetry/testkit/platform';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { rejectionOf } from './testing/certificates.ts';
import { createCallMaker, type CallMaker, type OperationKey } from './testing/declared-calls.ts';
import { INFRASTRUCTURE_ARGUMENTS } from './testing/declared-infrastructure.ts';
import { defaultProfile, type IssuingPath } from './testing/profiles.ts';
import { makeRequest } from './testing/requests.ts';

const server = sharedTestServer({ args: INFRASTRUCTURE_ARGUMENTS });
let client: Client;
let callOf: CallMaker;
let path: IssuingPath;
/** RA profile of the responder, and the responder's certificate under it. */
let internal: { readonly raProfileUuid: string; readonly certificateUuid: string };

beforeAll(async () => {
  ({ client } = server);
  callOf = await createCallMaker(server);
  path = await defaultProfile(client);
  internal = await vi.waitFor(responder, { timeout: 20_000, interval: 100 });
});

async function responder() {
  const { certificates } = await client.certificates.listCertificates({ body: { itemsPerPage: 1000 } });
  const found = certificates.find(({ raProfile }) => raProfile?.name === 'ocsp-signetry-root');
  if (!found?.raProfile) return expect.fail('The responder has no certificate yet.');
  return { raProfileUuid: found.raProfile.uuid, certificateUuid: found.uuid };
}

/** Operations that cannot yield a certificate: reading the profile's data, and revocation. */
const HARMLESS: ReadonlySet<OperationKey> = new Set<OperationKey>([
  'getRaProfile',
  'getRaProfileWithoutAuthority',
  'getAuthorityCertificateChain',
  'getAssociatedApprovalProfiles',
  'getAssociatedComplianceProfiles',
  'getAssociatedComplianceProfilesV2',
  'getEventTriggersAssociations',
  'getTriggerHistory',
  'listRaProfileRevokeCertificateAttributes',
  'listRevokeCertificateAttributes',
  'validateRevokeCertificateAttributes',
  'revokeCertificate',
]);

/** Calls with the internal profile substituted for a different one, by identifier and by name. */
function callsNamingInternal() {
  const { raProfileUuid, authorityUuid, raProfileName } = callOf.objects.named;
  const substituteInternal = (text: string): string =>
    text
      .replaceAll(`"${raProfileUuid}"`, `"${internal.raProfileUuid}"`)
      .replaceAll(`"${raProfileName}"`, '"ocsp-signetry-root"')
      .replaceAll(`"${authorityUuid}"`, `"${path.authorityUuid}"`);
  return (Object.keys(platformOperations) as OperationKey[]) // Object.keys returns the object's own keys.
    .filter((key) => platformOperations[key].access !== 'bootstrap')
    .map((key) => ({ key, call: substituteInternal(JSON.stringify(callOf(key))) }))
    .filter(({ call }) => call.includes(internal.raProfileUuid) || call.includes('"ocsp-signetry-root"'));
}

const send = (key: OperationKey, call: unknown) =>
  client.call(platformOperations[key] as Operation, call as Parameters<Client['call']>[1]);

describe('an internal RA profile', () => {
  it('is rejected by every operation that references it', async () => {
    const accepted: string[] = [];
    const calls = callsNamingInternal().filter(({ key }) => !HARMLESS.has(key));
    for (const { key, call } of calls) {
      const outcome = await send(key, JSON.parse(call)).then(
        () => 'accepted',
        ({ status, message }: ApiError) => (status === 404 ? 'rejected: not found' : `rejected: ${status} ${message}`),
      );
      if (
        !/^rejected: (not found|4.*RA profile (?:ocsp-signetry-root is internal \(|\S+ does not exist))/.test(outcome)
      )
        accepted.push(`${key} is ${outcome}`);
    }
    expect(accepted).toEqual([]);
    expect(calls.length).toBeGreaterThan(40);
  });

  it('issues nothing, and the error message states the reason', async () => {
    const { pem } = await makeRequest({ subject: 'CN=forged responder' });
    const params = { authorityUuid: path.authorityUuid, raProfileUuid: internal.raProfileUuid };
    const { certificateUuid } = internal;
    const body = { request: pem, attributes: [] };
    for (const call of [
      () => client.clientOperations.issueCertificate({ params, body }),
      () => client.clientOperations.rekeyCertificate({ params: { ...params, certificateUuid }, body }),
      () => client.clientOperations.renewCertificate({ params: { ...params, certificateUuid }, body }),
    ]) {
      const { status, message } = await rejectionOf(call());
      expect([status, message]).toEqual([422, expect.stringMatching(/ocsp-signetry-root.*OCSP responder/)]);
    }
  });

  it('is not listed and cannot be selected', async () => {
    const { raProfileUuid } = internal;
    const lists = await Promise.all([
      client.raProfiles.listRaProfiles({ query: {} }),
      client.certificates.getCertificateSearchFields(),
      client.auth.getObjectsForResource({ params: { resourceName: 'raProfiles' } }),
    ]);
    for (const list of lists) {
      expect(JSON.stringify(list)).not.toContain('ocsp-signetry-root');
      expect(JSON.stringify(list)).not.toContain(raProfileUuid);
    }
  });

  it('is shown on its certificates, and is marked as being used by the platform', async () => {
    const { raProfileUuid } = internal;
    const shown = await client.raProfiles.getRaProfileWithoutAuthority({ params: { raProfileUuid } });
    expect(shown).toMatchObject({ name: 'ocsp-signetry-root', usedByPlatform: true });
  });
});
