// Certificates that fail validation: the reason, and the remedy.
import { generateKeyPair } from '@signetry/pki/node';
import type { Client } from '@signetry/client';
import { describe, expect, it } from 'vitest';
import { createExternalAuthority } from '../e2e/testing/external-authority.ts';
import { expectAccessible } from './testing/accessibility.ts';
import { CHROMIUM, CHROMIUM_NOTE } from './testing/chromium.ts';
import { sharedConsole } from './testing/console.ts';

const DAY_MS = 86_400_000;

async function upload(client: Client, der: Uint8Array): Promise<string> {
  const body = { certificate: Buffer.from(der).toString('base64'), customAttributes: [] };
  return (await client.certificates.uploadCertificate({ body })).uuid;
}

describe.skipIf(CHROMIUM === undefined)(`a certificate that fails validation${CHROMIUM_NOTE}`, () => {
  const desk = sharedConsole();

  it('only because its root is not trusted is not shown as invalid, and passes once the root is trusted', async () => {
    const { client } = desk.server;
    const authority = await createExternalAuthority('CN=Elsewhere Root');
    await upload(client, authority.der);
    const { spki } = await generateKeyPair('P-256');
    const uuid = await upload(
      client,
      authority.issue({ subject: 'CN=imported.example', spki, notAfterMs: Date.now() + 90 * DAY_MS }),
    );
    const list = await desk.open({ path: '/certificates?text=imported.example' });
    await list.getByRole('table').getByText('Untrusted root').waitFor();
    const page = await desk.open({ path: `/certificates/${uuid}` });
    const validation = page.getByRole('region', { name: 'Validation' });
    await validation.getByText('the root is not marked as trusted on this platform').waitFor();
    const checks = validation.getByRole('list', { name: 'Checks of each certificate in the chain' });
    await checks.getByText('Signature verified.').first().waitFor();
    await checks.getByText('The root is not marked as a trusted CA.').first().waitFor();
    await checks.getByRole('link', { name: 'Elsewhere Root' }).waitFor();
    expect(await page.getByText('Invalid', { exact: true }).count()).toBe(0);
    await expectAccessible(page);
    await validation.getByRole('button', { name: 'Trust this root' }).click();
    const dialog = page.getByRole('dialog', { name: 'Trust Elsewhere Root?' });
    await dialog.waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Trust this root' }).click();
    await page.getByRole('status').getByText('Elsewhere Root is now trusted.').waitFor();
    await validation.getByText('Untrusted root').first().waitFor({ state: 'detached' });
    await page.reload();
    await validation.getByRole('button', { name: 'Validate now' }).click();
    const issuer = checks.getByRole('button', { name: 'Checks of Elsewhere Root' });
    await checks.getByText('Checks: 5 passed, 2 skipped').waitFor();
    expect(await checks.getByText('The root is marked as a trusted CA.').isVisible()).toBe(false);
    await checks.getByText('TLS server, TLS client').first().waitFor();
    await issuer.focus();
    await page.keyboard.press('Enter');
    await checks.getByText('The root is marked as a trusted CA.').waitFor();
    expect(await issuer.getAttribute('aria-expanded')).toBe('true');
    await expectAccessible(page);
    expect((await client.certificates.getCertificate({ params: { uuid } })).validationStatus).toBe('valid');
  });

  it('because of an incorrect signature shows the reason and the next step', async () => {
    const { client } = desk.server;
    const authority = await createExternalAuthority('CN=Forged Root');
    await upload(client, authority.der);
    const { spki } = await generateKeyPair('P-256');
    const forger = await createExternalAuthority('CN=Forged Root');
    const uuid = await upload(client, forger.issue({ subject: 'CN=forged.example', spki }));
    const page = await desk.open({ path: `/certificates/${uuid}` });
    const validation = page.getByRole('region', { name: 'Validation' });
    await validation.getByText('it only claims this issuer').waitFor();
    await page.getByText('Invalid', { exact: true }).first().waitFor();
    expect(await validation.getByRole('button', { name: 'Trust this root' }).count()).toBe(0);
    await expectAccessible(page);
  });
});
