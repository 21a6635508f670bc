// Forms that change as values are entered, and credentials, as users see them.
import { describe, expect, it } from 'vitest';
import { createKey, createTokenWithProfile } from '../e2e/testing/tokens.ts';
import { expectAccessible } from './testing/accessibility.ts';
import { CHROMIUM, CHROMIUM_NOTE } from './testing/chromium.ts';
import { sharedConsole } from './testing/console.ts';

describe.skipIf(CHROMIUM === undefined)(`forms with callbacks${CHROMIUM_NOTE}`, () => {
  const desk = sharedConsole();

  it('show the fields of the selected CA type, and create the CA', async () => {
    const page = await desk.open({ path: '/authorities/new' });
    await page.getByText('Depends on another field that is still empty.').waitFor();
    expect(await page.getByLabel('Subject').count()).toBe(0);
    const kind = page.getByRole('combobox', { name: 'CA type' });
    await kind.click();
    await page.getByRole('option', { name: 'Import' }).click();
    await page.getByText('Key and certificates').waitFor();
    expect(await page.getByLabel('Subject').count()).toBe(0);
    await kind.click();
    await page.getByRole('option', { name: 'New root CA' }).click();
    await page.getByLabel('Subject').fill('CN=Chosen Root');
    expect(await page.getByText('Key and certificates').count()).toBe(0);
    await page.getByLabel('Name', { exact: false }).first().fill('Chosen Root');
    await expectAccessible(page);
    await page.getByRole('button', { name: /^Create/ }).click();
    await page.getByRole('heading', { name: 'Chosen Root', level: 1 }).waitFor();
    await page.getByText('CN=Chosen Root').first().waitFor();
  });

  it('keep the values of an edited object', async () => {
    const { client } = desk.server;
    const [first] = await client.authorities.listAuthorityInstances();
    const text = (name: string, data: string) => ({
      uuid: crypto.randomUUID(),
      name,
      contentType: 'string' as const,
      content: [{ data }],
    });
    const attributes = [text('data_source', 'root'), text('data_subject', 'CN=Kept Root')];
    const connectorUuid = first?.connectorUuid ?? '';
    const body = { name: 'Kept Root', kind: 'SoftwareCA', connectorUuid, attributes };
    const { uuid } = await client.authorities.createAuthorityInstance({ body });
    const page = await desk.open({ path: `/authorities/${uuid}/edit` });
    expect(await page.getByLabel('Subject').inputValue()).toBe('CN=Kept Root');
    await page.getByLabel('CRL validity (hours)', { exact: true }).fill('48');
    await page.getByRole('button', { name: /^Save/ }).click();
    await page.waitForURL(new RegExp(`/authorities/${uuid}$`));
    const kept = await client.authorities.getAuthorityInstance({ params: { uuid } });
    expect(kept.attributes.find(({ name }) => name === 'data_subject')?.content).toEqual([{ data: 'CN=Kept Root' }]);
    expect(kept.attributes.find(({ name }) => name === 'data_crlValidityHours')?.content).toEqual([{ data: 48 }]);
  });

  it('list the token key pairs that can sign for a CA, by name', async () => {
    const { client } = desk.server;
    const key = await createKey(client, await createTokenWithProfile(client), {
      specification: 'P-256',
      name: 'console-ca-key',
    });
    const page = await desk.open({ path: '/authorities/new' });
    await page.getByLabel('Name', { exact: false }).first().fill('Vault Root');
    await page.getByRole('combobox', { name: 'CA type' }).click();
    const choices = page.waitForResponse(
      (response) => response.request().postData()?.includes('data_tokenKey') ?? false,
    );
    await page.getByRole('option', { name: 'New root CA' }).click();
    await choices;
    await page.getByRole('combobox', { name: 'Token key pair' }).click();
    await page.getByRole('option', { name: 'console-ca-key' }).click();
    await expectAccessible(page);
    await page.getByRole('button', { name: /^Create/ }).click();
    await page.getByRole('heading', { name: 'Vault Root', level: 1 }).waitFor();
    await page.getByText('console-ca-key').first().waitFor();
    const { associations } = await client.keys.getKey({ params: { uuid: key.uuid } });
    expect(associations?.map(({ name }) => name)).toEqual(['Vault Root']);
    await page.goto(`${page.url()}/edit`);
    await page.getByLabel('CRL validity (hours)', { exact: true }).fill('12');
    await page.getByRole('button', { name: /^Save/ }).click();
    await page.getByRole('heading', { name: 'Vault Root', level: 1 }).waitFor();
    await page.getByText('console-ca-key').first().waitFor();
  });

  it('keep a credential even though its secret is not shown', async () => {
    const page = await desk.open({ path: '/credentials/new' });
    await page.getByRole('radio', { name: 'BearerToken' }).check();
    await page.getByRole('textbox', { name: 'Token' }).fill('canary-console');
    await page.getByLabel('Name', { exact: false }).first().fill('of the console');
    await page.getByRole('button', { name: /^Create/ }).click();
    await page.getByRole('heading', { name: 'of the console', level: 1 }).waitFor();
    await page.getByText('Stored, not shown').waitFor();
    expect(await page.content()).not.toContain('canary-console');
  });
});
