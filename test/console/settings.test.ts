// Settings: how certificates are validated, what the audit log records, and identity providers.
import { describe, expect, it } from 'vitest';
import { createSampleProvider } from './sample-provider.ts';
import { expectAccessible } from './testing/accessibility.ts';
import { CHROMIUM, CHROMIUM_NOTE } from './testing/chromium.ts';
import { sharedConsole } from './testing/console.ts';

describe.skipIf(CHROMIUM === undefined)(`settings${CHROMIUM_NOTE}`, () => {
  const desk = sharedConsole();

  it('change how certificates are validated', async () => {
    const page = await desk.open({ path: '/settings' });
    await page.getByRole('button', { name: 'Change certificate validation' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Expiring threshold (days before expiry)').fill('45');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('45 days before expiry').waitFor();
    const { certificates } = await desk.server.client.platformSettings.getPlatformSettings();
    expect(certificates?.validation).toEqual({ enabled: true, frequency: 1, expiringThreshold: 45 });
  });

  it('change what the audit log records', async () => {
    const page = await desk.open({ path: '/settings' });
    await page.getByRole('button', { name: 'Change the audit log settings' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Excluded modules' }).fill('Sched');
    await page.getByRole('option', { name: 'Scheduler' }).click();
    await page.keyboard.press('Tab');
    await page.getByRole('option').first().waitFor({ state: 'detached' });
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Scheduler').waitFor();
    const { auditLogs } = await desk.server.client.loggingSettings.getLoggingSettings();
    expect(auditLogs).toMatchObject({ output: 'DATABASE', logAllModules: true, ignoredModules: ['scheduler'] });
  });

  it('keep identity provider secrets unless they are replaced', async () => {
    const name = await createSampleProvider(desk.server.client);
    const page = await desk.open({ path: '/settings' });
    await page.getByRole('link', { name }).click();
    await page.getByText('staff-2026-10').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Client ID' }).fill('signetry-console');
    expect(await page.getByLabel('Client secret').inputValue()).toBe('');
    expect(await page.getByRole('textbox', { name: 'JWK set', exact: true }).inputValue()).toContain('"keys"');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('signetry-console').waitFor();
    const rows = await desk.server.running.platform.database.query<{ kept: boolean }>(
      'SELECT sealed_client_secret IS NOT NULL AS kept FROM oauth2_provider WHERE name = $1',
      [name],
    );
    expect(rows).toEqual([{ kept: true }]);
    await page.getByRole('button', { name: 'Change how users and roles are created' }).click();
    const dialog = page.getByRole('dialog');
    const claim = dialog.getByRole('combobox', { name: 'Roles claim' });
    await claim.fill('realm_access.roles');
    await claim.press('Enter');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('roles, realm_access.roles').waitFor();
    const params = { providerName: name };
    const { claims } = await desk.server.client.identityProviders.getProviderProvisioning({ params });
    expect(claims?.roles).toEqual(['roles', 'realm_access.roles']);
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('None yet. With an identity provider').waitFor();
  });

  it('report what is missing from an identity provider, and keep the entered values', async () => {
    const page = await desk.open({ path: '/settings/identity-providers/new' });
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('corporate');
    await page.getByRole('textbox', { name: 'Issuer URL' }).fill('http://id.corp.example');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('must be an https URL').waitFor();
    await page.getByText('specify the JWK set URL or the JWK set').waitFor();
    expect(await page.getByRole('textbox', { name: 'Issuer URL' }).inputValue()).toBe('http://id.corp.example');
  });
});
