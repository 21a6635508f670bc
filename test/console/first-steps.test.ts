// What somebody meets who has just started the platform.
import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { expectAccessible } from './testing/accessibility.ts';
import { CHROMIUM, CHROMIUM_NOTE } from './testing/chromium.ts';
import { sharedConsole } from './testing/console.ts';
import { savedBy } from './testing/downloads.ts';

describe.skipIf(CHROMIUM === undefined)(`first steps${CHROMIUM_NOTE}`, () => {
  const desk = sharedConsole();

  it('say that the root is to be trusted, where it goes, and hand it out', async () => {
    const page = await desk.open();
    const step = page.getByRole('listitem').filter({ hasText: 'Trust the root' });
    await step.getByText('update-ca-certificates').waitFor();
    await expectAccessible(page);
    const file = await savedBy(page, step.getByRole('link', { name: 'Download the root (PEM)' }));
    expect(file.name).toBe('signetry-root-ca.pem');
    const root = new X509Certificate(file.text);
    expect(root.ca).toBe(true);
    expect(root.verify(root.publicKey)).toBe(true);
  });

  it('make no key at an address where browsers have no cryptography, and say why', async () => {
    const page = await desk.open();
    await page.addInitScript('Object.defineProperty(globalThis, "isSecureContext", { value: false })');
    await page.goto(`${desk.server.ready.http}/issue`);
    await page.getByRole('textbox', { name: 'Certificate signing request' }).waitFor();
    await page.getByText('Generate a key').click();
    await page.getByText('This browser cannot generate keys at this address').waitFor();
    expect(await page.getByRole('button', { name: 'Issue the certificate' }).isDisabled()).toBe(true);
    await expectAccessible(page);
  });
});
