// Tokens, token profiles and keys: created, tested, changed and destroyed on the console pages.
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { createAuthority } from '../e2e/testing/profiles.ts';
import { activate, ACTIVATION_CODE, createKey, createTokenWithProfile } from '../e2e/testing/tokens.ts';
import { expectAccessible } from './testing/accessibility.ts';
import { CHROMIUM, CHROMIUM_NOTE } from './testing/chromium.ts';
import { sharedConsole } from './testing/console.ts';

const dialogOf = (page: Page) => page.getByRole('dialog');

describe.skipIf(CHROMIUM === undefined)(`tokens and keys${CHROMIUM_NOTE}`, () => {
  const desk = sharedConsole();
  const keyOf = async (specification: string, enabled = true) => {
    const { client } = desk.server;
    return createKey(client, await createTokenWithProfile(client), { specification, enabled });
  };

  it('a token is created and activated, and a key is created under its new token profile', async () => {
    const page = await desk.open({ path: '/tokens/new' });
    await page.getByRole('radio', { name: 'Software token' }).check();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Strongroom');
    await page.getByLabel('Activation code', { exact: false }).first().fill(ACTIVATION_CODE);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Strongroom', level: 1 }).waitFor();
    await page.getByText('The keys can be used.').waitFor();
    await page.getByRole('button', { name: 'Deactivate' }).click();
    await dialogOf(page).getByText('such as authorities, stop working', { exact: false }).waitFor();
    await dialogOf(page).getByRole('button', { name: 'Deactivate' }).click();
    await page.getByRole('button', { name: 'Activate', exact: true }).click();
    await dialogOf(page).getByLabel('Activation code', { exact: false }).fill('not the code');
    await dialogOf(page).getByRole('button', { name: 'Activate' }).click();
    await dialogOf(page).getByRole('alert').waitFor();
    await dialogOf(page).getByLabel('Activation code', { exact: false }).fill(ACTIVATION_CODE);
    await dialogOf(page).getByRole('button', { name: 'Activate' }).click();
    await page.getByText('The keys can be used.').waitFor();
    await expectAccessible(page);

    await page.getByRole('link', { name: 'New token profile for this token' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Documents');
    await page.getByRole('checkbox', { name: 'Decrypt' }).check();
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('Sign, Verify, Decrypt').waitFor();
    await expectAccessible(page);

    await page.getByRole('link', { name: 'New key', exact: true }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Document signing');
    await page.getByRole('textbox', { name: 'Alias' }).fill('documents');
    await page.getByRole('combobox', { name: 'Algorithm and size' }).click();
    await page.getByRole('option', { name: 'ECDSA P-256' }).click();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Document signing', level: 1 }).waitFor();
    await page.getByText('-----BEGIN PUBLIC KEY-----').waitFor();
    await expectAccessible(page);
  });

  it('a key verifies its own signatures, and detects modified data', async () => {
    const key = await keyOf('P-256');
    const page = await desk.open({ path: `/keys/${key.uuid}` });
    await page.getByRole('textbox', { name: 'Text to sign' }).fill('hello');
    await page.getByRole('button', { name: 'Sign', exact: true }).click();
    const signature = page.getByRole('textbox', { name: 'Signature (Base64)' });
    await expect.poll(() => signature.inputValue()).toMatch(/^[\w+/]{60,}=*$/);
    await page.getByRole('button', { name: 'Verify', exact: true }).click();
    await page.getByText('Signature valid').waitFor();
    await page.getByRole('textbox', { name: 'Text to sign' }).fill('hello!');
    await page.getByRole('button', { name: 'Verify', exact: true }).click();
    await page.getByText('Signature not valid for this data').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'History of the private key' }).click();
    await dialogOf(page).getByText('Signed', { exact: true }).waitFor();
    await expectAccessible(page);
  });

  it('the usages of each half of a key pair can be changed separately', async () => {
    const key = await keyOf('RSA-2048');
    const page = await desk.open({ path: `/keys/${key.uuid}` });
    await page.getByRole('button', { name: 'Change usages of the private key' }).click();
    await dialogOf(page).getByRole('checkbox', { name: 'Sign' }).uncheck();
    expect(await dialogOf(page).getByRole('checkbox', { name: 'Verify' }).count()).toBe(0);
    await dialogOf(page).getByRole('button', { name: 'Save' }).click();
    await page.getByText(`The usages of ${key.name} were saved.`).waitFor();
    const { items } = await desk.server.client.keys.getKey({ params: { uuid: key.uuid } });
    expect(items.find(({ type }) => type === 'Private')?.usage).toEqual(['decrypt']);
    await page.getByRole('heading', { name: 'Sign and verify' }).waitFor({ state: 'detached' });
  });

  it.each([
    ['RSA-2048', 'OAEP'],
    ['AES-256', undefined],
  ])('a %s key is tested by encrypting and decrypting', async (specification, scheme) => {
    const key = await keyOf(specification);
    const page = await desk.open({ path: `/keys/${key.uuid}` });
    await page.getByRole('textbox', { name: 'Text to encrypt' }).fill('Grüße');
    if (scheme) expect(await page.getByRole('combobox', { name: 'Encryption scheme' }).inputValue()).toBe(scheme);
    await page.getByRole('button', { name: 'Encrypt', exact: true }).click();
    await page.getByRole('button', { name: 'Copy ciphertext' }).waitFor();
    await page.getByRole('button', { name: 'Decrypt', exact: true }).click();
    await expect.poll(() => page.getByRole('textbox', { name: 'Plaintext' }).inputValue()).toBe('Grüße');
    await expectAccessible(page);
    await page.getByRole('textbox', { name: 'Ciphertext (Base64)' }).fill('AAAA');
    expect(await page.getByRole('textbox', { name: 'Plaintext' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Decrypt', exact: true }).click();
    await page.getByRole('alert').waitFor();
  });

  it('unsupported operations are not offered', async () => {
    const [signing, encrypting] = [await keyOf('HMAC-SHA-256'), await keyOf('AES-256')];
    const page = await desk.open({ path: `/keys/${signing.uuid}` });
    await page.getByRole('heading', { name: 'Sign and verify' }).waitFor();
    expect(await page.getByRole('heading', { name: 'Encrypt and decrypt' }).count()).toBe(0);
    await page.goto(page.url().replace(signing.uuid, encrypting.uuid));
    await page.getByRole('heading', { name: 'Encrypt and decrypt' }).waitFor();
    expect(await page.getByRole('heading', { name: 'Sign and verify' }).count()).toBe(0);
  });

  it('a saved view of the list keeps its search and its columns', async () => {
    const { client } = desk.server;
    const [name, alias] = [`viewed ${randomUUID()}`, `slot ${randomUUID()}`];
    await createKey(client, await createTokenWithProfile(client), { specification: 'AES-256', name, alias });
    const page = await desk.open({ path: '/keys' });
    await page.getByRole('searchbox', { name: 'Search keys' }).fill(name);
    await page.getByText(`Name in the token: ${alias}`).waitFor();
    await page.getByRole('button', { name: 'Choose columns' }).click();
    await page.getByRole('checkbox', { name: 'Created' }).check();
    await page.getByRole('checkbox', { name: 'Algorithm' }).uncheck();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Save as new view…' }).click();
    await dialogOf(page).getByRole('textbox', { name: 'Name' }).fill('By name');
    await dialogOf(page).getByRole('button', { name: 'Save' }).click();
    await page.getByText('View “By name” was saved.').waitFor();
    await page.goto(new URL('/keys', page.url()).href);
    await page.getByRole('columnheader', { name: 'Algorithm' }).waitFor();
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitemradio', { name: 'By name' }).click();
    await page.getByRole('columnheader', { name: 'Created' }).waitFor();
    expect(await page.getByRole('columnheader', { name: 'Algorithm' }).count()).toBe(0);
    expect(await page.getByRole('searchbox', { name: 'Search keys' }).inputValue()).toBe(name);
  });

  it("the list's filters offer all existing values, even values loaded while the dialog is open", async () => {
    const { client } = desk.server;
    const page = await desk.open({ path: '/keys' });
    const filter = page.getByRole('button', { name: 'Filter', exact: true });
    const field = dialogOf(page).getByRole('combobox', { name: 'Field of filter 1' });
    await filter.click();
    await field.waitFor();
    await dialogOf(page).getByRole('button', { name: 'Cancel' }).click();
    await field.waitFor({ state: 'detached' });
    const uuid = (await createTokenWithProfile(client)).tokenInstanceUuid;
    const { name } = await client.tokens.getTokenInstance({ params: { uuid } });
    // Data loaded minutes ago is shown, and loaded again.
    await page.evaluate('{ const { now } = Date; Date.now = () => now() + 300_000; }');
    const chosen = Promise.withResolvers<void>();
    await page.route('**/api/v1/keys/search', async (route) => {
      await chosen.promise;
      await route.continue();
    });
    await filter.click();
    await field.click();
    await page.getByRole('option', { name: 'Token instance' }).click();
    chosen.resolve();
    await dialogOf(page).getByRole('combobox', { name: 'Value of filter 1' }).fill(name);
    await page.getByRole('option', { name }).click();
    await page.keyboard.press('Escape');
    await dialogOf(page).getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('button', { name: `Edit filter Token instance: ${name}` }).waitFor();
  });

  it("an authority reports that its key's token is deactivated, and links to the token for activation", async () => {
    const { client } = desk.server;
    const path = await createTokenWithProfile(client);
    const key = await createKey(client, path, { specification: 'P-256' });
    const { authorityUuid } = await createAuthority(client, {
      name: `CA ${key.name}`,
      values: { data_tokenKey: key.uuid },
    });
    await client.tokens.deactivateTokenInstance({ params: { uuid: path.tokenInstanceUuid } });
    const page = await desk.open({ path: `/authorities/${authorityUuid}` });
    await page.getByText('Cannot sign').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Activate it' }).click();
    await page.getByRole('button', { name: 'Activate' }).waitFor();
    await activate(client, path.tokenInstanceUuid);
    await page.goto(new URL(`/authorities/${authorityUuid}`, page.url()).href);
    await page.getByText('Token state').waitFor();
    expect(await page.getByText('Cannot sign').count()).toBe(0);
  });

  it('a compromised key can be destroyed and then removed', async () => {
    const key = await keyOf('Ed25519');
    const page = await desk.open({ path: `/keys/${key.uuid}` });
    await page.getByRole('button', { name: 'Mark as compromised' }).click();
    await dialogOf(page).getByRole('button', { name: 'Mark as compromised' }).click();
    await page.getByText('Disclosed, or possibly disclosed').first().waitFor();
    await page.getByRole('button', { name: 'Destroy', exact: true }).click();
    await dialogOf(page).getByText('can never sign or decrypt again', { exact: false }).waitFor();
    await expectAccessible(page);
    await dialogOf(page).getByRole('button', { name: 'Destroy' }).click();
    await page.getByText(`${key.name} was destroyed.`).waitFor();
    expect(await page.getByRole('button', { name: 'Destroy', exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Delete' }).click();
    await dialogOf(page).getByRole('button', { name: 'Delete' }).click();
    await page.getByText(`${key.name} was removed.`).waitFor();
  });

  it('keys can be found by name and field, and disabled in bulk', async () => {
    const { client } = desk.server;
    const path = await createTokenWithProfile(client);
    const mark = randomUUID();
    await createKey(client, path, { specification: 'P-256', name: `first ${mark}` });
    const secret = await createKey(client, path, { specification: 'AES-256', name: `second ${mark}` });
    const page = await desk.open({ path: '/keys' });
    await page.getByRole('searchbox', { name: 'Search keys' }).fill(mark);
    await expect.poll(() => page.getByRole('row').count()).toBe(4);
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await dialogOf(page).getByRole('combobox', { name: 'Field of filter 1' }).click();
    await page.getByRole('option', { name: 'Key type' }).click();
    await dialogOf(page).getByRole('combobox', { name: 'Value of filter 1' }).click();
    await page.getByRole('option', { name: 'Secret key' }).click();
    await page.keyboard.press('Escape');
    await dialogOf(page).getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('button', { name: 'Edit filter Key type: Secret key' }).waitFor();
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    await page.getByRole('checkbox', { name: /^Select second/ }).check();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Disable' }).click();
    await dialogOf(page).getByRole('button', { name: 'Disable' }).click();
    await page.getByText('1 key disabled.').waitFor();
    expect((await client.keys.getKey({ params: { uuid: secret.uuid } })).items[0]?.enabled).toBe(false);
  });

  it('a token imports keys that were created in it by other programs, and cannot be deleted while it has profiles', async () => {
    const { client } = desk.server;
    const { tokenInstanceUuid: uuid } = await createTokenWithProfile(client);
    const { name } = await client.tokens.getTokenInstance({ params: { uuid } });
    const page = await desk.open({ path: `/tokens/${uuid}` });
    await page.getByRole('button', { name: 'Synchronize' }).click();
    await page.getByText(`All keys in ${name} are already known to the platform.`).waitFor();
    await page.getByRole('button', { name: 'Remove' }).click();
    await dialogOf(page).getByText('The token has token profiles').waitFor();
    await dialogOf(page).getByRole('button', { name: 'Remove' }).click();
    await dialogOf(page).getByRole('alert').waitFor();
    await expectAccessible(page);
  });
});
