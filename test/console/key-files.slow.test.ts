// A PKCS #12 file is imported into a token, and its certificate is exported with its key again.
import { readFile } from 'node:fs/promises';
import { readKeyStore } from '@signetry/pki/node';
import { describe, expect, it } from 'vitest';
import { FILE_PASSPHRASE, makeKeyFile } from '../e2e/testing/key-files.ts';
import { createImportingToken } from '../e2e/testing/tokens.ts';
import { expectAccessible } from './testing/accessibility.ts';
import { CHROMIUM, CHROMIUM_NOTE } from './testing/chromium.ts';
import { sharedConsole } from './testing/console.ts';

const PASSPHRASE = 'correct horse battery staple';

describe.skipIf(CHROMIUM === undefined)(`files with private keys${CHROMIUM_NOTE}`, () => {
  const desk = sharedConsole();

  it('are imported into a token, and exported with a passphrase', async () => {
    const { client } = desk.server;
    await createImportingToken(client);
    const { content, certificate } = await makeKeyFile(client, { name: 'files.example' });
    const page = await desk.open({ path: '/keys' });
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Import key' }).click();
    await dialog.getByRole('combobox', { name: 'Token profile' }).click();
    await page.getByRole('option').first().click();
    const buffer = Buffer.from(content, 'base64');
    await dialog
      .locator('input[type=file]')
      .setInputFiles({ name: 'web.p12', mimeType: 'application/x-pkcs12', buffer });
    await dialog.getByLabel('Passphrase of the file').fill('wrong');
    await dialog.getByRole('switch', { name: 'Allow export of the private key' }).check();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Import' }).click();
    await dialog.getByText('password is wrong', { exact: false }).waitFor();
    await dialog.getByLabel('Passphrase of the file').fill(FILE_PASSPHRASE);
    await dialog.getByRole('button', { name: 'Import' }).click();
    await page.getByRole('heading', { name: 'web', level: 1 }).waitFor();
    await page.getByText('Allowed with permission').waitFor();
    await page.getByRole('link', { name: 'files.example' }).click();

    await page.getByRole('button', { name: 'Export with key' }).click();
    const submit = dialog.getByRole('button', { name: 'Export' });
    await dialog.getByLabel(/^Passphrase/).fill('too short');
    expect(await submit.isDisabled()).toBe(true);
    await dialog.getByLabel(/^Passphrase/).fill(PASSPHRASE);
    await dialog.getByLabel(/^Repeat passphrase/).fill(PASSPHRASE);
    await expectAccessible(page);
    const [download] = await Promise.all([page.waitForEvent('download'), submit.click()]);
    expect(download.suggestedFilename()).toBe('files.example.p12');
    const bytes = await readFile(await download.path());
    const { entries } = await readKeyStore(bytes, { type: 'PKCS12', password: PASSPHRASE });
    expect(entries[0]?.key).toBeDefined();
    expect(Buffer.from(entries[0]?.chain[0] ?? []).equals(certificate.der)).toBe(true);
  });
});
