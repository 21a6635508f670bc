// What users see right after they have started the platform.
import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { expectAccessible } from './testing/accessibility.ts';
import { CHROMIUM, CHROMIUM_NOTE } from './testing/chromium.ts';
import { sharedConsole } from './testing/console.ts';
import { saveByClick } from './testing/downloads.ts';

describe.skipIf(CHROMIUM === undefined)(`first steps${CHROMIUM_NOTE}`, () => {
  const desk = sharedConsole();

  it('explain why and where to install the root certificate, and offer it for download', async () => {
    const page = await desk.open();
    const step = page.getByRole('listitem').filter({ hasText: 'Trust the root' });
    await step.getByText('update-ca-certificates').waitFor();
    await expectAccessible(page);
    const file = await saveByClick(page, step.getByRole('link', { name: 'Download the root (PEM)' }));
    expect(file.name).toBe('signetry-root-ca.pem');
    const root = new X509Certificate(file.text);
    expect(root.ca).toBe(true);
    expect(root.verify(root.publicKey)).toBe(true);
  });

  it('explain why keys cannot be generated at a URL for which browsers provide no cryptography', async () => {
    const page = await desk.open();
    await page.addInitScript('Object.defineProperty(globalThis, "isSecureContext", { value: false })');
    await page.goto(`${desk.server.ready.http}/issue`);
    await page.getByRole('textbox', { name: 'Certificate signing request' }).waitFor();
    await page.getByText('Generate a key').click();
    await page.getByText('Key generation requires HTTPS').waitFor();
    expect(await page.getByRole('button', { name: 'Issue certificate' }).isDisabled()).toBe(true);
    await expectAccessible(page);
  });
});
