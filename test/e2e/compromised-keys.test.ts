// A key revoked as compromised is never certified again, regardless of the protocol and of later deletions.
import type { Client } from '@signetry/client';
import type { KeyPair } from '@signetry/pki/node';
import { sharedTestServer } from '@signetry/testkit/platform';
import { beforeAll, describe, expect, it } from 'vitest';
import { issue, rejectionOf } from './testing/certificates.ts';
import { defaultProfile, type IssuingPath } from './testing/profiles.ts';
import { makeRequest } from './testing/requests.ts';

const server = sharedTestServer();
let client: Client;
let path: IssuingPath;
let keys: KeyPair;
/** Certificates issued before the compromise: one for the compromised key, one for a different key. */
let ofKey: string;
let ofOther: string;
/** Stored request for the compromised key, not issued yet. */
let stored: string;

const requestFor = (name: string) => makeRequest({ subject: `CN=${name}`, keys });

beforeAll(async () => {
  ({ client } = server);
  path = await defaultProfile(client);
  const first = await makeRequest({ subject: 'CN=stolen.example' });
  keys = first.keys;
  const stolen = await issue(client, path, first);
  ofKey = (await issue(client, path, await requestFor('second.example'))).uuid;
  ofOther = (await issue(client, path, await makeRequest({ subject: 'CN=other.example' }))).uuid;
  const { pem } = await requestFor('stored.example');
  const body = { raProfileUuid: path.raProfileUuid, request: pem, issueAttributes: [] };
  stored = (await client.certificates.submitCertificateRequest({ body })).uuid;
  await client.clientOperations.revokeCertificate({
    params: { ...path, certificateUuid: stolen.uuid },
    body: { reason: 'keyCompromise', attributes: [] },
  });
  await client.certificates.deleteCertificate({ params: { uuid: stolen.uuid } });
});

describe('a key revoked as compromised is rejected', () => {
  it.each([
    [
      'when issuing',
      async () =>
        client.clientOperations.issueCertificate({
          params: path,
          body: { request: (await requestFor('new.example')).pem, attributes: [] },
        }),
    ],
    [
      'when a request is stored',
      async () =>
        client.certificates.submitCertificateRequest({
          body: {
            raProfileUuid: path.raProfileUuid,
            request: (await requestFor('later.example')).pem,
            issueAttributes: [],
          },
        }),
    ],
    [
      'when a request stored before is issued',
      async () => client.clientOperations.issueRequestedCertificate({ params: { ...path, certificateUuid: stored } }),
    ],
    [
      'when another certificate of the key is renewed',
      async () => client.clientOperations.renewCertificate({ params: { ...path, certificateUuid: ofKey }, body: {} }),
    ],
    [
      'when another certificate is rekeyed to it',
      async () =>
        client.clientOperations.rekeyCertificate({
          params: { ...path, certificateUuid: ofOther },
          body: { request: (await requestFor('other.example')).pem },
        }),
    ],
  ])('%s', async (_way, call) => {
    const count = async () => (await client.certificates.listCertificates({ body: {} })).totalItems;
    const before = await count();
    const { status, message } = await rejectionOf(call());
    // Storing a request returns 400 for any rejection.
    expect([400, 422]).toContain(status);
    expect(message).toContain('revoked as compromised');
    expect(await count()).toBe(before);
  });
});
