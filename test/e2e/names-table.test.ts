// Names that can be issued, for every entry point and credential: a table of the single rule about names. A client
// certificate is valid for its own names unless the profile allows others; a one-time secret is valid for the names
// that it was created for.
import { X509Certificate } from 'node:crypto';
import type { Client } from '@signetry/client';
import type { EnrollmentProtocol } from '@signetry/contract';
import { groupGeneralNames, parseCertificate } from '@signetry/pki';
import { beforeAll, describe, expect, it } from 'vitest';
import { certificateId } from './testing/acme-certificate-id.ts';
import { sharedAcmeServer } from './testing/acme-server.ts';
import { issue, issuedOf, rejectionOf } from './testing/certificates.ts';
import { serveCmp, SHARED } from './testing/cmp-profiles.ts';
import { base64 } from './testing/cmp-signer.ts';
import { DEVICE, EstClient } from './testing/est-client.ts';
import { createExternalAuthority, type ExternalAuthority } from './testing/external-authority.ts';
import { limitedUser } from './testing/limited-user.ts';
import {
  requestOverCmp,
  requestOverEst,
  requestOverScep,
  holderFrom,
  holderOf,
  newNames,
  type Names,
  type Outcome,
  type SharedSecret,
} from './testing/names-clients.ts';
import { defaultProfile, type IssuingPath } from './testing/profiles.ts';
import { makeRequest } from './testing/requests.ts';
import { makeDevice, type ScepDevice } from './testing/scep-messages.ts';
import { addScepProfile, makeScepCertificate } from './testing/scep-profiles.ts';
import { formAttribute, KEY_STORE_KIND, startStoreProvider, type StoreProvider } from './testing/store-provider.ts';

/** Requested names, compared with the names of the credential. */
const ASKED = {
  same: (names: Names): Names => names,
  fewer: ({ subject, dnsNames }: Names): Names => ({ subject, dnsNames: dnsNames.slice(0, 1) }),
  more: ({ subject, dnsNames }: Names): Names => ({ subject, dnsNames: [...dnsNames, 'bank.example'] }),
  other: ({ dnsNames }: Names): Names => ({ subject: 'CN=bank,O=Example', dnsNames }),
};
type NameCase = keyof typeof ASKED;
const ALL = 'same, fewer, more, other';

/**
 * Undecided: the profile is older than the setting, and its names are not bound. Only the case of added names shows
 * this.
 */
const BINDS = ['bound', 'unbound', 'undecided'] as const;
type Binds = (typeof BINDS)[number];
type Credential = 'own' | 'vendor' | 'shared secret' | 'secret for names' | 'secret for any';

const acme = sharedAcmeServer(['--egress-allowed-hosts=127.0.0.1']);
const { server } = acme;
const est = new EstClient(server);
let client: Client;
let path: IssuingPath;
let vendor: ExternalAuthority;
/** Has an RSA key, which its certificates also use. */
let device: ScepDevice;
/** URLs for CMP and SCEP, profile names for EST. */
const cmp = { shared: '', bound: '', unbound: '', undecided: '' };
const scep = { bound: '', unbound: '', undecided: '' };
const estLoose = { bound: '', unbound: '', undecided: '' };
const estKept = { bound: '', unbound: '', undecided: '' };

beforeAll(async () => {
  ({ client } = server);
  path = await defaultProfile(client);
  vendor = await createExternalAuthority('CN=Vendor');
  device = await makeDevice('CN=device');
  cmp.shared = (await serveCmp(server, path)).url;
  const caCertificateUuid = await makeScepCertificate(client, path);
  const { raProfileUuid } = path;
  const body = { certificate: base64(vendor.der), customAttributes: [] };
  const { uuid } = await client.certificates.uploadCertificate({ body });
  for (const binds of BINDS) {
    const bindNames = binds === 'bound';
    const trustedAuthorities = [base64(vendor.der)];
    cmp[binds] = (
      await serveCmp(server, path, { requestProtectionMethod: 'signature', trustedAuthorities, bindNames })
    ).url;
    const challenges = { challengePassword: SHARED.secret, oneTimeChallenges: true, renewalThreshold: 10_000 };
    const added = await addScepProfile(client, { caCertificateUuid, raProfileUuid, ...challenges, bindNames });
    scep[binds] = `${server.ready.http}${new URL(added.url).pathname}`;
    const trusting = { trustedCertificateUuids: [uuid], bindNames };
    estLoose[binds] = await est.serve({ ...trusting, renewalsKeepNames: false });
    estKept[binds] = await est.serve(trusting);
    if (binds === 'undecided') {
      await clearBinding('cmp_profile', cmp[binds].split('/').at(-1));
      await clearBinding('scep_profile', added.name);
      await clearBinding('est_profile', estLoose[binds], estKept[binds]);
    }
  }
});

/** Clears the setting, as the migration leaves it for profiles of earlier versions. */
const clearBinding = (table: string, ...names: (string | undefined)[]) =>
  server.running.platform.database.query(`UPDATE ${table} SET bind_names = NULL WHERE name = ANY ($1)`, [names]);

async function createOneTimeSecret(protocol: EnrollmentProtocol, names: Names | undefined): Promise<SharedSecret> {
  const body = { protocol, ...(names && { subject: names.subject, dnsNames: [...names.dnsNames] }) };
  return client.enrollmentSecrets.createEnrollmentSecret({ params: path, body });
}

interface Cell {
  readonly credential: Credential;
  readonly binds: Binds;
  readonly ask: NameCase;
}

/** An unused credential, and the names to request with it. */
async function credentialFor({ credential, ask }: Cell, protocol: EnrollmentProtocol) {
  if (credential === 'own') {
    const holder = await holderOf(client, path, protocol === 'scep' ? device.keys : undefined);
    return { by: holder, names: ASKED[ask](holder.names) };
  }
  if (credential === 'vendor') {
    const holder = await holderFrom(vendor);
    return { by: holder, names: ASKED[ask](holder.names) };
  }
  const names = newNames();
  const by =
    credential === 'shared secret'
      ? SHARED
      : await createOneTimeSecret(protocol, credential === 'secret for names' ? names : undefined);
  return { by, names: ASKED[ask](names) };
}

const byCmp = (kind: 'ir' | 'cr' | 'kur' | 'p10cr') => async (cell: Cell) => {
  const asked = await credentialFor(cell, 'cmp');
  return requestOverCmp(cell.credential === 'shared secret' ? cmp.shared : cmp[cell.binds], kind, asked);
};

const byScep = (type: 'PKCSReq' | 'RenewalReq') => async (cell: Cell) => {
  const { by, names } = await credentialFor(cell, 'scep');
  const service = { url: scep[cell.binds], device };
  return requestOverScep(
    service,
    type,
    'secret' in by ? { names, challengePassword: by.secret } : { names, holder: by },
  );
};

const byEst =
  (operation: 'simpleenroll' | 'simplereenroll', profiles: Readonly<Record<Binds, string>>) => async (cell: Cell) => {
    const { by, names } = await credentialFor(cell, 'est');
    const password = (of: SharedSecret) => (of === SHARED ? DEVICE : `${of.reference}:${of.secret}`);
    const credential = 'secret' in by ? { auth: password(by) } : by;
    return requestOverEst(est, operation, { profile: profiles[cell.binds], names, by: credential });
  };

/** A renewed certificate always binds its subject; its other names depend on the profile. */
const SUCCESSION = { bound: 'same, fewer', unbound: 'same, fewer, more', undecided: 'more' };
const CERTIFICATE = { bound: 'same, fewer', unbound: ALL, undecided: 'more' };
const EXACTLY = { bound: 'same', unbound: 'same', undecided: '' };
/** Binding the names of certificates does not affect secrets. */
const SECRETS = {
  'shared secret': { bound: ALL },
  'secret for names': { bound: 'same, fewer', unbound: 'same, fewer' },
  'secret for any': { bound: ALL },
};

type Row = Partial<Record<Credential, Partial<Record<Binds, string>>>>;
const table: readonly (readonly [entry: string, ask: (cell: Cell) => Promise<Outcome>, row: Row])[] = [
  ['CMP ir', byCmp('ir'), { own: CERTIFICATE, vendor: CERTIFICATE, ...SECRETS }],
  ['CMP cr', byCmp('cr'), { own: CERTIFICATE, vendor: CERTIFICATE, ...SECRETS }],
  ['CMP p10cr', byCmp('p10cr'), { own: CERTIFICATE, vendor: CERTIFICATE, ...SECRETS }],
  ['CMP kur', byCmp('kur'), { own: SUCCESSION, vendor: { unbound: '' }, 'secret for any': { unbound: '' } }],
  ['SCEP PKCSReq', byScep('PKCSReq'), { own: SUCCESSION, ...SECRETS }],
  ['SCEP RenewalReq', byScep('RenewalReq'), { own: SUCCESSION, 'secret for any': { unbound: '' } }],
  ['EST simpleenroll', byEst('simpleenroll', estLoose), { own: CERTIFICATE, vendor: CERTIFICATE, ...SECRETS }],
  ['EST simplereenroll', byEst('simplereenroll', estLoose), { own: SUCCESSION, 'secret for any': { unbound: '' } }],
  ['EST simpleenroll that keeps names', byEst('simpleenroll', estKept), { own: EXACTLY, vendor: CERTIFICATE }],
  ['EST simplereenroll that keeps names', byEst('simplereenroll', estKept), { own: EXACTLY, vendor: EXACTLY }],
];

const countAll = async (): Promise<number> => (await client.certificates.listCertificates({ body: {} })).totalItems;

const casesFor = (binds: Binds): NameCase[] => (binds === 'undecided' ? ['more'] : (Object.keys(ASKED) as NameCase[]));

describe.each(table)('%s', (_entry, ask, row) => {
  const cells = Object.entries(row).flatMap(([credential, expected]) =>
    Object.entries(expected).map(([binds, issued]) => [credential, binds, issued] as [Credential, Binds, string]),
  );
  it.each(cells)('with the credential "%s" and names %s issues %j', async (credential, binds, expected) => {
    const [issued, asks, before]: [string[], NameCase[], number] = [[], casesFor(binds), await countAll()];
    for (const asked of asks) {
      const { certificate, words } = await ask({ credential, binds, ask: asked });
      if (certificate) issued.push(asked);
      else expect(words, asked).not.toBe('');
    }
    const own = credential === 'own' ? asks.length : 0;
    expect(await countAll()).toBe(before + own + issued.length);
    expect(issued.join(', ')).toBe(expected);
  });
});

const rights = [
  ['raProfiles', 'detail'],
  ['raProfiles', 'members'],
  ['authorities', 'detail'],
  ['entities', 'detail'],
  ['locations', 'update'],
  ['certificates', 'renew'],
] as const;
const users = {
  'may renew': () => limitedUser(server, rights),
  'may renew and issue': () => limitedUser(server, [...rights, ['certificates', 'issue']]),
};

describe('REST', () => {
  it.each([
    ['renew', 'may renew', 'same'],
    ['renew', 'may renew and issue', ALL],
    ['rekey', 'may renew', 'same'],
    ['rekey', 'may renew and issue', 'same, fewer, more'],
  ] as const)('%s by a user who %s issues "%s"', async (operation, who, expected) => {
    const { clientOperations } = await users[who]();
    const issued: string[] = [];
    for (const asked of Object.keys(ASKED) as NameCase[]) {
      const names = newNames();
      const old = await makeRequest(names);
      const params = { ...path, certificateUuid: (await issue(client, path, old)).uuid };
      const keys = operation === 'renew' ? { keys: old.keys } : {};
      const body = { request: (await makeRequest({ ...ASKED[asked](names), ...keys })).pem };
      const call =
        operation === 'renew'
          ? clientOperations.renewCertificate({ params, body })
          : clientOperations.rekeyCertificate({ params, body });
      if (expected.split(', ').includes(asked)) issuedOf(await call);
      else expect([403, 422]).toContain((await rejectionOf(call)).status);
      issued.push(...(expected.split(', ').includes(asked) ? [asked] : []));
    }
    expect(issued.join(', ')).toBe(expected);
  });
});

describe('a renewal in a location', () => {
  let shelves: StoreProvider;
  let entityUuid: string;
  beforeAll(async () => {
    shelves = await startStoreProvider();
    const connector = { name: 'shelves', url: shelves.url, authType: 'none' as const };
    const { uuid: connectorUuid } = await client.connectors.createConnector({ body: connector });
    const attributes = [formAttribute('data_host', 'shelf.example')];
    const body = { name: 'shelves', connectorUuid, kind: KEY_STORE_KIND, attributes };
    entityUuid = (await client.entities.createEntityInstance({ body })).uuid;
  });

  it.each([
    ['may renew', 'same'],
    ['may renew and issue', 'same, more'],
  ] as const)('by a user who %s issues "%s"', async (who, expected) => {
    const { locations } = await users[who]();
    const issued: string[] = [];
    for (const asked of ['same', 'more'] as const) {
      const [name, names] = [`${who} ${asked}`, newNames()];
      const at = {
        name,
        attributes: [formAttribute('data_shelf', name), formAttribute('data_single', true)],
        enabled: true,
      };
      const { uuid: locationUuid } = await client.locations.addLocation({ params: { entityUuid }, body: at });
      const params = { entityUuid, locationUuid };
      const csrAttributes = [formAttribute('data_alias', 'web'), formAttribute('data_subject', names.subject)];
      const body = { raProfileUuid: path.raProfileUuid, csrAttributes, issueAttributes: [] };
      shelves.furtherNames = names.dnsNames;
      const { certificates } = await client.locations.issueCertificateToLocation({ params, body });
      shelves.furtherNames = ASKED[asked](names).dnsNames;
      const target = { ...params, certificateUuid: certificates[0]?.certificateUuid ?? '' };
      const renewal = locations.renewCertificateInLocation({ params: target });
      if (expected.includes(asked)) issued.push(...(await renewal).certificates.map(() => asked));
      else expect((await rejectionOf(renewal)).message).toContain('added dNSName:bank.example');
    }
    expect(issued.join(', ')).toBe(expected);
  });
});

describe('an ACME order to replace a certificate', () => {
  it.each([
    ['the same names', (own: string[]) => own, true],
    ['one of them', (own: string[]) => own.slice(0, 1), true],
    ['one of them and another one', (own: string[]) => [...own.slice(0, 1), acme.host('more')], true],
    ['other names', () => [acme.host('other')], false],
  ])('for %s is accepted: %s', async (_what, wanted, isTaken) => {
    const [account, stranger] = [await acme.account(), await acme.account()];
    const own = [acme.host('own'), acme.host('own')];
    const { chain } = await acme.issue(account, own);
    const names = wanted(own);
    const order = {
      identifiers: names.map((value) => ({ type: 'dns', value })),
      replaces: certificateId(new X509Certificate(chain)),
    };
    expect((await stranger.newOrder(order)).status).toBe(400);
    const { status, body } = await account.newOrder(order);
    expect(status).toBe(isTaken ? 201 : 400);
    if (!isTaken) return;
    const authorizations = await Promise.all(body.authorizations.map((url) => account.authorization(url)));
    const validated = new Map(authorizations.map((each) => [each.body.identifier.value, each.body.status]));
    expect([...validated.keys()].toSorted()).toEqual(names.toSorted());
    for (const name of names) if (!own.includes(name)) expect(validated.get(name)).toBe('pending');
  });
});

describe('a name that is requested twice', () => {
  const duplicateNames = ({ subject, dnsNames: [first = '', second = ''] }: Names): Names => ({
    subject,
    dnsNames: [first, second, first.toUpperCase(), second],
  });
  const entries: [string, (names: Names) => Promise<Outcome>][] = [
    ['CMP ir', (names) => requestOverCmp(cmp.shared, 'ir', { names, by: SHARED })],
    ['CMP p10cr', (names) => requestOverCmp(cmp.shared, 'p10cr', { names, by: SHARED })],
    ['SCEP', (names) => requestOverScep({ url: scep.bound, device }, 'PKCSReq', { names, challengePassword: SHARED.secret })], // prettier-ignore
    ['EST', (names) => requestOverEst(est, 'simpleenroll', { profile: estKept.bound, names, by: { auth: DEVICE } })],
    ['REST', async (names) => ({ certificate: parseCertificate((await issue(client, path, await makeRequest(names))).der), words: '' })], // prettier-ignore
  ];

  it.each(entries)('over %s is issued only once, and the inventory shows the same names', async (_entry, ask) => {
    const names = newNames();
    const { certificate = expect.fail('not issued') } = await ask(duplicateNames(names));
    expect(groupGeneralNames(certificate.subjectAltNames).dNSName).toEqual(names.dnsNames);
    const { certificates } = await client.certificates.listCertificates({ body: { itemsPerPage: 1000 } });
    const listed = certificates.find(({ serialNumber }) => serialNumber === certificate.serialNumber);
    const shown = await client.certificates.getCertificate({ params: { uuid: listed?.uuid ?? '' } });
    expect(shown.subjectAlternativeNames?.['dNSName']).toEqual(names.dnsNames);
    expect(shown.certificateRequest?.subjectAlternativeNames?.['dNSName']).toEqual(names.dnsNames);
  });
});
