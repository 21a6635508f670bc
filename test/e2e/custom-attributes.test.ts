// Custom attributes over REST: on objects of every supported resource, across renewals and ACME, and individually.
import type { Client } from '@signetry/client';
import type { Action, CustomAttributeCreateRequestDto, RequestAttributeDto, Resource } from '@signetry/contract';
import { makeSigningRequest } from '@signetry/testkit/acme';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { addAcmeProfile } from './testing/acme-profiles.ts';
import { sharedAcmeServer } from './testing/acme-server.ts';
import { issue, issuedOf } from './testing/certificates.ts';
import { limitedUser } from './testing/limited-user.ts';
import { createAuthority, defaultProfile, type IssuingPath } from './testing/profiles.ts';
import { makeRequest } from './testing/requests.ts';

const acme = sharedAcmeServer();
const { server } = acme;
let client: Client;
let path: IssuingPath;

beforeAll(async () => {
  ({ client } = server);
  path = await defaultProfile(client);
});

let counter = 0;
const made: string[] = [];

type Facts = Partial<Omit<CustomAttributeCreateRequestDto, 'name'>>;

/**
 * Defines an attribute for these resources. Other tests see it while this test runs, so required ones exist only
 * briefly.
 */
async function define(resources: CustomAttributeCreateRequestDto['resources'], facts: Facts = {}) {
  counter += 1;
  const name = `e2e attribute ${counter}`;
  const body = { contentType: 'string', label: name, ...facts, name, resources } as const;
  const { uuid } = await client.customAttributes.createCustomAttribute({ body });
  made.push(uuid);
  return { uuid, name };
}

afterEach(async () => {
  await client.customAttributes.bulkDeleteCustomAttributes({ body: made.splice(0) });
});

const attributeValue = (
  { uuid, name }: { readonly uuid: string; readonly name: string },
  data: string,
): RequestAttributeDto => ({
  uuid,
  name,
  contentType: 'string',
  content: [{ data }],
});

const namesAndContents = (attributes: readonly { readonly name: string; readonly content?: unknown }[] | undefined) =>
  (attributes ?? []).map(({ name, content }) => [name, content]);

describe('objects with custom attributes', () => {
  it('of every kind accept them on creation, return them, and replace them when edited', async () => {
    const attribute = await define(['groups', 'users', 'roles', 'authorities', 'raProfiles', 'acmeProfiles']);
    const { name } = attribute;
    const [first, second] = [[attributeValue(attribute, 'first')], [attributeValue(attribute, 'second')]];
    const values = (data: string) => [[name, [{ data }]]];

    const group = await client.groups.createGroup({ body: { name: 'with attributes', customAttributes: first } });
    expect(namesAndContents((await client.groups.getGroup({ params: group })).customAttributes)).toEqual(
      values('first'),
    );
    const editedGroup = { params: group, body: { name: 'with attributes', customAttributes: second } };
    expect(namesAndContents((await client.groups.editGroup(editedGroup)).customAttributes)).toEqual(values('second'));

    const user = await client.users.createUser({ body: { username: 'with-attributes', customAttributes: first } });
    expect(namesAndContents(user.customAttributes)).toEqual(values('first'));
    const userParams = { userUuid: user.uuid };
    const updated = await client.users.updateUser({
      params: userParams,
      body: { email: 'w@example.com', customAttributes: second },
    });
    expect(namesAndContents(updated.customAttributes)).toEqual(values('second'));

    const role = await client.roles.createRole({ body: { name: 'with attributes', customAttributes: first } });
    expect(namesAndContents(role.customAttributes)).toEqual(values('first'));
    const roleChange = { params: { roleUuid: role.uuid }, body: { name: 'with attributes' } };
    expect(namesAndContents((await client.roles.updateRole(roleChange)).customAttributes)).toEqual(values('first'));

    const own = await createAuthority(client, { name: 'With Attributes' });
    const authorityParams = { uuid: own.authorityUuid };
    const authorityChange = { params: authorityParams, body: { attributes: [], customAttributes: first } };
    expect(
      namesAndContents((await client.authorities.editAuthorityInstance(authorityChange)).customAttributes),
    ).toEqual(values('first'));
    const profileChange = { params: own, body: { attributes: [], customAttributes: second } };
    expect(namesAndContents((await client.raProfiles.editRaProfile(profileChange)).customAttributes)).toEqual(
      values('second'),
    );

    const { uuid } = await client.acmeProfiles.createAcmeProfile({
      body: {
        name: 'with-attributes',
        issueCertificateAttributes: [],
        revokeCertificateAttributes: [],
        raProfileUuid: path.raProfileUuid,
        customAttributes: first,
      },
    });
    await client.acmeProfiles.updateRaProfile_AcmeProfile({ params: { uuid, raProfileUuid: own.raProfileUuid } });
    expect(namesAndContents((await client.acmeProfiles.getAcmeProfile({ params: { uuid } })).customAttributes)).toEqual(
      values('first'),
    );
  });

  it('are rejected with a list of all problems, and nothing is created', async () => {
    const attribute = await define(['groups'], { required: true });
    const body = { name: 'incomplete', customAttributes: [] };
    await expect(client.groups.createGroup({ body })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(`${attribute.name} is required`),
    });
    expect((await client.groups.listGroups()).map(({ name }) => name)).not.toContain('incomplete');
  });
});

describe('certificates with custom attributes', () => {
  it('get their values from the request, and pass them on when they are renewed', async () => {
    const attribute = await define(['certificates']);
    const values = [[attribute.name, [{ data: 'R&D' }]]];
    const body = { attributes: [], customAttributes: [attributeValue(attribute, 'R&D')] };
    const request = await makeRequest({ subject: 'CN=custom.example', dnsNames: ['custom.example'] });
    const issued = await client.clientOperations.issueCertificate({
      params: path,
      body: { ...body, request: request.pem },
    });
    const detail = (uuid: string) => client.certificates.getCertificate({ params: { uuid } });
    expect(namesAndContents((await detail(issued.uuid)).customAttributes)).toEqual(values);
    const params = { ...path, certificateUuid: issued.uuid };
    const renewed = issuedOf(await client.clientOperations.renewCertificate({ params, body: {} }));
    expect(namesAndContents((await detail(renewed.uuid)).customAttributes)).toEqual(values);
    const unknown = { ...attributeValue(attribute, 'x'), name: 'never defined' };
    await expect(
      client.clientOperations.issueCertificate({
        params: path,
        body: { attributes: [], customAttributes: [unknown], request: request.pem },
      }),
    ).rejects.toMatchObject({ status: 422, body: [expect.stringContaining('never defined')] });
  });

  it('get the values from their ACME profile, even if users are required to enter other attributes', async () => {
    const attribute = await define(['certificates']);
    await define(['certificates'], { required: true });
    const profile = await addAcmeProfile(acme, {
      certificateAssociations: { customAttributes: [attributeValue(attribute, 'by ACME')] },
    });
    const { uuid } = profile;
    const { certificateAssociations } = await client.acmeProfiles.getAcmeProfile({ params: { uuid } });
    expect(namesAndContents(certificateAssociations?.customAttributes)).toEqual([
      [attribute.name, [{ data: 'by ACME' }]],
    ]);
    const account = await acme.account({ directoryUrl: profile.directoryUrl });
    const name = acme.host('custom-attributes');
    const placed = await account.newOrder({ identifiers: [{ type: 'dns', value: name }] });
    for (const url of placed.body.authorizations) await acme.prove(account, url);
    const { der } = await makeSigningRequest({ names: [name] });
    const done = await account.finalize(placed.body.finalize, der);
    expect(done.body.status).toBe('valid');
    const { certificates } = await client.certificateSearch.searchCertificates({ body: { text: name } });
    const [certificate] = certificates;
    if (!certificate) expect.fail('no certificate');
    const detail = await client.certificates.getCertificate({ params: { uuid: certificate.uuid } });
    expect(namesAndContents(detail.customAttributes)).toEqual([[attribute.name, [{ data: 'by ACME' }]]]);
  });

  it('get their values from an upload', async () => {
    const attribute = await define(['certificates']);
    const other = await createAuthority(client, { name: 'Uploaded CA' });
    const foreign = await issue(client, other, await makeRequest({ subject: 'CN=uploaded.example' }));
    await client.certificates.deleteCertificate({ params: { uuid: foreign.uuid } });
    const certificate = foreign.x509.raw.toString('base64');
    const body = { certificate, customAttributes: [attributeValue(attribute, 'by hand')] };
    const { uuid } = await client.certificates.uploadCertificate({ body });
    const detail = await client.certificates.getCertificate({ params: { uuid } });
    expect(namesAndContents(detail.customAttributes)).toEqual([[attribute.name, [{ data: 'by hand' }]]]);
  });
});

describe('single values', () => {
  it('can be set and removed, and all values of the object are returned', async () => {
    const [one, two] = [await define(['certificates']), await define(['certificates'], { contentType: 'integer' })];
    const { uuid } = await issue(client, path, await makeRequest({ subject: 'CN=single.example' }));
    const params = { resourceName: 'certificates', objectUuid: uuid } as const;
    const of = ({ uuid: attributeUuid }: { readonly uuid: string }) => ({ ...params, attributeUuid });
    const { updateAttributeContentForResource: set, deleteAttributeContentForResource: clear } =
      client.customAttributes;
    expect(namesAndContents(await set({ params: of(one), body: [{ data: 'a' }] }))).toEqual([
      [one.name, [{ data: 'a' }]],
    ]);
    expect(namesAndContents(await set({ params: of(two), body: [{ data: 7 }] }))).toHaveLength(2);
    await expect(set({ params: of(two), body: [{ data: 'seven' }] })).rejects.toMatchObject({ status: 400 });
    expect(namesAndContents(await clear({ params: of(one) }))).toEqual([[two.name, [{ data: 7 }]]]);
    const elsewhere = { ...of(one), objectUuid: one.uuid };
    await expect(set({ params: elsewhere, body: [{ data: 'a' }] })).rejects.toMatchObject({ status: 404 });
    const jobs = { ...of(one), resourceName: 'jobs' as const };
    await expect(set({ params: jobs, body: [{ data: 'a' }] })).rejects.toMatchObject({ status: 400 });
  });

  it('for certificates require access to the RA profile and the attribute', async () => {
    const attribute = await define(['certificates']);
    const { uuid } = await issue(client, path, await makeRequest({ subject: 'CN=rights.single.example' }));
    const params = { resourceName: 'certificates', objectUuid: uuid, attributeUuid: attribute.uuid } as const;
    const withRights = async (...rights: (readonly [Resource, Action])[]) => {
      const user = await limitedUser(server, rights);
      return user.customAttributes.updateAttributeContentForResource({ params, body: [{ data: 'x' }] });
    };
    const certificates = ['certificates', 'update'] as const;
    const attributes = ['attributes', 'members'] as const;
    const profiles = ['raProfiles', 'members'] as const;
    await expect(withRights(certificates, profiles)).rejects.toMatchObject({ status: 403 });
    await expect(withRights(attributes, profiles)).rejects.toMatchObject({ status: 403 });
    await expect(withRights(certificates, attributes)).rejects.toMatchObject({ status: 404 });
    expect(await withRights(certificates, attributes, profiles)).toHaveLength(1);
  });
});
