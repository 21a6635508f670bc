// Requests and expectations of third-party API clients: omitted lists, empty strings for identifiers, and properties
// that are always present.
import type { Client } from '@signetry/client';
import { platformOperations, type Operation } from '@signetry/contract';
import { sharedTestServer } from '@signetry/testkit/platform';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createCallMaker, type CallMaker } from './testing/declared-calls.ts';
import { INFRASTRUCTURE_ARGUMENTS } from './testing/declared-infrastructure.ts';
import { issue, rootOf } from './testing/certificates.ts';
import { createAuthority, type IssuingPath } from './testing/profiles.ts';
import { makeRequest } from './testing/requests.ts';

const server = sharedTestServer({ args: INFRASTRUCTURE_ARGUMENTS });
let client: Client;
let path: IssuingPath;
let profile: string;

beforeAll(async () => {
  ({ client } = server);
  path = await createAuthority(client, { name: 'Foreign CA' });
  profile = `/v2/operations/authorities/${path.authorityUuid}/raProfiles/${path.raProfileUuid}`;
});

interface HttpResponse {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** Sends a request as a third-party client would, without our own client. */
async function send(method: string, where: string, body?: unknown): Promise<HttpResponse> {
  const reply = await fetch(`${server.ready.http}/api${where}`, {
    method,
    headers: { authorization: `Bearer ${server.ready.token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await reply.text();
  return { status: reply.status, body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>) };
}

describe('lists omitted by a client', () => {
  it('are treated as empty when issuing, revoking and uploading', async () => {
    const { pem: request } = await makeRequest({ subject: 'CN=no-lists.example' });
    const issued = await send('POST', `${profile}/certificates`, { request, format: 'pkcs10' });
    expect(issued).toMatchObject({ status: 200, body: { uuid: expect.any(String) as string } });
    const { uuid } = issued.body as { uuid: string };
    expect((await send('POST', `${profile}/certificates/${uuid}/revoke`, { reason: 'superseded' })).status).toBe(204);
    const root = await rootOf(server.ready);
    const uploaded = await send('POST', '/v1/certificates/upload', {
      certificate: root.raw.toString('base64'),
    });
    // The platform knows its own root; this error means that the request was read.
    expect(uploaded).toMatchObject({ status: 400, body: { code: 'ENTITY_NOT_UNIQUE' } });
  });

  it('are treated as empty for an ACME profile that has no RA profile', async () => {
    const { status, body } = await send('POST', '/v1/acmeProfiles', { name: 'no-lists' });
    expect([status, body['name'] ?? body['uuid']]).toEqual([201, expect.any(String)]);
  });
});

describe('an empty string as an optional identifier', () => {
  it('is treated as absent', async () => {
    const { uuid } = await issue(client, path, await makeRequest({ subject: 'CN=rekeyed.example' }));
    const { pem: request } = await makeRequest({ subject: 'CN=rekeyed.example' });
    const body = { replaceInLocations: false, request, format: 'pkcs10', keyUuid: '', tokenProfileUuid: '' };
    expect((await send('POST', `${profile}/certificates/${uuid}/rekey`, body)).status).toBe(200);
  });
});

describe('a role editor', () => {
  it("gets the URL for listing a resource's objects, for each resource that has one", async () => {
    const resources = await client.auth.getAuthResources();
    const listed = resources.filter(({ listObjectsEndpoint }) => listObjectsEndpoint !== undefined);
    expect(listed.map(({ name }) => name)).toEqual(expect.arrayContaining(['groups', 'raProfiles', 'authorities']));
    for (const { name, objectAccess, listObjectsEndpoint = '' } of listed) {
      expect([name, objectAccess]).toEqual([name, true]);
      expect([name, (await send('GET', listObjectsEndpoint)).status]).toEqual([name, 200]);
    }
  });
});

/** If absent, the platform settings apply: neither true nor false. */
const INHERITED = /\.certificateValidationSettings\.enabled$/;

/** Optional boolean properties of the schema that the value lacks. */
function absentFlags(schema: z.core.$ZodType, value: unknown, place: string): string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable)
    return value === undefined ? [] : absentFlags(schema.unwrap(), value, place);
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return value.flatMap((item) => absentFlags(schema.element, item, `${place}[]`));
  if (!(schema instanceof z.ZodObject) || typeof value !== 'object' || value === null) return [];
  return Object.entries(schema.shape as Record<string, z.core.$ZodType>).flatMap(([name, member]) => {
    const held = (value as Record<string, unknown>)[name];
    const inner = member instanceof z.ZodOptional || member instanceof z.ZodDefault ? member.unwrap() : member;
    return held === undefined && inner instanceof z.ZodBoolean
      ? [`${place}.${name}`]
      : absentFlags(member, held, `${place}.${name}`);
  });
}

describe('boolean properties', () => {
  let call: CallMaker;
  beforeAll(async () => {
    call = await createCallMaker(server);
  });

  const reads = Object.entries(platformOperations as Readonly<Record<string, Operation>>).filter(
    ([, { method, path: where, success }]) => method === 'GET' && where.startsWith('/v1/') && success.body,
  );

  it.each(reads)('are always present: %s', async (key, operation) => {
    const { params, query } = call(key as keyof typeof platformOperations);
    const where = operation.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => String(params[name]));
    const { status, body } = await send('GET', `${where}?${new URLSearchParams(query as Record<string, string>)}`);
    if (status !== 200) return;
    const absent = absentFlags(operation.success.body!, body, key).filter((place) => !INHERITED.test(place));
    expect(new Set(absent)).toEqual(new Set());
  });
});
