// Connector commands, run against a fake platform.
import { describe, expect, it } from 'vitest';
import { ask } from '../testing/fake-platform.ts';

const uuid = '0197b1f4-5d3a-7cc2-9d4e-2f6a7b8c9d0e';
const group = {
  uuid: '736b0fd6-5ea0-4e10-abe7-cfed39cc2a1a',
  name: 'Authority Provider',
  functionGroupCode: 'authorityProvider',
  kinds: ['SoftwareCA', 'Other'],
  endPoints: [],
};
const waiting = {
  uuid,
  name: 'announced',
  url: 'https://connector.example',
  authType: 'none',
  status: 'waitingForApproval',
  functionGroups: [],
};
const connected = { ...waiting, status: 'connected', functionGroups: [group] };
const list = { 'GET /v1/connectors': { body: [waiting] } };

describe('connectors list', () => {
  it('prints a table, and sends the specified filters', async () => {
    const { code, out, asked } = await ask(list, ['connectors', 'list', '--status', 'waitingForApproval']);
    expect(code).toBe(0);
    expect(out.split('\n')).toEqual([
      expect.stringMatching(/^Name +Status +Function groups +URL +UUID$/),
      expect.stringMatching(/^announced +waitingForApproval +https:\/\/connector\.example +0197b1f4-\S+$/),
    ]);
    expect(asked[0]?.path).toBe('/api/v1/connectors?status=waitingForApproval');
  });

  it('rejects an unknown status', async () => {
    const { code, err } = await ask(list, ['connectors', 'list', '--status', 'lost']);
    expect(code).toBe(2);
    expect(err).toContain('waitingForApproval');
  });
});

describe('a connector', () => {
  it('is shown with its function groups, and whether calls are suspended', async () => {
    const { out } = await ask(
      {
        ...list,
        [`GET /v1/connectors/${uuid}`]: { body: connected },
        [`GET /x/v1/connectors/${uuid}/circuit`]: { body: { node: uuid, state: 'open', failures: 7 } },
      },
      ['connectors', 'show', 'announced'],
    );
    expect(out).toMatch(/Authority Provider +SoftwareCA, Other/);
    expect(out).toMatch(/Calls +temporarily blocked after repeated failures/);
  });

  it('is approved by name and reconnected by UUID', async () => {
    const replies = {
      ...list,
      [`PUT /v1/connectors/${uuid}/approve`]: { status: 204 },
      [`PUT /v1/connectors/${uuid}/reconnect`]: { body: [{ functionGroup: group }] },
    };
    const approved = await ask(replies, ['connectors', 'approve', 'announced']);
    expect([approved.code, approved.err]).toEqual([0, 'Connector "announced" approved.']);
    const reconnected = await ask(replies, ['connectors', 'reconnect', uuid.toUpperCase()]);
    expect(reconnected.out).toMatch(/^Authority Provider +SoftwareCA, Other$/);
  });

  it('that does not exist is named in the error', async () => {
    const { code, err } = await ask(list, ['connectors', 'approve', 'absent']);
    expect(code).toBe(1);
    expect(err).toContain('Cannot find connector "absent"');
  });
});
