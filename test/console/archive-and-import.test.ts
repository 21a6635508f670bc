// Archiving and restoring certificates, and importing many.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { certificateMaker } from '../load/import.ts';
import { expectAccessible } from './testing/accessibility.ts';
import { certificateFor } from './testing/certificates.ts';
import { CHROMIUM, CHROMIUM_NOTE } from './testing/chromium.ts';
import { sharedConsole } from './testing/console.ts';

const names = (page: Page) => page.getByRole('table', { name: 'Certificates' }).getByRole('link').allTextContents();

describe.skipIf(CHROMIUM === undefined)(`archive and import pages${CHROMIUM_NOTE}`, () => {
  const desk = sharedConsole();

  it('archive selected certificates, show them on request, and restore them from their pages', async () => {
    const { uuid } = await certificateFor(desk.server.client, 'shelved.archive.example');
    await certificateFor(desk.server.client, 'kept.archive.example');
    const page = await desk.open({ path: '/certificates?text=archive.example' });
    await page.getByRole('checkbox', { name: 'Select shelved.archive.example' }).check();
    await page.getByRole('group', { name: 'Selected certificates' }).getByRole('button', { name: 'Archive' }).click();
    const dialog = page.getByRole('dialog', { name: 'Archive 1 certificate?' });
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Archive' }).click();
    await expect.poll(() => names(page)).toEqual(['kept.archive.example']);
    await page.getByRole('switch', { name: 'Include archived' }).click();
    await expect.poll(() => names(page)).toContain('shelved.archive.example');
    expect(new URL(page.url()).searchParams.get('archived')).toBe('true');
    await page.getByRole('link', { name: 'shelved.archive.example' }).click();
    await page.getByText('This certificate is archived').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Unarchive' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Unarchive' }).click();
    await page.getByRole('button', { name: 'Archive', exact: true }).waitFor();
    const { archived } = await desk.server.client.certificates.getCertificate({ params: { uuid } });
    expect(archived).toBe(false);
  });

  it('import multiple files, and report which certificates were rejected and in which file', async () => {
    const make = await certificateMaker();
    const page = await desk.open({ path: '/certificates' });
    await page.getByRole('button', { name: 'Import certificates' }).click();
    await expectAccessible(page);
    const file = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
    const two = make(2);
    await page
      .getByLabel('Certificate files')
      .setInputFiles([
        file('two.pem', two),
        file('again.pem', two),
        file('broken.pem', `${make(1)}-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n`),
      ]);
    await page.getByText('3 imported, 2 already known, 1 rejected.').waitFor();
    await page.getByText(/^broken\.pem, certificate 2 at character \d+: /).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Close', exact: true }).last().click();
    await expect.poll(() => names(page)).toContain('host1.example.com');
  });
});
