// Profiles for base stations (3GPP TS 33.310 §9): each rule is tested with a message that complies and one that
// violates it.
import { randomUUID } from 'node:crypto';
import { parseCertificate, verifySignatureProtection, type PkiBodyInput } from '@signetry/pki';
import { generateKeyPair, nodeCrypto } from '@signetry/pki/node';
import { sharedTestServer } from '@signetry/testkit/platform';
import { beforeAll, expect, it } from 'vitest';
import {
  confirmationOf,
  exchange,
  makeMessage,
  newTransaction,
  requestFor,
  type CmpResponse,
} from './testing/cmp-client.ts';
import { certificatesNamed, serveCmp, SHARED, signedResponseSettings } from './testing/cmp-profiles.ts';
import {
  base64,
  certReqMsg,
  irOf,
  signerOf,
  signMessage,
  type CmpSigner,
  type SignedHeader,
} from './testing/cmp-signer.ts';
import { createExternalAuthority } from './testing/external-authority.ts';
import { HOSTILE_KIND, startHostileAuthority } from './testing/hostile-authority.ts';
import { createAuthority, defaultProfile, type IssuingPath } from './testing/profiles.ts';

const server = sharedTestServer({ args: ['--egress-allowed-hosts', '127.0.0.1'] });
const SIGNED = { variant: 'v2_3gpp', requestProtectionMethod: 'signature' } as const;
let path: IssuingPath;
let url: string;
/** Has a vendor certificate, issued under the vendor's root; `stranger` has one from an untrusted vendor. */
let station: CmpSigner;
let stranger: CmpSigner;
let trustedAuthorities: string[];

beforeAll(async () => {
  path = await defaultProfile(server.client);
  const vendor = await createExternalAuthority('CN=Vendor');
  trustedAuthorities = [base64(vendor.der)];
  station = { ...(await signerOf(vendor, 'CN=Station 7')), chain: [vendor.der] };
  stranger = await signerOf(await createExternalAuthority('CN=Other vendor'), 'CN=Station 7');
  const answers = await signedResponseSettings(server.client, path);
  ({ url } = await serveCmp(server, path, { ...SIGNED, ...answers, trustedAuthorities, bindNames: false }));
});

const newName = (): string => `${randomUUID().slice(0, 8)}.example`;
const rejectionOf = ({ body, failures, words }: CmpResponse) => ({ type: body.type, failures, words });
const expectNoCertificate = async (name: string) => expect(await certificatesNamed(server.client, name)).toEqual([]);

it('a base station enrolls with its vendor certificate, sends a confirmation, and updates its key with the issued certificate', async () => {
  const name = newName();
  const keys = await generateKeyPair('P-256');
  const request = signMessage(newTransaction(), await irOf(`CN=${name}`, { keys }), station);
  const { body, message, certificate, transaction } = await exchange(url, request);
  expect(body.type).toBe('ip');
  if (!certificate) throw new Error('no certificate');
  const chain = message.extraCerts.map((der) => parseCertificate(der));
  expect(chain.some(({ subjectDer }) => Buffer.from(subjectDer).equals(certificate.issuerDer))).toBe(true);
  const [signer = expect.fail('no certificate')] = chain;
  expect(verifySignatureProtection(message, { spki: signer.spki, verify: nodeCrypto.verify })).toBe(true);
  const confirmation = signMessage(transaction, confirmationOf(certificate), station);
  expect((await exchange(url, confirmation)).body.type).toBe('pkiconf');
  const update = { type: 'kur', requests: [await certReqMsg(`CN=${name}`)] } as const;
  const own = { certificate: certificate.der, keys };
  const updated = await exchange(url, signMessage(newTransaction(), update, own));
  expect([updated.body.type, updated.certificate?.subject]).toEqual(['kup', certificate.subject]);
});

const signBody = (body: PkiBodyInput, signer = station, more: Partial<SignedHeader> = {}) =>
  signMessage({ ...newTransaction(), ...more }, body, signer);
const two = async (subject: string): Promise<PkiBodyInput> => ({
  type: 'ir',
  requests: [await certReqMsg(subject), await certReqMsg(subject)],
});

type MessageFactory = (subject: string) => Promise<Uint8Array>;

const refused: readonly (readonly [what: string, made: MessageFactory, failure: string, words: RegExp])[] = [
  [
    'from an untrusted vendor',
    async (of) => signBody(await irOf(of), stranger),
    'signerNotTrusted',
    /trusted authority/,
  ],
  ['in CMP version 3', async (of) => signBody(await irOf(of), station, { pvno: 3 }), 'unsupportedVersion', /version 2/],
  ['for two certificates', async (of) => signBody(await two(of)), 'badRequest', /one certificate/],
  ['without a key', async (of) => signBody(await irOf(of, { withKey: false })), 'badCertTemplate', /no public key/],
  [
    'whose proof of possession is raVerified',
    async (of) => signBody(await irOf(of, { proof: 'raVerified' })),
    'badPOP',
    /vouch/,
  ],
  [
    'without proof of possession',
    async (of) => signBody(await irOf(of, { proof: 'none' })),
    'badPOP',
    /does not contain a proof of possession/,
  ],
  [
    'protected by a shared secret',
    async (of) => makeMessage(newTransaction(), await requestFor(of), SHARED),
    'wrongIntegrity',
    /sign their messages/,
  ],
];

/** Failures of the request itself, which are returned in its response; all others concern the message. */
const OF_REQUEST: readonly string[] = ['badRequest', 'badCertTemplate', 'badPOP'];

it.each(refused)('a request %s is rejected', async (_what, made, failure, words) => {
  const name = newName();
  const answer = await exchange(url, await made(`CN=${name}`));
  const type = OF_REQUEST.includes(failure) ? 'ip' : 'error';
  expect(rejectionOf(answer)).toEqual({ type, failures: [failure], words: expect.stringMatching(words) });
  await expectNoCertificate(name);
});

it('a one-time secret is accepted only if requests are not required to be signed', async () => {
  const oneTime = await server.client.enrollmentSecrets.createEnrollmentSecret({
    params: path,
    body: { protocol: 'cmp' },
  });
  const name = newName();
  const messageBySecret = async () => makeMessage(newTransaction(), await requestFor(`CN=${name}`), oneTime);
  expect(rejectionOf(await exchange(url, await messageBySecret()))).toMatchObject({ failures: ['wrongIntegrity'] });
  await expectNoCertificate(name);
  const { url: other } = await serveCmp(server, path, { variant: 'v2_3gpp' });
  const answer = await exchange(other, await messageBySecret());
  expect(answer.body.type).toBe('ip');
  expect(answer.message.extraCerts.length).toBeGreaterThan(0);
});

it('nothing is issued if the certificate chain for the response is unknown', async () => {
  const authority = await startHostileAuthority({ name: 'Unknown CA', isUnknown: true });
  try {
    const { uuid: connectorUuid } = await server.client.connectors.createConnector({
      body: { name: 'unknown', url: authority.url, authType: 'none' },
    });
    const unknown = await createAuthority(server.client, { name: 'Unknown CA', connectorUuid, kind: HOSTILE_KIND });
    const { url: place } = await serveCmp(server, unknown, { ...SIGNED, trustedAuthorities });
    const name = newName();
    const answer = await exchange(place, signMessage(newTransaction(), await irOf(`CN=${name}`), station));
    const words = expect.stringContaining('Base stations require the chain');
    expect(rejectionOf(answer)).toEqual({ type: 'ip', failures: ['systemUnavail'], words });
    await expectNoCertificate(name);
  } finally {
    await authority.close();
  }
});
