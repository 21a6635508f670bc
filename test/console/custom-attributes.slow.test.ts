// Custom attributes: defined on their own pages, entered in object forms, and changed individually on object pages.
import type { CustomAttributeCreateRequestDto, RequestAttributeDto } from '@signetry/contract';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAccessible } from './testing/accessibility.ts';
import { certificateFor } from './testing/certificates.ts';
import { CHROMIUM, CHROMIUM_NOTE } from './testing/chromium.ts';
import { sharedConsole } from './testing/console.ts';
import { userWith } from './testing/users.ts';

describe.skipIf(CHROMIUM === undefined)(`custom attributes${CHROMIUM_NOTE}`, () => {
  const desk = sharedConsole();

  const choose = async (page: Page, field: string, option: string) => {
    await page.getByRole('combobox', { name: field }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
    await page.keyboard.press('Escape');
  };
  const create = (name: string, facts: Partial<CustomAttributeCreateRequestDto> = {}) =>
    desk.server.client.customAttributes.createCustomAttribute({
      body: { name, label: name, contentType: 'string', resources: ['raProfiles'], ...facts },
    });
  const firstProfile = async () =>
    (await desk.server.client.raProfiles.listRaProfiles())[0] ?? expect.unreachable('there is an RA profile');

  const createCredential = async (name: string, customAttributes: RequestAttributeDto[] = []): Promise<string> => {
    const { connectors, credentials } = desk.server.client;
    const [offering] = await connectors.listConnectors({ query: { functionGroup: 'credentialProvider' } });
    const token = { uuid: crypto.randomUUID(), name: 'token', contentType: 'secret' as const };
    const attributes = [{ ...token, content: [{ data: { secret: 'sample' } }] }];
    const body = { name, kind: 'BearerToken', connectorUuid: offering?.uuid ?? '', attributes, customAttributes };
    return (await credentials.createCredential({ body })).uuid;
  };

  it('are created with a list of choices in order, and edited', async () => {
    const page = await desk.open({ path: '/custom-attributes/new' });
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('environment');
    await page.getByRole('textbox', { name: 'Label' }).fill('Environment');
    await choose(page, 'Object types', 'RA profiles');
    await choose(page, 'Input', 'One choice from a list');
    for (const [at, choice] of ['Test', 'Production'].entries()) {
      await page.getByRole('button', { name: 'Add a value of Choices' }).click();
      await page.getByRole('textbox', { name: `Choices ${at + 1}` }).fill(choice);
    }
    await page.getByRole('button', { name: 'Move Choices 2 up' }).click();
    // While the pointer is on the button, its tooltip is shown outside the page.
    await page.getByRole('textbox', { name: 'Label' }).click();
    await page.getByRole('tooltip').waitFor({ state: 'detached' });
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'environment', level: 1 }).waitFor();
    await page.getByText('Production\nTest').waitFor();
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByRole('button', { name: 'Remove Choices 2' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('environment was saved').waitFor();
    const made = (await desk.server.client.customAttributes.listCustomAttributes({})).find(
      ({ name }) => name === 'environment',
    );
    const detail = await desk.server.client.customAttributes.getCustomAttribute({ params: { uuid: made?.uuid ?? '' } });
    expect(detail).toMatchObject({ list: true, multiSelect: false, resources: ['raProfiles'] });
    expect(detail.content?.map(({ data }) => data)).toEqual(['Production']);
  });

  it('show why the platform rejects a definition', async () => {
    const page = await desk.open({ path: '/custom-attributes/new' });
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('twice');
    await page.getByRole('textbox', { name: 'Label' }).fill('Twice');
    await choose(page, 'Input', 'Multiple values from a list');
    for (const at of [1, 2]) {
      await page.getByRole('button', { name: 'Add a value of Choices' }).click();
      await page.getByRole('textbox', { name: `Choices ${at}` }).fill('same');
    }
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('has a duplicate choice').waitFor();
  });

  it("are required in forms, show errors at their field, and can be viewed and changed on the object's page", async () => {
    const attribute = await create('costCentre', { label: 'Cost centre', required: true, contentType: 'integer' });
    const { uuid, name } = await firstProfile();
    const page = await desk.open({ path: `/ra-profiles/${uuid}/edit` });
    const field = page.getByRole('textbox', { name: 'Cost centre' });
    await field.waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('A value is required.').waitFor();
    await field.fill('many');
    await page.getByText('Enter a whole number.').waitFor();
    await field.fill('4711');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    await page.getByText('4711').waitFor();
    expect(await page.getByRole('button', { name: 'Clear Cost centre' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Edit Cost centre' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit Cost centre' });
    await dialog.getByRole('textbox', { name: 'Cost centre' }).fill('4712');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Cost centre was saved').waitFor();
    await page.getByText('4712').waitFor();
    await desk.server.client.customAttributes.deleteCustomAttribute({ params: { uuid: attribute.uuid } });
  });

  it('can have their values cleared, and show how many objects have a value before they are deleted', async () => {
    const attribute = await create('ticket', { label: 'Ticket' });
    const { uuid } = await firstProfile();
    const valueOf = { resourceName: 'raProfiles', objectUuid: uuid, attributeUuid: attribute.uuid } as const;
    const set = (data: string) =>
      desk.server.client.customAttributes.updateAttributeContentForResource({ params: valueOf, body: [{ data }] });
    await set('T-1');
    const page = await desk.open({ path: `/ra-profiles/${uuid}` });
    await page.getByRole('button', { name: 'Clear Ticket' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Clear' }).click();
    await page.getByText('Ticket was cleared').waitFor();
    await set('T-2');
    await page.goto(new URL(`/custom-attributes/${attribute.uuid}`, page.url()).href);
    await page.getByRole('button', { name: 'Remove' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('One object has a value.').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('ticket was removed').waitFor();
    const profile = await desk.server.client.raProfiles.getRaProfileWithoutAuthority({
      params: { raProfileUuid: uuid },
    });
    expect(profile.customAttributes?.map(({ name }) => name) ?? []).not.toContain('ticket');
  });

  it('are not requested while disabled', async () => {
    const attribute = await create('season', { label: 'Season' });
    const page = await desk.open({ path: `/custom-attributes/${attribute.uuid}` });
    await page.getByRole('button', { name: 'Disable season' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
    await page.getByText('Season is disabled').waitFor();
    await page.getByRole('button', { name: 'Enable season' }).waitFor();
    await page.goto(new URL('/ra-profiles/new', page.url()).href);
    await page.getByRole('textbox', { name: 'Name', exact: true }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Season' }).count()).toBe(0);
  });

  it('are set on a new certificate', async () => {
    const attribute = await create('contact', { label: 'Contact', resources: ['certificates'], required: true });
    const page = await desk.open({ path: '/issue' });
    await page.getByRole('combobox', { name: 'Names' }).fill('custom.example');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Custom attributes' }).waitFor();
    await page.getByRole('button', { name: 'Issue certificate' }).click();
    await page.getByText('A value is required.').waitFor();
    await page.getByRole('textbox', { name: 'Contact' }).fill('ops@example.com');
    await page.getByRole('button', { name: 'Issue certificate' }).click();
    await page.getByText('Save the private key now').waitFor();
    const params = { uuid: attribute.uuid };
    expect(await desk.server.client.customAttributeUse.getCustomAttributeUse({ params })).toEqual({ objects: 1 });
    await desk.server.client.customAttributes.deleteCustomAttribute({ params: { uuid: attribute.uuid } });
  });

  it.each([
    ['connectors', async () => `/connectors/${(await desk.server.client.connectors.listConnectors({}))[0]?.uuid}`],
    ['authorities', async () => `/authorities/${(await desk.server.client.authorities.listAuthorityInstances({}))[0]?.uuid}`],
    ['acmeProfiles', async () => `/acme/${(await desk.server.client.acmeProfiles.listAcmeProfiles({}))[0]?.uuid}?tab=settings`],
    ['credentials', async () => `/credentials/${await createCredential('held')}`],
    ['certificates', async () => `/certificates/${(await desk.server.client.certificates.listCertificates({ body: {} })).certificates[0]?.uuid}`],
  ] as const)('can be set on the pages of %s', async (resource, path) => {
    const attribute = await create(`of-${resource}`, { label: 'Room', resources: [resource] });
    const page = await desk.open({ path: await path() });
    await page.getByRole('button', { name: 'Edit Room' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Room' }).fill('B-204');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('B-204').waitFor();
    const params = { uuid: attribute.uuid };
    expect(await desk.server.client.customAttributeUse.getCustomAttributeUse({ params })).toEqual({ objects: 1 });
    await desk.server.client.customAttributes.deleteCustomAttribute({ params });
  }); // prettier-ignore

  it('keep a secret whose field is left empty, highlight code, and accept files', async () => {
    const secret = await create('pin', { label: 'PIN', contentType: 'secret' });
    const code = await create('config', { label: 'Config', contentType: 'codeblock' });
    const file = await create('contract', { label: 'Contract', contentType: 'file' });
    const { uuid } = await firstProfile();
    const page = await desk.open({ path: `/ra-profiles/${uuid}/edit` });
    await page.getByLabel('PIN', { exact: true }).fill('1234');
    await page.getByRole('textbox', { name: 'Config' }).fill('host: "a" # note');
    await choose(page, 'Language of Config', 'YAML');
    await page
      .getByLabel('Contract', { exact: true })
      .setInputFiles({ name: 'c.txt', mimeType: 'text/plain', buffer: Buffer.alloc(2048, 'x') });
    await page.getByText('c.txt, 2 KiB').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Stored, not shown').waitFor();
    await page.getByText('c.txt, 2 KiB').waitFor();
    await page.locator('[data-kind=comment]', { hasText: '# note' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByRole('button', { name: 'Replace PIN' }).waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Stored, not shown').waitFor();
    for (const each of [secret, code, file])
      await desk.server.client.customAttributes.deleteCustomAttribute({ params: { uuid: each.uuid } });
  });

  it('accept a credential that the user can see, and keep it', async () => {
    const { client } = desk.server;
    const [chosen, other] = [await createCredential('vault-token'), await createCredential('spare-token')];
    await client.credentials.disableCredential({ params: { uuid: other } });
    const page = await desk.open({ path: '/custom-attributes/new' });
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('vault');
    await page.getByRole('textbox', { name: 'Label' }).fill('Vault');
    await choose(page, 'Object types', 'RA profiles');
    await choose(page, 'Content type', 'Credential');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'vault', level: 1 }).waitFor();
    const { uuid } = await firstProfile();
    await page.goto(new URL(`/ra-profiles/${uuid}/edit`, page.url()).href);
    await page.getByRole('combobox', { name: 'Vault' }).click();
    await page.getByRole('option', { name: 'vault-token' }).waitFor();
    expect(await page.getByRole('option', { name: 'spare-token' }).count()).toBe(0);
    await page.getByRole('option', { name: 'vault-token' }).click();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Edit Vault' }).waitFor();
    await page.getByText('vault-token').waitFor();
    const inUse = client.credentials.deleteCredential({ params: { uuid: chosen } });
    await expect(inUse).rejects.toMatchObject({ status: 422 });
    await page.getByRole('button', { name: 'Clear Vault' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Clear' }).click();
    await page.getByText('Vault was cleared').waitFor();
    await client.credentials.deleteCredential({ params: { uuid: chosen } });
    const made = (await client.customAttributes.listCustomAttributes({})).find(({ name }) => name === 'vault');
    await client.customAttributes.deleteCustomAttribute({ params: { uuid: made?.uuid ?? '' } });
  });

  it('that accept a credential explain which permission is missing to users who cannot see any credentials', async () => {
    const attribute = await create('key', { label: 'Key', contentType: 'credential' });
    const { uuid } = await firstProfile();
    await userWith(desk.server, 'without-credentials', [
      ['raProfiles', 'list'],
      ['raProfiles', 'detail'],
      ['raProfiles', 'update'],
      ['authorities', 'list'],
      ['authorities', 'detail'],
      ['attributes', 'list'],
      ['attributes', 'members'],
    ]);
    const page = await desk.open({ path: `/ra-profiles/${uuid}/edit`, as: 'without-credentials' });
    await page.getByText('Changing it requires the list permission on credentials.').waitFor();
    await expectAccessible(page);
    await desk.server.client.customAttributes.deleteCustomAttribute({ params: { uuid: attribute.uuid } });
  });

  it('for credentials are entered in the credential form', async () => {
    const attribute = await create('owner', { label: 'Owner', resources: ['credentials'], required: true });
    const owner = { uuid: attribute.uuid, name: 'owner', contentType: 'string' as const, content: [{ data: 'First' }] };
    const uuid = await createCredential('owned', [owner]);
    const page = await desk.open({ path: `/credentials/${uuid}/edit` });
    await page.getByRole('textbox', { name: 'Owner' }).fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('A value is required.').waitFor();
    await page.getByRole('textbox', { name: 'Owner' }).fill('Ops');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Ops', { exact: true }).waitFor();
    await page.goto(new URL('/credentials/new', page.url()).href);
    await page.getByRole('textbox', { name: 'Owner' }).waitFor();
    await desk.server.client.customAttributes.deleteCustomAttribute({ params: { uuid: attribute.uuid } });
  });

  it("are set on a rekeyed certificate, starting with its predecessor's values", async () => {
    const { client } = desk.server;
    const before = await certificateFor(client, 'rekeyed-with-values.example');
    const attribute = await create('room', { label: 'Room', resources: ['certificates'] });
    const kept = await create('rack', { label: 'Rack', resources: ['certificates'] });
    for (const { uuid } of [attribute, kept])
      await client.customAttributes.updateAttributeContentForResource({
        params: { resourceName: 'certificates', objectUuid: before.uuid, attributeUuid: uuid },
        body: [{ data: 'B-204' }],
      });
    const page = await desk.open({ path: `/certificates/${before.uuid}/rekey` });
    const room = page.getByRole('textbox', { name: 'Room' });
    await expect.poll(() => room.inputValue()).toBe('B-204');
    await room.fill('C-3');
    await page.getByRole('button', { name: 'Rekey certificate' }).click();
    await page.getByText('Save the private key now').waitFor();
    const uuid = /certificates\/([^/]+)\/issued/.exec(page.url())?.[1] ?? '';
    const { customAttributes = [] } = await client.certificates.getCertificate({ params: { uuid } });
    expect(customAttributes.map(({ label, content }) => [label, content?.[0]?.data])).toEqual([
      ['Rack', 'B-204'],
      ['Room', 'C-3'],
    ]);
    for (const each of [attribute, kept])
      await client.customAttributes.deleteCustomAttribute({ params: { uuid: each.uuid } });
  });

  it('cannot be changed by users with read-only permissions', async () => {
    const attribute = await create('readable', { label: 'Readable' });
    const { uuid } = await firstProfile();
    await desk.server.client.customAttributes.updateAttributeContentForResource({
      params: { resourceName: 'raProfiles', objectUuid: uuid, attributeUuid: attribute.uuid },
      body: [{ data: 'seen' }],
    });
    await userWith(desk.server, 'reader', [
      ['raProfiles', 'list'],
      ['raProfiles', 'detail'],
      ['attributes', 'list'],
      ['attributes', 'members'],
    ]);
    const page = await desk.open({ path: `/ra-profiles/${uuid}`, as: 'reader' });
    await page.getByText('seen').waitFor();
    expect(await page.getByRole('button', { name: 'Edit Readable' }).count()).toBe(0);
    await page.goto(new URL('/custom-attributes', page.url()).href);
    await page.getByRole('link', { name: 'readable' }).waitFor();
    expect(await page.getByRole('link', { name: 'New custom attribute' }).count()).toBe(0);
    await desk.server.client.customAttributes.deleteCustomAttribute({ params: { uuid: attribute.uuid } });
  });
});
