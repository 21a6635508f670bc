// CMP with the OpenSSL client: with a shared secret, with one-time secrets, and signed with the issued certificate.
import type { Client } from '@signetry/client';
import { parseCertificate, readDerOrPem } from '@signetry/pki';
import { sharedTestServer } from '@signetry/testkit/platform';
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { HAS_OPENSSL, OPENSSL_NOTE, opensslFolder } from './testing/openssl.ts';
import { createAuthority, defaultProfile, type IssuingPath } from './testing/profiles.ts';

const server = sharedTestServer();
const openssl = opensslFolder();
const SECRET = 'a secret of the factory';
let client: Client;
let path: IssuingPath;

beforeAll(async () => {
  ({ client } = server);
  path = await defaultProfile(client);
});

/** Creates and enables a profile; returns its name. */
async function makeProfile(fields: object = {}): Promise<string> {
  const name = `cmp-${randomUUID()}`;
  const body = {
    name,
    variant: 'v2' as const,
    raProfileUuid: path.raProfileUuid,
    requestProtectionMethod: 'sharedSecret' as const,
    responseProtectionMethod: 'sharedSecret' as const,
    sharedSecret: SECRET,
    ...fields,
  };
  const { uuid } = await client.cmpProfiles.createCmpProfile({ body });
  await client.cmpProfiles.enableCmpProfile({ params: { cmpProfileUuid: uuid } });
  return name;
}

const cmp = (profile: string, ...options: readonly string[]): Promise<string> => {
  const { host } = new URL(server.ready.http);
  return openssl.run('cmp', ['-server', host, '-path', `api/v1/protocols/cmp/${profile}`], options);
};
const withSecret = (secret = SECRET, reference = 'device-7') => ['-ref', reference, '-secret', `pass:${secret}`];

async function newKey(file: string): Promise<string> {
  await openssl.run('genpkey', ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256', '-out', file]);
  return file;
}

const certificateIn = async (file: string) => parseCertificate(readDerOrPem(await openssl.read(file), ['CERTIFICATE']));
const statesOf = async (text: string) =>
  (await client.enrollments.listEnrollments({ query: { protocol: 'cmp', text } })).enrollments.map(
    ({ kind, state, problem }) => [kind, state, ...(problem === undefined ? [] : [problem])],
  );

describe.skipIf(!HAS_OPENSSL)(`openssl cmp${OPENSSL_NOTE}`, () => {
  it.each(['ir', 'cr'])('gets a certificate with a shared secret using %s, and confirms it', async (command) => {
    const profile = await makeProfile();
    const key = await newKey(`${command}.key`);
    const subject = `${command}-device.example`;
    const asked = ['-cmd', command, '-newkey', key, '-subject', `/CN=${subject}`, '-certout', `${command}.pem`];
    await cmp(profile, ...asked, ...withSecret(), '-cacertsout', 'ca.pem');
    const certificate = await certificateIn(`${command}.pem`);
    expect(certificate.subject.rdns.flat().map(({ value }) => value)).toHaveLength(1);
    expect(await statesOf(subject)).toEqual([[command, 'confirmed']]);
    const listed = await client.certificates.listCertificates({ body: { itemsPerPage: 1000 } });
    const { uuid = '' } = listed.certificates.find(({ commonName }) => commonName === subject) ?? {};
    const detail = await client.certificates.getCertificate({ params: { uuid } });
    expect(detail.protocolInfo?.protocol).toBe('cmp');
    expect(detail.certificateRequest?.certificateRequestFormat).toBe('crmf');
  });

  it('can send a PKCS #10 request, and accepts implicit confirmation', async () => {
    const profile = await makeProfile();
    const key = await newKey('p10.key');
    await openssl.run('req', ['-new', '-key', key, '-subj', '/CN=p10-device.example', '-out', 'p10.csr']);
    const asked = ['-cmd', 'p10cr', '-csr', 'p10.csr', '-certout', 'p10.pem', '-implicit_confirm'];
    await cmp(profile, ...asked, ...withSecret());
    expect((await certificateIn('p10.pem')).serialNumber).toMatch(/^[0-9a-f]+$/i);
    expect(await statesOf('p10-device')).toEqual([['p10cr', 'issued']]);
  });

  it('updates its key, and revokes with its own certificate, if requests must be signed', async () => {
    const first = await makeProfile();
    const key = await newKey('first.key');
    const subject = ['-subject', '/CN=signed-device.example'];
    await cmp(first, '-cmd', 'ir', '-newkey', key, ...subject, '-certout', 'first.pem', ...withSecret());
    const signing = await makeProfile({ requestProtectionMethod: 'signature' });
    const next = await newKey('next.key');
    const own = ['-cert', 'first.pem', '-key', key, '-unprotected_errors', '-trusted', 'first.pem'];
    // Responses to signed requests require a signing certificate; without one they are unprotected.
    await expect(cmp(signing, '-cmd', 'kur', '-newkey', next, '-certout', 'next.pem', ...own)).rejects.toThrow();
    expect(await statesOf('signed-device')).toContainEqual(['kur', 'issued']);
    await expect(cmp(signing, '-cmd', 'rr', '-oldcert', 'first.pem', '-revreason', '1', ...own)).rejects.toThrow();
    const listed = await client.certificates.listCertificates({ body: { itemsPerPage: 1000 } });
    const states = listed.certificates.filter(({ commonName }) => commonName === 'signed-device.example');
    expect(states.map(({ state }) => state).sort()).toEqual(['issued', 'revoked']);
  });

  it('revokes with the shared secret, for the specified reason', async () => {
    const profile = await makeProfile();
    const key = await newKey('rr.key');
    const asked = ['-cmd', 'ir', '-newkey', key, '-subject', '/CN=rr-device.example', '-certout', 'rr.pem'];
    await cmp(profile, ...asked, ...withSecret());
    await cmp(profile, '-cmd', 'rr', '-oldcert', 'rr.pem', '-revreason', '4', ...withSecret());
    const listed = await client.certificates.listCertificates({ body: { itemsPerPage: 1000 } });
    const { uuid = '' } = listed.certificates.find(({ commonName }) => commonName === 'rr-device.example') ?? {};
    const detail = await client.certificates.getCertificate({ params: { uuid } });
    expect([detail.state, detail.revocationReason]).toEqual(['revoked', 'superseded']);
    await expect(cmp(profile, '-cmd', 'rr', '-oldcert', 'rr.pem', ...withSecret())).rejects.toThrow(/already revoked/);
  });

  it('gets the CA certificates', async () => {
    const profile = await makeProfile();
    const said = await cmp(profile, '-cmd', 'genm', '-infotype', 'caCerts', ...withSecret());
    expect(said).toMatch(/genp|caCerts|1\.3\.6\.1\.5\.5\.7\.4\.17/);
  });

  it('can use a one-time secret only once, for the subject that it was created for', async () => {
    const profile = await makeProfile();
    const createSecret = () =>
      client.enrollmentSecrets.createEnrollmentSecret({
        params: path,
        body: { protocol: 'cmp', subject: 'CN=once.example' },
      });
    const { secret, reference } = await createSecret();
    const key = await newKey('once.key');
    const ask = (subject: string) =>
      cmp(
        profile,
        '-cmd',
        'ir',
        '-newkey',
        key,
        '-subject',
        `/CN=${subject}`,
        '-certout',
        'once.pem',
        ...withSecret(secret, reference),
      );
    await expect(ask('other.example')).rejects.toThrow(/does not cover that name/);
    await ask('once.example');
    expect(await statesOf('once.example')).toEqual([['ir', 'confirmed']]);
    await expect(ask('once.example')).rejects.toThrow();
    expect(await statesOf('once.example')).toHaveLength(1);
  });

  it('polls while a request awaits approval', async () => {
    const waiting = await createAuthority(client, { name: `Waiting ${randomUUID().slice(0, 8)}` });
    const { raProfileUuid } = waiting;
    const { userUuid } = await approver();
    const { uuid: approvalProfileUuid } = await client.approvalProfiles.createApprovalProfile({
      body: { name: randomUUID(), enabled: true, approvalSteps: [{ order: 1, userUuid, requiredApprovals: 1 }] },
    });
    await client.raProfileApprovals.associateRAProfileWithApprovalProfile({
      params: { ...waiting, approvalProfileUuid },
    });
    const profile = await makeProfile({ raProfileUuid });
    const key = await newKey('poll.key');
    const asked = ['-cmd', 'ir', '-newkey', key, '-subject', '/CN=poll.example', '-certout', 'poll.pem'];
    const running = cmp(profile, ...asked, ...withSecret(), '-total_timeout', '4');
    await expect(running).rejects.toThrow(/timeout/i);
    expect(await statesOf('poll.example')).toEqual([['ir', 'waiting']]);
  });

  it.each([
    ['an incorrect secret', withSecret('another'), 'The MAC of the message is incorrect'],
    ['no protection', ['-unprotected_requests'], 'not protected'],
  ])('gets nothing with %s, and the transaction list shows the reason', async (_what, options, words) => {
    const profile = await makeProfile();
    const key = await newKey('bad.key');
    const asked = ['-cmd', 'ir', '-newkey', key, '-subject', '/CN=bad.example', '-certout', 'bad.pem'];
    await expect(cmp(profile, ...asked, ...options, '-unprotected_errors')).rejects.toThrow(words);
    const { uuid = '' } = (await client.cmpProfiles.listCmpProfiles()).find(({ name }) => name === profile) ?? {};
    const { enrollments } = await client.enrollments.listEnrollments({ query: { profileUuid: uuid } });
    expect(enrollments).toMatchObject([{ kind: 'ir', state: 'refused', problem: expect.stringContaining(words) }]);
  });
});

async function approver(): Promise<{ readonly userUuid: string }> {
  const { uuid } = await client.auth.getUserProfile();
  return { userUuid: uuid };
}
