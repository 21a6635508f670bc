// Connectors: tested before they are saved, approved after they register themselves, inspected, and removed.
import { sharedTestServer } from '@signetry/testkit/platform';
import { describe, expect, it } from 'vitest';
import { expectAccessible } from './testing/accessibility.ts';
import { CHROMIUM, CHROMIUM_NOTE } from './testing/chromium.ts';
import { sharedConsole } from './testing/console.ts';
import { smallConnector } from './testing/small-connector.ts';

describe.skipIf(CHROMIUM === undefined)(`connectors${CHROMIUM_NOTE}`, () => {
  const server = sharedTestServer({ console: true, args: ['--egress-allowed-hosts', '127.0.0.1'] });
  const desk = sharedConsole(server);
  const remote = smallConnector('credentialProvider', 'Remote');
  const names = async () => (await server.client.connectors.listConnectors({})).map(({ name }) => name);
  const builtIn = async (address: string) =>
    (await server.client.connectors.listConnectors({})).find(({ url }) => url === `builtin:${address}`)?.uuid ?? '';
  const add = async (name: string) =>
    (await server.client.connectors.createConnector({ body: { name, url: remote.url(), authType: 'none' } })).uuid;

  it('are tested before they are saved, which shows their functions or the error and stores nothing', async () => {
    const before = await names();
    const page = await desk.open({ path: '/connectors/new' });
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('tested');
    const create = page.getByRole('button', { name: 'Create' });
    const test = page.getByRole('button', { name: 'Test connection' });
    await page.getByRole('textbox', { name: 'URL' }).fill('http://127.0.0.1:1');
    await test.click();
    await page.getByText('Connection failed').waitFor();
    await page.getByText('cannot be reached: the connection was refused.').waitFor();
    expect(await create.isDisabled()).toBe(true);
    await expectAccessible(page);
    await page.getByRole('textbox', { name: 'URL' }).fill(remote.url());
    // The result was for a different URL.
    await page.getByText('Connection failed').waitFor({ state: 'hidden' });
    await test.click();
    await page.getByText('Connection successful').waitFor();
    await page.getByText('Credentials: Remote').waitFor();
    await expectAccessible(page);
    expect(await names()).toEqual(before);
    await create.click();
    await page.getByRole('heading', { name: 'tested', level: 1 }).waitFor();
    expect(await names()).toEqual([...before, 'tested'].toSorted());
  });

  it('that registered themselves are highlighted until they are approved', async () => {
    const body = { name: 'announced', url: remote.url(), authType: 'none' as const };
    await server.clientOf().connectors.registerConnector({ body });
    const page = await desk.open({ path: '/connectors' });
    await page.getByText('1 connector is waiting for approval').waitFor();
    await expectAccessible(page);
    await page.getByRole('main').getByRole('link', { name: 'announced' }).first().click();
    await page.getByText('This connector registered itself').waitFor();
    expect(await page.getByRole('button', { name: 'Reconnect' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('dialog').getByText(remote.url()).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await page.getByText('announced responded and was approved').waitFor();
    await page.getByText('Remote', { exact: true }).waitFor();
    await page.goto(new URL('/connectors', page.url()).href);
    await page.getByRole('link', { name: 'announced' }).waitFor();
    expect(await page.getByText('waiting for approval').count()).toBe(0);
  });

  it('show their health and that of all their dependencies', async () => {
    const uuid = await add('ailing');
    const store = { status: 'nok', description: 'out of space' } as const;
    remote.health = { status: 'nok', parts: { database: { status: 'nok', parts: { store } }, hsm: { status: 'ok' } } };
    const page = await desk.open({ path: `/connectors/${uuid}` });
    await page.getByRole('button', { name: 'Check health' }).click();
    const [top, below] = ['Connector', 'database'].map((of) =>
      page.getByRole('list', { name: `Dependencies of ${of}` }),
    );
    await expect.poll(() => top?.getByRole('listitem').count()).toBe(3);
    expect(await below?.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(/^store\s+Unhealthy\s+out of space$/),
    ]);
    expect(await top?.getByText('Healthy', { exact: true }).count()).toBe(1);
    await expectAccessible(page);
  });

  it('are queried for their functions again on request', async () => {
    const uuid = await add('asked-again');
    const page = await desk.open({ path: `/connectors/${uuid}` });
    await page.getByRole('button', { name: 'Reconnect' }).waitFor();
    const before = remote.asked.filter((rule) => rule === 'GET /v1').length;
    await page.getByRole('button', { name: 'Reconnect' }).click();
    await page.getByText('asked-again responded. Its functions are up to date.').waitFor();
    expect(remote.asked.filter((rule) => rule === 'GET /v1').length).toBeGreaterThan(before);
  });

  it('in use can be removed only by force, after the objects that use them are listed with links', async () => {
    const uuid = await add('needed');
    await server.client.credentials.createCredential({
      body: { name: 'holds on, tightly', kind: 'Remote', connectorUuid: uuid, attributes: [] },
    });
    const page = await desk.open({ path: `/connectors/${uuid}` });
    await page.getByRole('button', { name: 'Remove' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await dialog.getByText('Still in use').waitFor();
    const link = dialog.getByRole('link', { name: 'holds on, tightly' });
    expect(await link.getAttribute('href')).toMatch(/^\/credentials\//);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Force removal' }).click();
    await page.getByText('needed was removed.').waitFor();
    expect(await names()).not.toContain('needed');
  });

  it('have their kind preselected for an authority created from their page', async () => {
    const uuid = await builtIn('software-authority-legacy');
    const page = await desk.open({ path: `/connectors/${uuid}` });
    await page.getByRole('link', { name: 'New authority for this connector' }).click();
    await page.getByRole('heading', { name: 'New authority', level: 1 }).waitFor();
    expect(await page.getByRole('radio', { name: 'SoftwareCALegacy' }).isChecked()).toBe(true);
    await page.getByRole('textbox', { name: 'Name', exact: true }).waitFor();
    const credentials = await builtIn('common-credentials');
    await page.goto(new URL(`/connectors/${credentials}`, page.url()).href);
    await page.getByText('None. This connector does not offer authorities.').waitFor();
  });
});
