// Renewals and rekeys: what they keep, change and reject.
import type { X509Certificate } from 'node:crypto';
import type { Client } from '@signetry/client';
import { sharedTestServer } from '@signetry/testkit/platform';
import { beforeAll, describe, expect, it } from 'vitest';
import { historyOf, issue, issuedOf, rootOf } from './testing/certificates.ts';
import { limitedUser } from './testing/limited-user.ts';
import { createAuthority, defaultProfile, type IssuingPath } from './testing/profiles.ts';
import { makeRequest } from './testing/requests.ts';

const server = sharedTestServer();
let client: Client;
let path: IssuingPath;
let root: X509Certificate;

beforeAll(async () => {
  ({ client } = server);
  path = await defaultProfile(client);
  root = await rootOf(server.ready);
});

describe('a renewal', () => {
  it('keeps key and subject, and gets a new serial number', async () => {
    const request = await makeRequest({ subject: 'CN=renew.example,O=Example', dnsNames: ['renew.example'] });
    const old = await issue(client, path, request);
    const params = { ...path, certificateUuid: old.uuid };
    const renewed = issuedOf(await client.clientOperations.renewCertificate({ params, body: {} }));
    expect(renewed.uuid).not.toBe(old.uuid);
    expect(renewed.x509.publicKey.equals(old.x509.publicKey)).toBe(true);
    expect(renewed.x509.subject).toBe(old.x509.subject);
    expect(renewed.x509.subjectAltName).toBe(old.x509.subjectAltName);
    expect(renewed.x509.serialNumber).not.toBe(old.x509.serialNumber);
    expect(renewed.x509.verify(root.publicKey)).toBe(true);
  });

  it('leaves the old certificate issued, and links the two certificates', async () => {
    const old = await issue(client, path, await makeRequest({ subject: 'CN=related.example' }));
    const params = { ...path, certificateUuid: old.uuid };
    const { uuid } = issuedOf(await client.clientOperations.renewCertificate({ params, body: {} }));
    const before = await client.certificates.getCertificate({ params: { uuid: old.uuid } });
    const after = await client.certificates.getCertificate({ params: { uuid } });
    expect(before.state).toBe('issued');
    expect(after.sourceCertificateUuid).toBe(old.uuid);
    expect(before.relatedCertificates?.map((one) => one.uuid)).toEqual([uuid]);
    expect(await historyOf(client, old.uuid)).toContainEqual(expect.stringMatching(`^Renew Certificate .*${uuid}`));
  });

  it('accepts a new request with the same key, and rejects a request with a different key', async () => {
    const request = await makeRequest({ subject: 'CN=samekey.example' });
    const old = await issue(client, path, request);
    const params = { ...path, certificateUuid: old.uuid };
    const again = await makeRequest({ subject: 'CN=samekey.example', keys: request.keys });
    const renewed = issuedOf(await client.clientOperations.renewCertificate({ params, body: { request: again.pem } }));
    expect(renewed.x509.publicKey.equals(old.x509.publicKey)).toBe(true);
    const other = await makeRequest({ subject: 'CN=samekey.example' });
    await expect(
      client.clientOperations.renewCertificate({ params, body: { request: other.pem } }),
    ).rejects.toMatchObject({ status: 422, problems: [expect.stringContaining('use rekey')] });
  });
});

describe('a renewal with different names', () => {
  const setUp = async () => {
    const request = await makeRequest({ subject: 'CN=names.example', dnsNames: ['names.example'] });
    const old = await issue(client, path, request);
    const other = await makeRequest({
      subject: 'CN=names.example',
      dnsNames: ['names.example', 'more.example'],
      keys: request.keys,
    });
    return { old, request, other, params: { ...path, certificateUuid: old.uuid } };
  };

  it('is rejected for users who can renew but not issue; they can still renew with the same names', async () => {
    const { request, other, params } = await setUp();
    const renewer = await limitedUser(server, [
      ['raProfiles', 'detail'],
      ['raProfiles', 'members'],
      ['authorities', 'detail'],
      ['certificates', 'renew'],
    ]);
    const renew = (pem: string) => renewer.clientOperations.renewCertificate({ params, body: { request: pem } });
    await expect(renew(other.pem)).rejects.toMatchObject({
      status: 403,
      message: expect.stringContaining('added dNSName:more.example'),
    });
    expect(issuedOf(await renew(request.pem)).x509.subjectAltName).toBe('DNS:names.example');
    const rekeyed = await makeRequest({ subject: 'CN=names.example', dnsNames: ['more.example'] });
    const body = { request: rekeyed.pem };
    await expect(renewer.clientOperations.rekeyCertificate({ params, body })).rejects.toMatchObject({ status: 403 });
  });

  it('is recorded in the histories of both certificates', async () => {
    const { old, other, params } = await setUp();
    const body = { request: other.pem };
    const renewed = issuedOf(await client.clientOperations.renewCertificate({ params, body }));
    expect(renewed.x509.subjectAltName).toContain('more.example');
    for (const uuid of [old.uuid, renewed.uuid])
      expect(await historyOf(client, uuid)).toContainEqual(
        expect.stringMatching(/^Renew Certificate SUCCESS: .* with different names: added dNSName:more\.example/),
      );
  });
});

describe('a rekey', () => {
  it('changes the key and keeps the subject', async () => {
    const old = await issue(client, path, await makeRequest({ subject: 'CN=rekey.example,O=Example' }));
    const params = { ...path, certificateUuid: old.uuid };
    const request = await makeRequest({ subject: 'CN=rekey.example,O=Example', keySpec: 'RSA-2048' });
    const rekeyed = issuedOf(
      await client.clientOperations.rekeyCertificate({ params, body: { request: request.pem } }),
    );
    expect(rekeyed.x509.subject).toBe(old.x509.subject);
    expect(rekeyed.x509.checkPrivateKey(request.privateKey)).toBe(true);
    expect(rekeyed.x509.verify(root.publicKey)).toBe(true);
    expect(await historyOf(client, old.uuid)).toContainEqual(expect.stringMatching('^Rekey Certificate SUCCESS'));
  });

  it('rejects the same key, a different subject or a missing request, and changes nothing', async () => {
    const first = await makeRequest({ subject: 'CN=fixed.example' });
    const old = await issue(client, path, first);
    const params = { ...path, certificateUuid: old.uuid };
    const before = await historyOf(client, old.uuid);
    const refusals = [
      [{ request: first.pem }, 'use renew'],
      [{ request: (await makeRequest({ subject: 'CN=other.example' })).pem }, 'differs from that of the certificate'],
      [{}, 'required for the new key'],
    ] as const;
    for (const [body, problem] of refusals) {
      await expect(client.clientOperations.rekeyCertificate({ params, body })).rejects.toMatchObject({
        status: 422,
        problems: [expect.stringContaining(problem)],
      });
    }
    expect(await historyOf(client, old.uuid)).toEqual(before);
  });
});

describe('renewals and rekeys', () => {
  it('are rejected for certificates that belong to a different RA profile, are revoked, or do not exist', async () => {
    const other = await createAuthority(client, { name: 'Elsewhere' });
    const old = await issue(client, path, await makeRequest({ subject: 'CN=neither.example' }));
    const renew = (params: typeof path & { certificateUuid: string }) =>
      client.clientOperations.renewCertificate({ params, body: {} });
    await expect(renew({ ...other, certificateUuid: old.uuid })).rejects.toMatchObject({ status: 422 });
    await client.clientOperations.revokeCertificate({
      params: { ...path, certificateUuid: old.uuid },
      body: { attributes: [] },
    });
    await expect(renew({ ...path, certificateUuid: old.uuid })).rejects.toMatchObject({
      status: 422,
      problems: [expect.stringContaining('is revoked')],
    });
    await expect(renew({ ...path, certificateUuid: path.raProfileUuid })).rejects.toMatchObject({ status: 404 });
  });

  it('are rejected if the RA profile is disabled', async () => {
    const other = await createAuthority(client, { name: 'Switched off' });
    const old = await issue(client, other, await makeRequest({ subject: 'CN=off.example' }));
    await client.raProfiles.disableRaProfile({ params: other });
    await expect(
      client.clientOperations.renewCertificate({ params: { ...other, certificateUuid: old.uuid }, body: {} }),
    ).rejects.toMatchObject({ status: 422, problems: [expect.stringContaining('disabled')] });
  });
});
