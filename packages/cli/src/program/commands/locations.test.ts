// Commands for entities and locations, run against a fake platform.
import { describe, expect, it } from 'vitest';
import { ask, type Replies } from '../testing/fake-platform.ts';

const idOf = (number: number): string => `0197b1f4-5d3a-7cc2-9d4e-${String(number).padStart(12, '0')}`;
const [entityUuid, uuid, old, renewed, raProfileUuid, authorityUuid] = [1, 2, 3, 4, 5, 6].map(idOf);
const paging = { itemsPerPage: 50, pageNumber: 1, totalItems: 1, totalPages: 1 };
const entity = { uuid: entityUuid, name: 'web server', kind: 'PEM', attributes: [], connectorName: 'file-entities' };
const location = {
  uuid,
  name: 'nginx',
  entityInstanceUuid: entityUuid,
  entityInstanceName: 'web server',
  attributes: [],
  enabled: true,
  supportMultipleEntries: false,
  supportKeyManagement: true,
  certificates: [
    { certificateUuid: old, commonName: 'www.example.com', serialNumber: '0a', state: 'issued', validationStatus: 'valid' },
  ],
}; // prettier-ignore
const held = { commonName: 'www.example.com', serialNumber: '0a', changedAt: '2026-11-23T10:00:00Z', withKey: true };
const before = { certificates: [{ ...held, certificateUuid: old, state: 'installed' }] };
const probe = { host: 'www.example.com', port: 443, timeoutSeconds: 60, restorePrevious: true };
const place = `entities/${entityUuid}/locations/${uuid}`;
const data = (name: string, more: object = {}) => ({
  uuid: idOf(9),
  name,
  type: 'data',
  contentType: 'string',
  properties: { label: name, visible: true, required: true, readOnly: false, list: false, multiSelect: false },
  ...more,
});
const profile = { uuid: raProfileUuid, name: 'default', enabled: true, authorityInstanceUuid: authorityUuid };

/** Returns these deployments one after another, and repeats the last one. */
function platform(deployments: readonly object[]): Replies {
  const left = [...deployments];
  return {
    'POST /v1/entities/list': { body: { ...paging, entities: [entity] } },
    [`GET /v1/entities/${entityUuid}`]: { body: { ...entity, status: 'connected' } },
    'POST /v1/locations': { body: { ...paging, locations: [location] } },
    [`GET /x/v1/${place}/deployment`]: () => ({ body: left.length > 1 ? left.shift() : left[0] }),
    [`PUT /x/v1/${place}/probe`]: { body: { ...before, probe } },
    [`POST /x/v1/${place}/probe/look`]: {
      body: {
        asExpected: false,
        addresses: [
          { address: '192.0.2.1', protocol: 'TLSv1.3', asExpected: false, chain: [{ fingerprint: 'ab', subject: 'CN=other.example', notAfter: '2027-01-01T00:00:00Z' }] },
        ],
        problems: ['192.0.2.2: connection refused'],
      },
    },
    [`PATCH /v1/${place}/certificates/${old}`]: { body: location },
    [`POST /v1/${place}/certificates`]: { body: location },
    [`GET /v1/${place}/attributes/issue`]: { body: [data('data_subject')] },
    [`GET /v2/operations/authorities/${authorityUuid}/raProfiles/${raProfileUuid}/attributes/issue`]: { body: [] },
    'GET /v1/raProfiles': { body: [profile] },
  }; // prettier-ignore
}

const running = { ...before.certificates[0], certificateUuid: renewed, askedUntil: '2026-11-23T10:01:00Z' };
const replaced = { ...before.certificates[0], state: 'replaced' };

describe('entities', () => {
  it('are listed, and shown with their locations', async () => {
    const listed = await ask(platform([before]), ['entities', 'list', '--filter', 'web']);
    expect([listed.code, listed.err]).toEqual([0, '1 entity.']);
    expect(listed.out.split('\n')[1]).toMatch(/^web server +PEM +file-entities/);
    const { code, out } = await ask(platform([before]), ['entities', 'show', 'web server']);
    expect(code).toBe(0);
    expect(out).toMatch(/Status +connected/);
    expect(out).toMatch(/Locations +nginx/);
  });
});

describe('locations list', () => {
  it('prints the certificates in each location, and can filter by entity', async () => {
    const { code, out, asked } = await ask(platform([before]), ['locations', 'list', '--entity', 'web server']);
    expect(code).toBe(0);
    expect(out.split('\n')[1]).toMatch(/^nginx +web server +enabled +www\.example\.com/);
    expect(asked.at(-1)?.body).toMatchObject({
      filters: [{ fieldIdentifier: 'LOCATION_ENTITY_INSTANCE', condition: 'EQUALS', value: ['web server'] }],
    });
  });
});

describe('locations show', () => {
  it('shows the state of each certificate, and the reason for it', async () => {
    const problem = 'www.example.com:443 serves a different certificate';
    const deployment = { probe, certificates: [{ ...before.certificates[0], state: 'notServed', problem }] };
    const { code, out, err } = await ask(platform([deployment]), ['locations', 'show', 'nginx']);
    expect(code).toBe(0);
    expect(out).toMatch(
      /Endpoint +www\.example\.com:443, polled for up to 60 s, restores the previous certificate if the new one is not served/,
    );
    expect(out).toMatch(/www\.example\.com +not served/);
    expect(err).toBe(`www.example.com, not served: ${problem}`);
  });

  it('prints all data with --json', async () => {
    const { out } = await ask(platform([before]), ['locations', 'show', 'nginx', '--json']);
    expect(JSON.parse(out)).toMatchObject({ name: 'nginx', deployment: before });
  });
});

describe('locations renew', () => {
  const followed = ['locations', 'renew', 'nginx', '--follow'];

  it('waits until the new certificate is served', async () => {
    const served = { ...running, state: 'served', askedUntil: undefined, servedAt: '2026-11-23T10:00:30Z' };
    const { code, out } = await ask(
      platform([before, before, { certificates: [running, replaced] }, { certificates: [served] }]),
      followed,
    );
    expect(code).toBe(0);
    expect(out).toMatch(/www\.example\.com +served +2026-11-23T10:00:30Z/);
  });

  it('fails if the new certificate is not served, even if the previous one was restored', async () => {
    const notServed = { ...running, state: 'notServed', askedUntil: undefined, problem: 'connection timed out' };
    const { code, err } = await ask(
      platform([before, before, { certificates: [notServed, ...before.certificates] }]),
      followed,
    );
    expect(code).toBe(1);
    expect(err).toContain('connection timed out');
  });
});

describe('locations issue', () => {
  it('sends the attributes that the location requires, and rejects missing ones', async () => {
    const { code, asked } = await ask(platform([before]), [
      'locations', 'issue', 'nginx', '--set', 'data_subject=CN=www.example.com',
    ]); // prettier-ignore
    expect(code).toBe(0);
    expect(asked.find(({ path }) => path === `/api/v1/${place}/certificates`)?.body).toMatchObject({
      raProfileUuid,
      csrAttributes: [{ name: 'data_subject', content: [{ data: 'CN=www.example.com' }] }],
      issueAttributes: [],
    });
    const { code: refused, err } = await ask(platform([before]), ['locations', 'issue', 'nginx']);
    expect(refused).toBe(2);
    expect(err).toContain('Attribute "data_subject" is required.');
  });
});

describe('locations probe', () => {
  it('sets the endpoint, probes it, and fails if it serves a different certificate', async () => {
    const { code, out, err, asked } = await ask(platform([before]), [
      'locations', 'probe', 'nginx', '--host', 'www.example.com', '--start-tls', 'smtp', '--keep-new',
    ]); // prettier-ignore
    expect(code).toBe(1);
    expect(out).toMatch(/192\.0\.2\.1 +TLSv1\.3 +different +CN=other\.example/);
    expect(err).toContain('192.0.2.2: connection refused');
    expect(asked.find(({ method }) => method === 'PUT')?.body).toEqual({
      ...probe,
      startTls: 'smtp',
      restorePrevious: false,
    });
  });

  it('rejects endpoint options without an endpoint', async () => {
    const { code } = await ask(platform([before]), ['locations', 'probe', 'nginx', '--keep-new']);
    expect(code).toBe(2);
  });
});
