// What users see when the platform fails, and that no input is lost.
import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { sharedTestServer } from '@signetry/testkit/platform';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { temporaryFolder } from '../e2e/testing/program.ts';
import { makeRequest } from '../e2e/testing/requests.ts';
import { expectAccessible } from './testing/accessibility.ts';
import { certificateFor } from './testing/certificates.ts';
import { CHROMIUM, CHROMIUM_NOTE } from './testing/chromium.ts';
import { sharedConsole } from './testing/console.ts';

describe.skipIf(CHROMIUM === undefined)(`when the platform fails${CHROMIUM_NOTE}`, () => {
  // Uses its own database server, which the tests stop.
  const directory = join(temporaryFolder(), 'data');
  const desk = sharedConsole(sharedTestServer({ console: true, directory }));

  beforeAll(() => certificateFor(desk.server.client, 'there.example'));

  /** Stops the platform's database server and keeps it from starting until the returned function is called. */
  async function stopDatabase(): Promise<() => Promise<void>> {
    const cluster = join(desk.server.directory, 'database', 'pg');
    const settings = join(cluster, 'postgresql.conf');
    const pid = Number((await readFile(join(cluster, 'postmaster.pid'), 'utf8')).split('\n', 1)[0]);
    await rename(settings, `${settings}.away`);
    process.kill(pid, 'SIGINT');
    const restoreDatabase = async (): Promise<void> => {
      await rename(`${settings}.away`, settings).catch(() => undefined); // Already restored.
      const { database } = desk.server.running.platform;
      await vi.waitFor(() => database.query('SELECT 1'), { timeout: 20_000, interval: 50 });
    };
    onTestFinished(restoreDatabase);
    return restoreDatabase;
  }

  it('the page reports that the database is unavailable, and its retry button works once the database is back', async () => {
    const page = await desk.open();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    const restoreDatabase = await stopDatabase();
    await page.getByRole('link', { name: 'Issue', exact: true }).click();
    const alert = page.getByRole('alert');
    await alert.getByRole('button', { name: 'Try again' }).waitFor();
    expect(await alert.textContent()).not.toMatch(/undefined|\[object|SQL|ECONN|stack/);
    await expectAccessible(page);
    await restoreDatabase();
    await alert.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('combobox', { name: 'RA profile' }).waitFor();
  });

  it('input is kept while the browser is offline, and can be submitted again', async () => {
    const { pem } = await makeRequest({ subject: 'CN=offline.example', dnsNames: ['offline.example'] });
    const page = await desk.open({ path: '/issue' });
    await page.getByText('I have a CSR').click();
    const field = page.getByRole('textbox', { name: 'Certificate signing request' });
    await field.fill(pem);
    await page.getByText('Valid', { exact: true }).waitFor();
    await page.context().setOffline(true);
    const issue = page.getByRole('button', { name: 'Issue certificate' });
    await issue.click();
    await page.getByRole('alert').getByText('The platform cannot be reached').waitFor();
    await expectAccessible(page);
    expect(await field.inputValue()).toBe(pem);
    await page.context().setOffline(false);
    await issue.click();
    await page.getByRole('heading', { name: 'offline.example' }).waitFor();
  });

  it('loaded lists remain visible while the browser is offline', async () => {
    const page = await desk.open();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.getByRole('link', { name: 'Inventory', exact: true }).click();
    await page.getByRole('link', { name: 'there.example' }).waitFor();
    await page.context().setOffline(true);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Inventory' }).click();
    await page.getByRole('link', { name: 'there.example' }).waitFor();
  });
});
