// Two nodes of one platform install certificates in one location concurrently: the platform then reports exactly what
// is there.
import { sharedTestServer } from '@signetry/testkit/platform';
import { beforeAll, describe, expect, it } from 'vitest';
import { issue } from './testing/certificates.ts';
import { INFRASTRUCTURE_ARGUMENTS } from './testing/declared-infrastructure.ts';
import { createSharedDatabase } from './testing/shared-database.ts';
import { defaultProfile, type IssuingPath } from './testing/profiles.ts';
import { makeRequest } from './testing/requests.ts';
import { formAttribute, KEY_STORE_KIND, startStoreProvider, type StoreProvider } from './testing/store-provider.ts';

const nodes = createSharedDatabase();
const args = async () => [...(await nodes.nodeArgs()), ...INFRASTRUCTURE_ARGUMENTS];
const one = sharedTestServer({ args });
const other = sharedTestServer({ args });
let shelves: StoreProvider;
let entityUuid: string;
let path: IssuingPath;

const ROUNDS = [1, 2, 3, 4, 5];
const soon = { timeout: 20_000, interval: 100 };

beforeAll(async () => {
  const { client } = one;
  shelves = await startStoreProvider();
  const body = { name: 'shared shelves', url: shelves.url, authType: 'none' as const };
  const { uuid: connectorUuid } = await client.connectors.createConnector({ body });
  const entity = {
    name: 'shared',
    connectorUuid,
    kind: KEY_STORE_KIND,
    attributes: [formAttribute('data_host', 'shelf.example')],
  };
  entityUuid = (await client.entities.createEntityInstance({ body: entity })).uuid;
  path = await defaultProfile(client);
});

async function createLocation(name: string) {
  const attributes = [formAttribute('data_shelf', name), formAttribute('data_single', true)];
  const body = { name, attributes, enabled: true };
  const { uuid: locationUuid } = await one.client.locations.addLocation({ params: { entityUuid }, body });
  return { entityUuid, locationUuid };
}

const certificate = async (name: string) => issue(one.client, path, await makeRequest({ subject: `CN=${name}` }));
type TestLocation = Awaited<ReturnType<typeof createLocation>>;

/** Certificates reported by the platform, and those actually there, in Base64 of DER. */
async function reportedAndActual(params: TestLocation, name: string) {
  const { certificates } = await other.client.locationDeployment.getLocationDeployment({ params });
  const there = certificates.filter(({ state }) => state === 'installed');
  const claimed = await Promise.all(
    there.map(async ({ certificateUuid: uuid }) => {
      const { certificateContent } = await one.client.certificates.getCertificate({ params: { uuid } });
      return certificateContent;
    }),
  );
  return {
    states: certificates.map(({ state }) => state),
    claimed,
    found: shelves.on(name).map((each) => each.certificate),
  };
}

const successorsOf = (uuid: string) =>
  nodes.query('SELECT FROM certificate_relation WHERE predecessor_uuid = $1', [uuid]);

describe('a certificate renewed six times concurrently, by two nodes', () => {
  it('has one successor, which is returned to all callers', async () => {
    const { uuid } = await certificate('asked.six.times.example');
    const clients = [one.client, other.client, one.client, other.client, one.client, other.client];
    const params = { ...path, certificateUuid: uuid };
    const renew = (client: typeof one.client) => client.clientOperations.renewCertificate({ params, body: {} });
    const answers = await Promise.all(clients.map(renew));
    expect(new Set(answers.map((answer) => answer.uuid)).size).toBe(1);
    expect(await successorsOf(uuid)).toHaveLength(1);
    const [again] = [await renew(one.client)];
    expect(again.uuid).not.toBe(answers[0]?.uuid);
  });

  it('has one successor if each caller sends a different key, and the other callers get the reason', async () => {
    const { uuid } = await certificate('rekeyed.six.times.example');
    const clients = [one.client, other.client, one.client, other.client, one.client, other.client];
    const rekey = async (client: typeof one.client) => {
      const { pem } = await makeRequest({ subject: 'CN=rekeyed.six.times.example' });
      return client.clientOperations.rekeyCertificate({
        params: { ...path, certificateUuid: uuid },
        body: { request: pem },
      });
    };
    const outcomes = await Promise.allSettled(clients.map(rekey));
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(await successorsOf(uuid)).toHaveLength(outcomes.length - refused.length);
    for (const outcome of refused)
      expect(outcome).toMatchObject({ reason: { message: expect.stringContaining('being renewed: its successor') } });
    expect(refused).toHaveLength(5);
  });
});

describe('a location for a single certificate, with two nodes', () => {
  it.each(ROUNDS)('accepts one of two concurrent pushes and rejects the other (round %d)', async (round) => {
    const name = `pushed-${round}`;
    const params = await createLocation(name);
    const [first, second] = [await certificate(`first.${name}`), await certificate(`second.${name}`)];
    const push = (client: typeof one.client, certificateUuid: string) =>
      client.locations.pushCertificate({ params: { ...params, certificateUuid }, body: { attributes: [] } });
    const outcomes = await Promise.allSettled([push(one.client, first.uuid), push(other.client, second.uuid)]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const refused = outcomes.find(({ status }) => status === 'rejected');
    expect(refused).toMatchObject({
      reason: { status: 422, message: expect.stringContaining('cannot hold more than one') },
    });
    const { states, claimed, found } = await reportedAndActual(params, name);
    expect(states).toEqual(['installed']);
    expect(claimed).toEqual(found);
  });

  it.each(ROUNDS)(
    'contains the certificate that the platform reports after two concurrent renewals (round %d)',
    async (round) => {
      const name = `renewed-${round}`;
      const params = await createLocation(name);
      const csrAttributes = [formAttribute('data_alias', 'web'), formAttribute('data_subject', `CN=${name}.example`)];
      const body = { raProfileUuid: path.raProfileUuid, csrAttributes, issueAttributes: [] };
      const issued = await one.client.locations.issueCertificateToLocation({ params, body });
      const certificateUuid = issued.certificates[0]?.certificateUuid ?? '';
      const renew = (client: typeof one.client) =>
        client.locations.renewCertificateInLocation({ params: { ...params, certificateUuid } });
      await Promise.allSettled([renew(one.client), renew(other.client)]);
      const readSettled = async () => {
        const { states, claimed, found } = await reportedAndActual(params, name);
        return states.includes('waiting') || states.includes('pushing')
          ? states
          : { states, isTrue: claimed[0] === found[0] };
      };
      await expect.poll(readSettled, soon).toEqual({ states: ['installed'], isTrue: true });
      expect(shelves.on(name)).toHaveLength(1);
    },
  );

  it('has one successor for its certificate after six concurrent renewals', async () => {
    const params = await createLocation('six');
    const csrAttributes = [formAttribute('data_alias', 'web'), formAttribute('data_subject', 'CN=six.example')];
    const body = { raProfileUuid: path.raProfileUuid, csrAttributes, issueAttributes: [] };
    const issued = await one.client.locations.issueCertificateToLocation({ params, body });
    const certificateUuid = issued.certificates[0]?.certificateUuid ?? '';
    const clients = [one.client, other.client, one.client, other.client, one.client, other.client];
    const answers = await Promise.all(
      clients.map((client) => client.locations.renewCertificateInLocation({ params: { ...params, certificateUuid } })),
    );
    expect(new Set(answers.flatMap(({ certificates }) => certificates.map((each) => each.certificateUuid))).size).toBe(
      1,
    );
    expect(await successorsOf(certificateUuid)).toHaveLength(1);
  });

  it('contains the certificate only once if both nodes push the same one', async () => {
    const params = await createLocation('same');
    const { uuid: certificateUuid } = await certificate('same.example');
    const push = (client: typeof one.client) =>
      client.locations.pushCertificate({
        params: { ...params, certificateUuid },
        body: { attributes: [formAttribute('data_alias', 'web')] },
      });
    const outcomes = await Promise.allSettled([push(one.client), push(other.client)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    const { states, claimed, found } = await reportedAndActual(params, 'same');
    expect(states).toEqual(['installed']);
    expect(claimed).toEqual(found);
  });
});
