// Entities and locations: existing content is imported, certificates are pushed, issued in place, renewed and removed,
// and unanswered calls are followed up.
import type { Client } from '@signetry/client';
import type { RequestAttributeDto } from '@signetry/contract';
import { sharedTestServer } from '@signetry/testkit/platform';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { historyOf, issue, rejectionOf } from './testing/certificates.ts';
import { defaultProfile, type IssuingPath } from './testing/profiles.ts';
import { makeRequest } from './testing/requests.ts';
import { formAttribute, KEY_STORE_KIND, startStoreProvider, type StoreProvider } from './testing/store-provider.ts';

const server = sharedTestServer({ args: ['--egress-allowed-hosts', '127.0.0.1'] });
let client: Client;
let shelves: StoreProvider;
let connectorUuid: string;
let entityUuid: string;
let path: IssuingPath;

const createEntity = (name: string) =>
  client.entities.createEntityInstance({
    body: {
      name,
      connectorUuid,
      kind: KEY_STORE_KIND,
      attributes: [
        formAttribute('data_host', 'shelf.example'),
        formAttribute('data_password', { secret: 'shelf-secret' }),
      ],
    },
  });

async function addLocation(name: string, more: readonly RequestAttributeDto[] = []): Promise<string> {
  const body = { name, attributes: [formAttribute('data_shelf', name), ...more], enabled: true };
  return (await client.locations.addLocation({ params: { entityUuid }, body })).uuid;
}

const readLocation = (locationUuid: string) => client.locations.getLocation({ params: { entityUuid, locationUuid } });
const push = (locationUuid: string, certificateUuid: string, attributes: RequestAttributeDto[] = []) =>
  client.locations.pushCertificate({ params: { entityUuid, locationUuid, certificateUuid }, body: { attributes } });
const pushReplacing = (locationUuid: string, certificateUuid: string) => {
  const params = { entityUuid, locationUuid, certificateUuid };
  return client.locations.pushCertificate({ params, body: { attributes: [], replace: true } });
};
const certificate = async (name: string) => issue(client, path, await makeRequest({ subject: `CN=${name}` }));
const base64 = (der: Uint8Array): string => Buffer.from(der).toString('base64');

beforeAll(async () => {
  ({ client } = server);
  shelves = await startStoreProvider();
  const body = { name: 'shelves', url: shelves.url, authType: 'none' as const };
  connectorUuid = (await client.connectors.createConnector({ body })).uuid;
  entityUuid = (await createEntity('web servers')).uuid;
  path = await defaultProfile(client);
});

describe('an entity', () => {
  it('can be created, is returned without its secrets, and can be listed, found by filters, edited and deleted', async () => {
    const { uuid } = await createEntity('short-lived');
    const detail = await client.entities.getEntityInstance({ params: { entityUuid: uuid } });
    expect(detail).toMatchObject({
      name: 'short-lived',
      kind: KEY_STORE_KIND,
      connectorName: 'shelves',
      status: 'connected',
    });
    expect(JSON.stringify(detail)).not.toContain('shelf-secret');
    const filters = [
      { fieldSource: 'property', fieldIdentifier: 'ENTITY_NAME', condition: 'STARTS_WITH', value: 'short' } as const,
    ];
    const page = { itemsPerPage: 10, pageNumber: 1 };
    const found = await client.entities.listEntityInstances({ body: { filters, ...page } });
    expect([found.totalItems, found.entities[0]?.uuid]).toEqual([1, uuid]);
    const attributes = [formAttribute('data_host', 'other.example')];
    const edited = await client.entities.editEntityInstance({ params: { entityUuid: uuid }, body: { attributes } });
    expect(edited.attributes.find(({ name }) => name === 'data_host')?.content).toEqual([{ data: 'other.example' }]);
    await client.entities.deleteEntityInstance({ params: { entityUuid: uuid } });
    expect(await rejectionOf(client.entities.getEntityInstance({ params: { entityUuid: uuid } }))).toMatchObject({
      status: 404,
    });
  });

  it('has a unique name, and cannot be deleted while it has locations', async () => {
    expect(await rejectionOf(createEntity('web servers'))).toMatchObject({ status: 400 });
    await addLocation('keeps-its-entity');
    const refusal = await rejectionOf(client.entities.deleteEntityInstance({ params: { entityUuid } }));
    expect(refusal.status).toBe(422);
    expect(refusal.message).toMatch(/web servers has \d+ dependent Locations/);
  });
});

describe('a location', () => {
  it('shows its content as soon as it is created, and imports it into the inventory', async () => {
    const there = await makeRequest({ subject: 'CN=unrelated' });
    const { der } = await certificate('was-there.example');
    shelves.put('filled', base64(der));
    shelves.put('filled', base64(there.der)); // Not a certificate.
    const location = await readLocation(await addLocation('filled'));
    expect(location.certificates).toMatchObject([{ commonName: 'was-there.example', state: 'issued', withKey: false }]);
    expect(location).toMatchObject({ supportMultipleEntries: true, supportKeyManagement: true });
    expect(location.certificates[0]?.metadata?.[0]).toMatchObject({ sourceObjectType: 'locations' });
  });

  it('is unique by its attributes and its name', async () => {
    await addLocation('unique');
    const same = { attributes: [formAttribute('data_shelf', 'unique')], enabled: true };
    const create = (name: string) => client.locations.addLocation({ params: { entityUuid }, body: { ...same, name } });
    expect(await rejectionOf(create('unique-too'))).toMatchObject({
      status: 422,
      message: expect.stringContaining('has the same attributes'),
    });
    const other = { name: 'unique', attributes: [formAttribute('data_shelf', 'elsewhere')], enabled: true };
    expect(await rejectionOf(client.locations.addLocation({ params: { entityUuid }, body: other }))).toMatchObject({
      status: 400,
    });
  });

  it('rejects every operation while it is disabled', async () => {
    const locationUuid = await addLocation('closed');
    const params = { entityUuid, locationUuid };
    await client.locations.disableLocation({ params });
    const { uuid } = await certificate('not-now.example');
    for (const act of [() => push(locationUuid, uuid), () => client.locations.syncLocation({ params })])
      expect(await rejectionOf(act())).toMatchObject({
        status: 422,
        message: expect.stringContaining('closed is disabled'),
      });
    await client.locations.enableLocation({ params });
    expect((await push(locationUuid, uuid)).certificates).toHaveLength(1);
  });

  it('is listed with its certificates, and is also found by its certificates', async () => {
    const { uuid } = await certificate('listed.example');
    const locationUuid = await addLocation('listed');
    await push(locationUuid, uuid);
    const page = { itemsPerPage: 100, pageNumber: 1 };
    const { locations } = await client.locations.listLocations({ body: page });
    expect(locations.find((each) => each.uuid === locationUuid)?.certificates).toHaveLength(1);
    const ofCertificate = await client.certificates.listCertificateLocations({ params: { certificateUuid: uuid } });
    expect(ofCertificate.map(({ name }) => name)).toEqual(['listed']);
  });
});

describe("a location's state", () => {
  const stateOf = async (locationUuid: string) => (await readLocation(locationUuid)).state;
  const listInStates = async (...states: readonly string[]): Promise<string[]> => {
    const filter = {
      fieldSource: 'property',
      fieldIdentifier: 'LOCATION_STATE',
      condition: 'EQUALS',
      value: [...states],
    } as const;
    const { locations } = await client.locations.listLocations({ body: { filters: [filter], itemsPerPage: 1_000 } });
    return locations.map(({ name }) => name);
  };

  it('reflects the state of its certificates, and can be filtered and counted', async () => {
    const empty = await addLocation('in-state-empty');
    const installed = await addLocation('in-state-installed');
    await push(installed, (await certificate('in-state.example')).uuid);
    expect([await stateOf(empty), await stateOf(installed)]).toEqual(['empty', 'installed']);
    expect(await listInStates('empty')).toContain('in-state-empty');
    expect(await listInStates('empty')).not.toContain('in-state-installed');
    expect(await listInStates('empty', 'installed')).toEqual(
      expect.arrayContaining(['in-state-empty', 'in-state-installed']),
    );
    for (const { state, locations } of await client.locationDeployment.countLocationStates())
      expect([state, await listInStates(state)]).toEqual([state, expect.objectContaining({ length: locations })]);
    const groups = await client.locations.getLocationSearchFields();
    const field = groups
      .flatMap((group) => group.searchFieldData)
      .find((each) => each?.fieldIdentifier === 'LOCATION_STATE');
    expect(field).toMatchObject({ type: 'list', value: expect.arrayContaining(['served', 'notServed', 'unreadable']) });
  });

  it('is failed until a later certificate is installed, if the location holds only one certificate', async () => {
    const narrow = await addLocation('in-state-narrow', [formAttribute('data_single', true)]);
    shelves.refusePush = 'The shelf is wet.';
    const { uuid } = await certificate('wet.example');
    await rejectionOf(push(narrow, uuid));
    expect(await stateOf(narrow)).toBe('failed');
    shelves.refusePush = undefined;
    await push(narrow, (await certificate('dry.example')).uuid);
    expect(await stateOf(narrow)).toBe('installed');
    const wide = await addLocation('in-state-wide');
    shelves.refusePush = 'The shelf is wet.';
    await rejectionOf(push(wide, uuid));
    shelves.refusePush = undefined;
    await push(wide, (await certificate('beside.example')).uuid);
    expect(await stateOf(wide)).toBe('failed');
  });

  it("indicates when the location's content cannot be read", async () => {
    const locationUuid = await addLocation('in-state-unreadable');
    shelves.put('in-state-unreadable', 'bm8gY2VydGlmaWNhdGU=');
    await client.locations.syncLocation({ params: { entityUuid, locationUuid } });
    expect(await stateOf(locationUuid)).toBe('unreadable');
  });

  it('is waiting if its certificate is pending', async () => {
    const locationUuid = await addLocation('in-state-waiting');
    const request = (await makeRequest({ subject: 'CN=on-its-way.example' })).pem;
    const body = { raProfileUuid: path.raProfileUuid, request, format: 'pkcs10' as const, issueAttributes: [] };
    const { uuid } = await client.certificates.submitCertificateRequest({ body });
    expect((await push(locationUuid, uuid)).state).toBe('waiting');
  });
});

describe('a certificate in a location', () => {
  it("is found by its location's name, and is not listed among certificates without a location", async () => {
    const { uuid } = await certificate('found-by-location.example');
    await push(await addLocation('searched'), uuid);
    const search = async (condition: 'EQUALS' | 'EMPTY' | 'COUNT_EQUAL', value?: string[] | number) => {
      const filter = { fieldSource: 'property', fieldIdentifier: 'CERT_LOCATION_NAME', condition, value } as const;
      const named = {
        fieldSource: 'property',
        fieldIdentifier: 'COMMON_NAME',
        condition: 'EQUALS',
        value: 'found-by-location.example',
      } as const;
      const body = { filters: [filter, named], itemsPerPage: 10, pageNumber: 1 };
      return (await client.certificates.listCertificates({ body })).certificates.map((each) => each.uuid);
    };
    expect(await search('EQUALS', ['searched'])).toEqual([uuid]);
    expect(await search('COUNT_EQUAL', 1)).toEqual([uuid]);
    expect(await search('EMPTY')).toEqual([]);
    const groups = await client.certificates.getCertificateSearchFields();
    const field = groups
      .flatMap((group) => group.searchFieldData)
      .find((each) => each?.fieldIdentifier === 'CERT_LOCATION_NAME');
    expect(field?.value).toContain('searched');
  });

  it('can be pushed with its attributes, is recorded in its history, and can be removed again', async () => {
    const { uuid, der } = await certificate('pushed.example');
    const locationUuid = await addLocation('pushed');
    const location = await push(locationUuid, uuid, [formAttribute('data_alias', 'web')]);
    expect(shelves.on('pushed')).toEqual([{ alias: 'web', certificate: base64(der), withKey: false }]);
    expect(location.certificates).toMatchObject([{ certificateUuid: uuid, pushAttributes: [{ name: 'data_alias' }] }]);
    expect(await historyOf(client, uuid)).toContain('Update Location SUCCESS: Pushed to location pushed');
    const params = { entityUuid, locationUuid, certificateUuid: uuid };
    expect((await client.locations.removeCertificateFromLocation({ params })).certificates).toEqual([]);
    expect(shelves.on('pushed')).toEqual([]);
    expect(await rejectionOf(client.locations.removeCertificateFromLocation({ params }))).toMatchObject({
      status: 422,
    });
  });

  it("is rejected if the location is full, and the provider's error message is reported", async () => {
    const [first, second] = [await certificate('first.example'), await certificate('second.example')];
    const locationUuid = await addLocation('narrow', [formAttribute('data_single', true)]);
    await push(locationUuid, first.uuid);
    expect(await rejectionOf(push(locationUuid, second.uuid))).toMatchObject({
      message: expect.stringContaining('cannot hold more than one'),
    });
    const refused = await addLocation('refusing');
    shelves.refusePush = 'The shelf is full.';
    const refusal = await rejectionOf(push(refused, second.uuid));
    shelves.refusePush = undefined;
    expect(refusal.message).toContain('The shelf is full.');
    expect(await historyOf(client, second.uuid)).toContainEqual(
      expect.stringContaining('Update Location FAILED: Push to location refusing failed: The shelf is full.'),
    );
    expect((await push(refused, second.uuid)).certificates).toHaveLength(1);
  });

  it('replaces a certificate that was issued elsewhere, on request', async () => {
    const [there, next] = [await certificate('from-elsewhere.example'), await certificate('next.example')];
    shelves.put('occupied', base64(there.der));
    const locationUuid = await addLocation('occupied', [formAttribute('data_single', true)]);
    const refusal = await rejectionOf(push(locationUuid, next.uuid));
    expect(refusal.message).toContain('Replace it, or remove it first');
    expect((await pushReplacing(locationUuid, next.uuid)).certificates).toMatchObject([{ certificateUuid: next.uuid }]);
    expect(shelves.on('occupied').map((entry) => entry.certificate)).toEqual([base64(next.der)]);
    shelves.refusePush = 'The shelf is locked.';
    await rejectionOf(pushReplacing(locationUuid, there.uuid));
    shelves.refusePush = undefined;
    const params = { entityUuid, locationUuid };
    const { certificates } = await client.locationDeployment.getLocationDeployment({ params });
    const states = Object.fromEntries(certificates.map((each) => [each.certificateUuid, each.state]));
    expect(states).toEqual({ [next.uuid]: 'installed', [there.uuid]: 'failed' });
  });

  it('is issued to replace one that cannot be renewed in the location', async () => {
    const there = await certificate('not-made-here.example');
    shelves.put('replaced-by-new', base64(there.der));
    const locationUuid = await addLocation('replaced-by-new', [formAttribute('data_single', true)]);
    const params = { entityUuid, locationUuid };
    const renewal = client.locations.renewCertificateInLocation({ params: { ...params, certificateUuid: there.uuid } });
    expect((await rejectionOf(renewal)).message).toContain('Issue a new certificate to the location instead');
    const csrAttributes = [
      formAttribute('data_alias', 'tls'),
      formAttribute('data_subject', 'CN=made-instead.example'),
    ];
    const body = { raProfileUuid: path.raProfileUuid, csrAttributes, issueAttributes: [] };
    const issue = (replace: boolean) =>
      client.locations.issueCertificateToLocation({ params, body: { ...body, replace } });
    expect((await rejectionOf(issue(false))).message).toContain('cannot hold more than one');
    expect((await issue(true)).certificates).toMatchObject([{ commonName: 'made-instead.example', withKey: true }]);
    expect(shelves.on('replaced-by-new')).toMatchObject([{ alias: 'tls', withKey: true }]);
  });

  it('is unlinked if it is removed outside the platform', async () => {
    const { uuid } = await certificate('taken.example');
    const locationUuid = await addLocation('open');
    await push(locationUuid, uuid);
    shelves.on('open').splice(0);
    const synchronized = await client.locations.syncLocation({ params: { entityUuid, locationUuid } });
    expect(synchronized.certificates).toEqual([]);
  });

  it('is issued for a key generated in the location, and renewed in place', async () => {
    const locationUuid = await addLocation('makes-keys', [formAttribute('data_single', true)]);
    const params = { entityUuid, locationUuid };
    const { raProfileUuid } = path;
    const csrAttributes = [formAttribute('data_alias', 'tls'), formAttribute('data_subject', 'CN=made-here.example')];
    const body = { raProfileUuid, csrAttributes, issueAttributes: [] };
    const issued = await client.locations.issueCertificateToLocation({ params, body });
    expect(issued.certificates).toMatchObject([{ commonName: 'made-here.example', state: 'issued', withKey: true }]);
    const [before] = shelves.on('makes-keys');
    const certificateUuid = issued.certificates[0]?.certificateUuid ?? '';
    const renewed = await client.locations.renewCertificateInLocation({ params: { ...params, certificateUuid } });
    expect(renewed.certificates).toMatchObject([{ commonName: 'made-here.example', withKey: true }]);
    expect(renewed.certificates[0]?.certificateUuid).not.toBe(certificateUuid);
    const after = shelves.on('makes-keys');
    expect(after).toHaveLength(1);
    expect(after[0]?.certificate).not.toBe(before?.certificate);
  });

  it('leaves no key in the location if it is not issued', async () => {
    const locationUuid = await addLocation('no-keys-left');
    const csrAttributes = [formAttribute('data_alias', 'tls'), formAttribute('data_subject', 'CN=never.example')];
    const body = { raProfileUuid: connectorUuid, csrAttributes, issueAttributes: [] };
    const params = { entityUuid, locationUuid };
    expect((await rejectionOf(client.locations.issueCertificateToLocation({ params, body }))).status).toBe(404);
    expect(shelves.on('no-keys-left')).toEqual([]);
  });

  it('is pushed once it is issued', async () => {
    const locationUuid = await addLocation('patient');
    const request = (await makeRequest({ subject: 'CN=waits.example' })).pem;
    const body = { raProfileUuid: path.raProfileUuid, request, issueAttributes: [] };
    const { uuid } = await client.certificates.submitCertificateRequest({ body: { ...body, format: 'pkcs10' } });
    expect((await push(locationUuid, uuid)).certificates).toMatchObject([{ state: 'requested' }]);
    expect(shelves.on('patient')).toEqual([]);
    await client.clientOperations.issueRequestedCertificate({ params: { ...path, certificateUuid: uuid } });
    await vi.waitFor(() => expect(shelves.on('patient')).toHaveLength(1), { timeout: 15_000, interval: 100 });
  });
});
