// Targets with their locations: certificates are issued, pushed, renewed and removed there, and the pages show the
// result of each.
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { sharedTestServer } from '@signetry/testkit/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  addLocation,
  createSampleLocations,
  issueIn,
  startFileServer,
  type FileServer,
  type LocationSamples,
} from './sample-locations.ts';
import { expectAccessible } from './testing/accessibility.ts';
import { CHROMIUM, CHROMIUM_NOTE } from './testing/chromium.ts';
import { sharedConsole } from './testing/console.ts';
import { userWith } from './testing/users.ts';

describe.skipIf(CHROMIUM === undefined)(`locations${CHROMIUM_NOTE}`, () => {
  let files: FileServer;
  let samples: LocationSamples;
  const server = sharedTestServer({
    console: true,
    args: async () => {
      files = await startFileServer();
      return [...files.args, '--egress-allowed-hosts=127.0.0.1', '--discovery-networks=127.0.0.0/8'];
    },
  });
  const desk = sharedConsole(server);

  beforeAll(async () => {
    samples = await createSampleLocations(server.client, files);
  });
  afterAll(() => files?.stop());

  const choose = async (page: Page, field: string, option: string) => {
    await page.getByRole('combobox', { name: field }).click();
    await page.getByRole('option', { name: option }).click();
  };
  const fill = (page: Page, field: string, text: string) =>
    page.getByRole('textbox', { name: field, exact: true }).fill(text);
  const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1, exact: true }).waitFor();

  it('a target is added with a location, a certificate is issued to the location, and its endpoint is found to serve it', async () => {
    const page = await desk.open({ path: '/entities' });
    await page.getByRole('link', { name: 'New target' }).click();
    await fill(page, 'Name', 'Server of the blog');
    await page.getByRole('radio', { name: 'PEM files' }).click();
    await choose(page, 'File access', 'On this machine');
    await choose(page, 'Directory', 'web');
    await page.getByRole('button', { name: 'Create' }).click();
    await heading(page, 'Server of the blog');
    await page.getByRole('link', { name: 'New location' }).click();
    await fill(page, 'Name', 'Blog');
    await fill(page, 'Key file', 'blog.key');
    await fill(page, 'Certificate file', 'blog.pem');
    await choose(page, 'Reload command', 'nginx');
    await page.getByRole('button', { name: 'Create' }).click();
    await heading(page, 'Blog');
    await page.getByText('No certificate installed').waitFor();
    await page.getByRole('link', { name: 'Issue a certificate in this location' }).click();
    await fill(page, 'Subject', 'CN=blog.example');
    await fill(page, 'DNS names', 'blog.example');
    await choose(page, 'Key algorithm', 'P-256');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Issue certificate' }).click();
    await heading(page, 'Blog');
    await page.getByText('Installed', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Set endpoint' }).click();
    await fill(page, 'Host', '127.0.0.1');
    await fill(page, 'Port', String(files.port));
    await fill(page, 'Server name (SNI)', 'blog.example');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Check now' }).click();
    await page.getByText('The endpoint serves the installed certificate').waitFor();
    await page.getByText('Served', { exact: true }).waitFor();
    await expectAccessible(page);
  });

  it('a certificate is renewed in its location, and the new one is then served', async () => {
    const page = await desk.open({ path: samples.served });
    const before = await page.getByText(/^Serial number /).innerText();
    await page.getByRole('button', { name: 'Renew shop.example here' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Renew' }).click();
    await page.getByText('was renewed in Shop', { exact: false }).waitFor();
    await page.getByText('Served by the endpoint since').waitFor();
    const serials = page.getByText(/^Serial number /);
    await expect.poll(() => serials.count()).toBe(1);
    expect(await serials.innerText()).not.toBe(before);
  });

  it('the page shows why a certificate is not served or could not be installed', async () => {
    const page = await desk.open({ path: samples.notServed });
    await page.getByText('Not served', { exact: true }).waitFor();
    await page.getByText(/serves shop\.example \(serial number/).waitFor();
    await expectAccessible(page);
    await page.goto(`${server.ready.http}${samples.failed}`);
    await page.getByText('Not installed', { exact: true }).waitFor();
    await page
      .getByText(/unknown directive ssl_sertificate/)
      .first()
      .waitFor();
    // A failed certificate does not occupy the location.
    await page.getByRole('link', { name: 'Issue a certificate in this location' }).waitFor();
    await expectAccessible(page);
  });

  it('the certificate page shows its locations and offers a push, with an error if the push is rejected', async () => {
    const { client } = server;
    const locationUuid = await addLocation(client, samples.entity, { name: 'Archive', file: 'archive' });
    const certificate = await issueIn(client, { entityUuid: samples.entity, locationUuid }, 'archive.example');
    const page = await desk.open({ path: `/certificates/${certificate}` });
    await page.getByRole('link', { name: 'Archive', exact: true }).waitFor();
    await page.getByText('Installed', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Push to a location' }).click();
    await page.getByRole('combobox', { name: 'Location' }).fill('wik');
    await page.getByRole('option', { name: /^Wiki/ }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await heading(page, 'Push a certificate');
    await expect
      .poll(() => page.getByRole('combobox', { name: 'Certificate' }).inputValue())
      .toContain('archive.example');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Push', exact: true }).click();
    await page.getByRole('alert').getByText(/key/).first().waitFor();
    await page.getByRole('link', { name: 'Wiki' }).click();
    await page.getByText('Not installed', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Remove archive.example from here' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No certificate installed').waitFor();
  });

  it('a certificate can be found in the inventory and selected by typing', async () => {
    const page = await desk.open({ path: `${samples.empty}/push` });
    expect(await page.getByRole('button', { name: 'Push', exact: true }).isDisabled()).toBe(true);
    await page.getByRole('combobox', { name: 'Certificate' }).fill('mail.exam');
    await page.getByRole('option', { name: /^mail\.example – until/ }).click();
    expect(await page.getByRole('button', { name: 'Push', exact: true }).isEnabled()).toBe(true);
  });

  it('a location that cannot be read is reported, and the message stays on the page', async () => {
    const { client } = server;
    const locationUuid = await addLocation(client, samples.entity, { name: 'Spoilt', file: 'spoilt' });
    await writeFile(join(files.folder, 'spoilt.pem'), '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n');
    const page = await desk.open({ path: `/entities/${samples.entity}/locations/${locationUuid}` });
    await page.getByRole('button', { name: 'Synchronize' }).click();
    await page.getByText('The location could not be read completely').waitFor();
    await expectAccessible(page);
  });

  it('lists can be searched by name and filtered by field', async () => {
    const page = await desk.open({ path: '/locations' });
    await page
      .getByRole('row', { name: /^Intranet/ })
      .getByText('Disabled')
      .waitFor();
    await page.getByRole('searchbox', { name: 'Search locations' }).fill('wiki');
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    await page.getByRole('searchbox', { name: 'Search locations' }).fill('nowhere');
    await page.getByText('No locations found').waitFor();
    await page.getByRole('button', { name: 'Clear search and filters' }).click();
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await choose(page, 'Field of filter 1', 'Enabled');
    await page.getByRole('dialog').getByText('No', { exact: true }).click();
    await page.getByRole('button', { name: /^Apply/ }).click();
    await page.getByRole('row', { name: /^Intranet/ }).waitFor();
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
  });

  it("the list shows each location's state, and can be filtered by it", async () => {
    const page = await desk.open({ path: '/locations' });
    const rowOf = (name: RegExp) => page.getByRole('row', { name });
    await rowOf(/^Shop/).getByText('Served', { exact: true }).waitFor();
    await rowOf(/^Proxy of the warehouse/)
      .getByText('Not served', { exact: true })
      .waitFor();
    await rowOf(/^Mail/).getByText('Not installed', { exact: true }).waitFor();
    await rowOf(/^Intranet/)
      .getByText('Empty', { exact: true })
      .waitFor();
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await choose(page, 'Field of filter 1', 'State');
    await choose(page, 'Value of filter 1', 'Not served');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Apply/ }).click();
    await page.getByText('State: Not served').waitFor();
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    await rowOf(/^Proxy of the warehouse/).waitFor();
    await expectAccessible(page);
  });

  it('the overview counts locations by state, and every count links to the corresponding list', async () => {
    const page = await desk.open({ path: '/' });
    const panel = page.getByRole('region', { name: 'Locations' });
    const share = panel.getByRole('link', { name: /^Not served 1$/ });
    await share.waitFor();
    await expectAccessible(page);
    const matter = page
      .getByRole('region', { name: 'Needs attention' })
      .getByRole('link', { name: /locations? (is|are) not using/ });
    const [count] = /\d+/.exec(await matter.innerText()) ?? [];
    await matter.click();
    await page.getByText('State: Not installed or Not served or Unreadable').waitFor();
    await expect.poll(() => page.getByRole('row').count()).toBe(Number(count) + 1);
    await page.goBack();
    await share.click();
    await page.getByRole('row', { name: /^Proxy of the warehouse/ }).waitFor();
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
  });

  it('a renewal lists the locations that will change, and installs the new certificate in them', async () => {
    const { client } = server;
    const params = {
      entityUuid: samples.entity,
      locationUuid: await addLocation(client, samples.entity, { name: 'Forum', file: 'forum' }),
    };
    const certificate = await issueIn(client, params, 'forum.example');
    const page = await desk.open({ path: `/certificates/${certificate}` });
    await page.getByRole('button', { name: 'Renew', exact: true }).click();
    const dialog = page.getByRole('dialog');
    const field = dialog.getByRole('checkbox', {
      name: 'Install the new certificate in Forum (Web server of the shop)',
    });
    expect(await field.isChecked()).toBe(false);
    await field.check();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Renew' }).click();
    await page.getByText('forum.example was renewed', { exact: false }).waitFor();
    const listInstalled = async () =>
      (await client.locations.getLocation({ params })).certificates.map((each) => [
        each.certificateUuid,
        each.deployment,
      ]);
    const successor = new URL(page.url()).pathname.split('/').at(-1);
    expect(successor).not.toBe(certificate);
    await expect.poll(listInstalled, { timeout: 15_000 }).toEqual([[successor, 'installed']]);
    await page.goto(`${server.ready.http}/certificates/${successor}/rekey`);
    await page.getByRole('checkbox', { name: /^Install the new certificate in Forum/ }).waitFor();
    await expectAccessible(page);
  });

  it('a certificate that cannot be renewed is replaced by a new certificate issued to its location', async () => {
    const { client } = server;
    const other = await addLocation(client, samples.entity, { name: 'Origin', file: 'origin' });
    await issueIn(client, { entityUuid: samples.entity, locationUuid: other }, 'origin.example');
    // Simulates both files being copied there manually.
    for (const kind of ['key', 'pem'])
      await copyFile(join(files.folder, `origin.${kind}`), join(files.folder, `copied.${kind}`));
    const locationUuid = await addLocation(client, samples.entity, { name: 'Copied', file: 'copied' });
    const page = await desk.open({ path: `/entities/${samples.entity}/locations/${locationUuid}` });
    await page.getByRole('link', { name: 'Issue a certificate in this location' }).click();
    await page.getByText('The new certificate replaces origin.example').waitFor();
    await fill(page, 'Subject', 'CN=copied.example');
    await fill(page, 'DNS names', 'copied.example');
    await choose(page, 'Key algorithm', 'P-256');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Issue certificate' }).click();
    await heading(page, 'Copied');
    await page.getByRole('link', { name: 'copied.example' }).waitFor();
    await expect.poll(() => page.getByText(/^Serial number /).count()).toBe(1);
  });

  it('an entity with locations cannot be removed, but an entity without locations can', async () => {
    const page = await desk.open({ path: `/entities/${samples.entity}` });
    await page.getByRole('link', { name: 'Shop', exact: true }).waitFor();
    await expectAccessible(page);
    const remove = async () => {
      await page.getByRole('button', { name: 'Remove' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    };
    await remove();
    await page.getByRole('dialog').getByText(/Wiki/).waitFor();
    await page.goto(`${server.ready.http}/entities/${samples.emptyEntity}`);
    await remove();
    await heading(page, 'Targets');
  });

  it('a read-only user sees the data but no controls for changing it', async () => {
    await userWith(server, 'looker', [
      ['entities', 'list'],
      ['entities', 'detail'],
      ['locations', 'list'],
      ['locations', 'detail'],
    ]);
    const page = await desk.open({ path: samples.failed, as: 'looker' });
    await page.getByText('Not installed', { exact: true }).waitFor();
    expect(await page.getByRole('main').getByRole('button').count()).toBe(1); // Copies the identifier.
    await page.goto(`${server.ready.http}/locations`);
    await page.getByRole('link', { name: 'Shop', exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'New location' }).count()).toBe(0);
  });

  it('an RA profile shows whether and when its certificates are renewed automatically', async () => {
    const [profile] = await server.client.raProfiles.listRaProfiles();
    const page = await desk.open({ path: `/ra-profiles/${profile?.uuid}` });
    const panel = page.getByRole('region', { name: 'Automatic renewal' });
    await panel.getByText('Manual').first().waitFor();
    await panel.getByRole('button', { name: 'Change automatic renewal' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('switch').click();
    await dialog.getByRole('radio', { name: 'Number of days before expiry' }).click();
    await dialog.getByRole('textbox', { name: 'Days before expiry' }).fill('14');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await panel.getByText('14 days before expiry').waitFor();
    await expectAccessible(page);
  });
});
