// Commands that show credentials and authorities, run against a fake platform.
import { describe, expect, it } from 'vitest';
import { ask } from '../testing/fake-platform.ts';

const uuid = '0197b1f4-5d3a-7cc2-9d4e-2f6a7b8c9d0e';
const credential = {
  uuid,
  name: 'robot',
  kind: 'Basic',
  enabled: true,
  connectorUuid: uuid,
  connectorName: 'Common credentials',
  attributes: [],
};
const other = {
  ...credential,
  uuid: '0197b1f4-1111-7cc2-9d4e-2f6a7b8c9d0e',
  name: 'store',
  kind: 'SoftKeyStore',
  enabled: false,
};
const list = { 'GET /v1/credentials': { body: [credential, other] } };

describe('credentials list', () => {
  it('prints a table, optionally of one kind', async () => {
    const all = await ask(list, ['credentials', 'list']);
    expect(all.code).toBe(0);
    expect(all.out.split('\n')).toEqual([
      expect.stringMatching(/^Name +Kind +State +Connector +UUID$/),
      expect.stringMatching(/^robot +Basic +enabled +Common credentials +0197b1f4-5d3a-\S+$/),
      expect.stringMatching(/^store +SoftKeyStore +disabled +Common credentials +0197b1f4-1111-\S+$/),
    ]);
    const { out } = await ask(list, ['credentials', 'list', '--kind', 'SoftKeyStore', '--json']);
    expect(JSON.parse(out)).toEqual([other]);
  });

  it('reports that there are no credentials', async () => {
    const { code, out, err } = await ask({ 'GET /v1/credentials': { body: [] } }, ['credentials', 'list']);
    expect([code, out, err]).toEqual([0, '', 'No credentials.']);
  });
});

describe('credentials show', () => {
  const value = (name: string, contentType: string, ...content: object[]) => ({
    uuid,
    name,
    label: `The ${name}`,
    type: 'data',
    contentType,
    content,
  });
  const attributes = [
    value('user', 'string', { data: 'robot' }),
    value('password', 'secret', { data: {} }),
    value('keyStore', 'file', { data: { fileName: 'store.p12', mimeType: 'application/x-pkcs12', content: '' } }),
    value('regions', 'string', { reference: 'Europe', data: 'eu' }, { data: 'us' }),
  ];

  it.each(['robot', uuid.toUpperCase()])('shows the credential %s with its attributes', async (given) => {
    const replies = { ...list, [`GET /v1/credentials/${uuid}`]: { body: { ...credential, attributes } } };
    const { code, out } = await ask(replies, ['credentials', 'show', given]);
    expect(code).toBe(0);
    expect(out).toMatch(/^State +enabled$/m);
    expect(out).toMatch(/^The user +robot$/m);
    expect(out).toMatch(/^The password +set$/m);
    expect(out).toMatch(/^The keyStore +store\.p12$/m);
    expect(out).toMatch(/^The regions +Europe, us$/m);
  });

  it('reports an unknown credential', async () => {
    const { code, err } = await ask(list, ['credentials', 'show', 'nobody']);
    expect(code).toBe(1);
    expect(err).toContain('Cannot find credential "nobody": it does not exist, or is not visible to you.');
    expect(err).toContain('`signetry credentials list`');
  });
});

it('authorities list prints a table', async () => {
  const authority = {
    uuid,
    name: 'Root',
    kind: 'SoftwareCA',
    status: 'connected',
    connectorUuid: uuid,
    connectorName: 'Software authority',
    attributes: [],
  };
  const { out } = await ask({ 'GET /v1/authorities': { body: [authority] } }, ['authorities', 'list']);
  expect(out.split('\n')).toEqual([
    expect.stringMatching(/^Name +Kind +Connector +UUID$/),
    expect.stringMatching(/^Root +SoftwareCA +Software authority +0197b1f4-\S+$/),
  ]);
});
