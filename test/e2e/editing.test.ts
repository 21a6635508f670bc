// Editing objects with attributes: a list in the request replaces the earlier one, an omitted list leaves it unchanged,
// and nothing is lost silently.
import type { Client } from '@signetry/client';
import type { RequestAttributeDto } from '@signetry/contract';
import { sharedTestServer } from '@signetry/testkit/platform';
import { beforeAll, describe, expect, it } from 'vitest';
import { createAuthority, defaultProfile, type IssuingPath } from './testing/profiles.ts';

const server = sharedTestServer();
let client: Client;
let path: IssuingPath;

beforeAll(async () => {
  ({ client } = server);
  path = await createAuthority(client, {
    name: 'Edited CA',
    values: { data_keyAlgorithm: 'P-384', data_crlValidityHours: 10 },
  });
});

type AttributeList = readonly { readonly name: string; readonly content?: readonly unknown[] | undefined }[];
const valuesOf = (attributes: AttributeList | undefined): Record<string, unknown> =>
  Object.fromEntries(
    (attributes ?? []).map(({ name, content = [] }) => [name, (content[0] as { data: unknown } | undefined)?.data]),
  );
const integer = (name: string, data: number): RequestAttributeDto => ({
  uuid: '00000000-0000-4000-8000-000000000000',
  name,
  contentType: 'integer',
  content: [{ data }],
});

/** Names of dropped attributes in the newest audit record of this operation. */
async function readDroppedAttributes(resource: string): Promise<unknown> {
  const { database } = server.running.platform;
  const [row] = await database.query<{ operation_data: { attributesLeftOut?: readonly string[] } | null }>(
    `SELECT operation_data FROM audit_record WHERE resource = $1 AND operation = 'update' ORDER BY id DESC LIMIT 1`,
    [resource],
  );
  return row?.operation_data?.attributesLeftOut;
}

describe('editing an authority', () => {
  const edit = (body: { attributes?: RequestAttributeDto[] }) =>
    client.authorities.editAuthorityInstance({ params: { uuid: path.authorityUuid }, body });

  it('without attributes leaves them unchanged', async () => {
    const before = await client.authorities.getAuthorityInstance({ params: { uuid: path.authorityUuid } });
    const { attributes } = await edit({});
    expect(valuesOf(attributes)).toEqual(valuesOf(before.attributes));
    expect(valuesOf(attributes)).toMatchObject({ data_keyAlgorithm: 'P-384', data_crlValidityHours: 10 });
  });

  it('with some attributes keeps those that are fixed for the authority, and records the dropped attributes in the audit log', async () => {
    const { attributes } = await edit({ attributes: [integer('data_deltaCrlValidityHours', 2)] });
    const values = valuesOf(attributes);
    expect(values).toMatchObject({ data_keyAlgorithm: 'P-384', data_deltaCrlValidityHours: 2 });
    expect(values).not.toHaveProperty('data_crlValidityHours');
    expect(await readDroppedAttributes('authorities')).toEqual(['data_crlValidityHours']);
  });
});

describe('editing an RA profile', () => {
  const edit = (body: { attributes?: RequestAttributeDto[]; description?: string }) =>
    client.raProfiles.editRaProfile({ params: path, body });

  it('without attributes leaves them unchanged', async () => {
    const before = valuesOf((await client.raProfiles.getRaProfile({ params: path })).attributes);
    expect(Object.keys(before).length).toBeGreaterThan(2);
    const after = await edit({ description: 'edited' });
    expect(after.description).toBe('edited');
    expect(valuesOf(after.attributes)).toEqual(before);
  });

  it('with a list of attributes stores the list, keeps the previous URLs, and records the dropped attributes in the audit log', async () => {
    const { attributes } = await edit({ attributes: [integer('data_validityDays', 7)] });
    expect(valuesOf(attributes)).toEqual({
      data_validityDays: 7,
      data_crlUrls: '{{revocationUrl}}/crl/{{authority}}.crl',
      data_ocspUrls: '{{revocationUrl}}/ocsp/{{authority}}',
      data_caIssuersUrls: '{{revocationUrl}}/ca/{{authority}}.crt',
    });
    expect(await readDroppedAttributes('raProfiles')).toContain('data_backdateMinutes');
  });
});

describe('editing an ACME profile', () => {
  it('without attributes leaves them unchanged', async () => {
    const { raProfileUuid } = await defaultProfile(client);
    const validity = integer('data_validityDays', 5);
    const form = { raProfileUuid, revokeCertificateAttributes: [] };
    const { uuid } = await client.acmeProfiles.createAcmeProfile({
      body: { ...form, name: 'edited', issueCertificateAttributes: [validity] },
    });
    const params = { uuid };
    const kept = await client.acmeProfiles.editAcmeProfile({ params, body: { raProfileUuid } });
    expect(valuesOf(kept.issueCertificateAttributes)).toEqual({ data_validityDays: 5 });
    const body = { ...form, issueCertificateAttributes: [] };
    const emptied = await client.acmeProfiles.editAcmeProfile({ params, body });
    expect(emptied.issueCertificateAttributes).toEqual([]);
  });
});

describe('an undefined custom attribute', () => {
  const customAttributes = [{ ...integer('costCentre', 7), content: [{ data: 7 }] }];
  const refusal = /Attribute costCentre is unknown\./;

  it('is rejected rather than dropped, for new and edited objects of every kind', async () => {
    const [group, role, user] = [
      await client.groups.createGroup({ body: { name: 'without custom attributes' } }),
      await client.roles.createRole({ body: { name: 'without custom attributes' } }),
      await client.users.createUser({ body: { username: 'without-custom-attributes' } }),
    ];
    const requests: readonly Promise<unknown>[] = [
      client.groups.createGroup({ body: { name: 'with', customAttributes } }),
      client.groups.editGroup({ params: { uuid: group.uuid }, body: { name: 'with', customAttributes } }),
      client.roles.createRole({ body: { name: 'with', customAttributes } }),
      client.roles.updateRole({ params: { roleUuid: role.uuid }, body: { name: 'with', customAttributes } }),
      client.users.createUser({ body: { username: 'with', customAttributes } }),
      client.users.updateUser({ params: { userUuid: user.uuid }, body: { email: '', customAttributes } }),
      client.authorities.editAuthorityInstance({ params: { uuid: path.authorityUuid }, body: { customAttributes } }),
      client.raProfiles.editRaProfile({ params: path, body: { customAttributes } }),
    ];
    for (const { status, reason } of (await Promise.allSettled(requests)) as PromiseRejectedResult[])
      expect([status, String(reason)]).toEqual(['rejected', expect.stringMatching(refusal)]);
    const names = (await client.groups.listGroups()).map(({ name }) => name);
    expect(names).toContain('without custom attributes');
    expect(names).not.toContain('with');
  });
});
