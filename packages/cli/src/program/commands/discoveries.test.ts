// Discovery commands, run against a fake platform.
import { describe, expect, it } from 'vitest';
import { ask, type Replies } from '../testing/fake-platform.ts';

const [uuid, connector] = ['0197b1f4-5d3a-7cc2-9d4e-2f6a7b8c9d0e', '0197b1f4-5d3a-7cc2-9d4e-000000000001'];
const listed = {
  uuid,
  name: 'office network',
  kind: 'Shelf',
  status: 'completed',
  startTime: '2026-11-23T10:00:00Z',
  totalCertificatesDiscovered: 12,
  connectorUuid: connector,
  connectorName: 'network',
};
const progress = {
  uuid,
  status: 'failed',
  phase: 'ended',
  message: 'The provider reports that it failed.',
  announced: 12,
  read: 12,
  found: 9,
  newlyDiscovered: 4,
  repeated: 2,
  refused: 1,
  pagesRead: 1,
  pages: 1,
  startedAt: '2026-11-23T10:00:00Z',
  startedBy: 'ada',
  stoppable: false,
  resumable: false,
};
const shelf = {
  uuid: '7d3c1b8e-2f60-4c10-9a41-000000000020',
  name: 'data_shelf',
  type: 'data',
  contentType: 'string',
  properties: { label: 'Shelf', visible: true, required: true, readOnly: false, list: false, multiSelect: false },
};
const group = { functionGroupCode: 'discoveryProvider', kinds: ['Shelf', 'Attic'], endPoints: [] };
const platform: Replies = {
  'POST /v1/discoveries/list': {
    body: { discoveries: [listed], itemsPerPage: 50, pageNumber: 1, totalItems: 1, totalPages: 1 },
  },
  'POST /v1/discoveries': { status: 201, body: { uuid } },
  [`GET /x/v1/discoveries/${uuid}/progress`]: { body: progress },
  'GET /v1/connectors': { body: [{ uuid: connector, name: 'network', functionGroups: [group] }] },
  [`GET /v1/connectors/${connector}/attributes/discoveryProvider/Shelf`]: { body: [shelf] },
};

describe('discoveries list', () => {
  it('prints a table, and sends the specified filters', async () => {
    const { code, out, err, asked } = await ask(platform, [
      'discoveries', 'list', '--filter', 'office', '--status', 'completed',
    ]); // prettier-ignore
    expect([code, err]).toEqual([0, '1 discovery.']);
    expect(out.split('\n')[1]).toMatch(/^office network +completed +12 +Shelf +2026-11-23T10:00:00Z +network/);
    expect(asked.at(-1)?.body).toMatchObject({
      filters: [
        { fieldIdentifier: 'DISCOVERY_NAME', condition: 'CONTAINS', value: 'office' },
        { fieldIdentifier: 'DISCOVERY_STATUS', condition: 'EQUALS', value: ['completed'] },
      ],
    });
  });
});

describe('discoveries show', () => {
  it('finds a discovery by name, and prints its counters', async () => {
    const { code, out } = await ask(platform, ['discoveries', 'show', 'office network']);
    expect(code).toBe(0);
    expect(out).toMatch(/Status +failed/);
    expect(out).toMatch(/New to the inventory +4/);
  });
});

describe('discoveries start', () => {
  it('sends the attributes that the connector requires, and fails if the discovery fails while it is followed', async () => {
    const words = [
      'discoveries',
      'start',
      'office network',
      '--connector',
      'network',
      '--set',
      'Shelf=top',
      '--follow',
    ];
    const { code, asked } = await ask(platform, [...words, '--kind', 'Shelf']);
    expect(code).toBe(1);
    expect(asked.find(({ method, path }) => method === 'POST' && path === '/api/v1/discoveries')?.body).toMatchObject({
      name: 'office network',
      connectorUuid: connector,
      kind: 'Shelf',
      attributes: [{ name: 'data_shelf', content: [{ data: 'top' }] }],
    });
    const { err } = await ask(platform, words);
    expect(err).toContain('It offers Shelf, Attic.');
  });
});
