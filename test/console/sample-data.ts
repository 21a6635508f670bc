// Objects of every kind and in every state, with realistic names: short, long, and in other scripts.
import { createClient, type Client } from '@signetry/client';
import type { CertificateRevocationReason } from '@signetry/contract';
import type { RunningServer } from '@signetry/server';
import { makeRequest } from '../e2e/testing/requests.ts';
import { createSampleApprovals, type ApprovalSamples } from './sample-approvals.ts';
import { createSampleOids, type OidSamples } from './sample-oids.ts';
import { createSampleAttributes } from './sample-attributes.ts';
import { createSampleProvider, linkSampleIdentity } from './sample-provider.ts';
import { createSampleConnectors, type ConnectorSamples } from './sample-connectors.ts';
import { uploadExternalSamples, type ExternalSamples } from './sample-names.ts';
import { createSampleKeys, type KeySamples } from './sample-keys.ts';
import { createSamplePeople, type PeopleSamples } from './sample-people.ts';

const NAMES = [
  'shop.example', 'www.example', 'mail.example', 'wiki.example', 'vpn.example', 'ldap-01.internal.example',
  '*.apps.example', 'xn--mnchen-3ya.example', 'payments-gateway-eu-central-1-blue-green-canary.platform.internal.example',
  'printer-3rd-floor.office.example', 'build-agent-17.ci.example', 'api.example', 'registry.example', 'grafana.example',
]; // prettier-ignore

interface RaProfilePath {
  readonly authorityUuid: string;
  readonly raProfileUuid: string;
}

/** URLs of the pages that need an object. */
export interface Samples {
  readonly valid: string;
  readonly revoked: string;
  readonly expired: string;
  /** The newest certificate after two renewals. */
  readonly renewed: string;
  /** Imported certificates. */
  readonly foreign: ExternalSamples;
  readonly root: string;
  readonly authority: string;
  readonly raProfile: string;
  readonly acmeProfile: string;
  /** Directory of the ACME profile. */
  readonly acmeDirectory: string;
  readonly connector: string;
  readonly connectors: ConnectorSamples;
  /** Attribute with a hundred choices. */
  readonly customAttribute: string;
  readonly identityProvider: string;
  readonly oids: OidSamples;
  readonly keys: KeySamples;
  readonly people: PeopleSamples;
  readonly approvals: ApprovalSamples;
  /** CSR that can be pasted. */
  readonly request: string;
}

export async function fillWithSamples(
  { announcement, platform }: RunningServer,
  token: string,
  count = 60,
): Promise<Samples> {
  const client = createClient({ baseUrl: announcement.api, token });
  const [profile] = await client.raProfiles.listRaProfiles();
  const place = { authorityUuid: profile?.authorityInstanceUuid ?? '', raProfileUuid: profile?.uuid ?? '' };
  const [valid = '', revoked = '', held = '', expiring = '', expired = ''] = await issueMany(client, place, count);
  await revoke(client, place, revoked, 'keyCompromise');
  await revoke(client, place, held, 'superseded');
  const shift = (uuid: string, from: string, to: string) =>
    platform.database.query(
      'UPDATE certificate SET not_before = now() + $2::interval, not_after = now() + $3::interval WHERE uuid = $1',
      [uuid, from, to],
    );
  await shift(expiring, '-80 days', '9 days');
  await shift(expired, '-100 days', '-10 days');
  const renewed = await renewTwice(client, { place, shift });
  for (const name of ['Web servers', 'Office machines on the third floor'])
    await client.groups.createGroup({ body: { name, description: 'Responsible for these certificates.' } });
  const acme = await createSampleAcmeProfile(client, place);
  const chain = await client.certificates.getCertificateChain({ params: { uuid: valid }, query: {} });
  const connectors = await client.connectors.listConnectors({});
  const connector = connectors.find(({ name }) => name === 'software-authority');
  const { pem } = await makeRequest({
    subject: 'CN=pasted.example,O=Example Ltd',
    dnsNames: ['pasted.example', 'www.pasted.example'],
  });
  const identityProvider = await createSampleProvider(client);
  const people = await createSamplePeople(client);
  await linkSampleIdentity(client, people.user);
  return {
    valid,
    revoked,
    expired,
    renewed,
    foreign: await uploadExternalSamples(client),
    root: chain.certificates.at(-1)?.uuid ?? '',
    authority: place.authorityUuid,
    raProfile: place.raProfileUuid,
    acmeProfile: acme.uuid,
    acmeDirectory: acme.directoryUrl,
    connector: connector?.uuid ?? '',
    connectors: await createSampleConnectors(client),
    // Created before the attributes that are required for every RA profile.
    approvals: await createSampleApprovals(client, place.authorityUuid),
    keys: await createSampleKeys(client),
    customAttribute: await createSampleAttributes(client, place.raProfileUuid),
    identityProvider,
    people,
    oids: await createSampleOids(client),
    request: pem,
  };
}

interface RenewalContext {
  readonly place: RaProfilePath;
  readonly shift: (uuid: string, from: string, to: string) => Promise<unknown>;
}

/** The first certificate has expired, the second expires soon. */
async function renewTwice(client: Client, { place, shift }: RenewalContext): Promise<string> {
  const renew = async (certificateUuid: string): Promise<string> => {
    const params = { ...place, certificateUuid };
    return (await client.clientOperations.renewCertificate({ params, body: {} })).uuid;
  };
  const first = await issue(client, place, 'renewed.example');
  const second = await renew(first);
  const third = await renew(second);
  await shift(first, '-170 days', '-80 days');
  await shift(second, '-85 days', '5 days');
  return third;
}

async function createSampleAcmeProfile(client: Client, place: RaProfilePath) {
  const { uuid } = await client.acmeProfiles.createAcmeProfile({
    body: {
      name: 'web-servers',
      description: 'For the shop servers, with external account binding.',
      raProfileUuid: place.raProfileUuid,
      issueCertificateAttributes: [],
      revokeCertificateAttributes: [],
    },
  });
  await client.acmeProfiles.enableAcmeProfile({ params: { uuid } });
  await client.acmeEabKeys.createAcmeEabKey({ params: { uuid }, body: {} });
  const { directoryUrl } = await client.acmeProfiles.getAcmeProfile({ params: { uuid } });
  const activation = { issueCertificateAttributes: [], revokeCertificateAttributes: [] };
  await client.raProfileAcme.activateAcmeForRaProfile({
    params: {
      authorityUuid: place.authorityUuid,
      raProfileUuid: place.raProfileUuid,
      acmeProfileUuid: uuid,
    },
    body: activation,
  });
  return { uuid, directoryUrl: directoryUrl ?? '' };
}

async function issueMany(client: Client, place: RaProfilePath, count: number): Promise<readonly string[]> {
  const all: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const base = NAMES[at % NAMES.length] ?? '';
    all.push(await issue(client, place, at < NAMES.length ? base : `node-${at}.${base.replace(/^\*\./, '')}`));
  }
  return all;
}

async function issue(client: Client, params: RaProfilePath, name: string): Promise<string> {
  const { pem } = await makeRequest({ subject: `CN=${name.slice(0, 64)}`, dnsNames: [name] });
  const { uuid } = await client.clientOperations.issueCertificate({ params, body: { request: pem, attributes: [] } });
  return uuid;
}

async function revoke(
  client: Client,
  place: RaProfilePath,
  uuid: string,
  reason: CertificateRevocationReason,
): Promise<void> {
  await client.clientOperations.revokeCertificate({
    params: { ...place, certificateUuid: uuid },
    body: { reason, attributes: [] },
  });
}
