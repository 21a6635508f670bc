// Servers and stores with their locations: certificates are issued, pushed, renewed and removed where they are, and the
// pages say what became of each.
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

  it('a server is added with a place for a certificate, which is issued there and seen to be served', async () => {
    const page = await desk.open({ path: '/entities' });
    await page.getByRole('link', { name: 'New entity' }).click();
    await fill(page, 'Name', 'Server of the blog');
    await page.getByRole('radio', { name: 'Files in PEM' }).click();
    await choose(page, 'Where the files are', 'On this machine');
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
    await page.getByText('Nothing is installed here').waitFor();
    await page.getByRole('link', { name: 'Issue a certificate in this location' }).click();
    await fill(page, 'Subject', 'CN=blog.example');
    await fill(page, 'DNS names', 'blog.example');
    await choose(page, 'Key algorithm', 'P-256');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Issue the certificate' }).click();
    await heading(page, 'Blog');
    await page.getByText('Installed', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Name an endpoint' }).click();
    await fill(page, 'Host', '127.0.0.1');
    await fill(page, 'Port', String(files.port));
    await fill(page, 'Name asked for', 'blog.example');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Look now' }).click();
    await page.getByText('It serves what is installed here').waitFor();
    await page.getByText('Served', { exact: true }).waitFor();
    await expectAccessible(page);
  });

  it('a certificate is renewed where it is, until the new one is served', async () => {
    const page = await desk.open({ path: samples.served });
    const before = await page.getByText(/^Serial number /).innerText();
    await page.getByRole('button', { name: 'Renew shop.example here' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Renew' }).click();
    await page.getByText('was renewed in Shop', { exact: false }).waitFor();
    await page.getByText('The endpoint has served it since').waitFor();
    const serials = page.getByText(/^Serial number /);
    await expect.poll(() => serials.count()).toBe(1);
    expect(await serials.innerText()).not.toBe(before);
  });

  it('it is said why a certificate is not served, or did not get there', async () => {
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
    // What failed takes no room.
    await page.getByRole('link', { name: 'Issue a certificate in this location' }).waitFor();
    await expectAccessible(page);
  });

  it('the page of a certificate says where it is, and leads to pushing it, whose refusal is told', async () => {
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
    await page.getByText('Nothing is installed here').waitFor();
  });

  it('a certificate that is chosen by typing is found in the inventory', async () => {
    const page = await desk.open({ path: `${samples.empty}/push` });
    expect(await page.getByRole('button', { name: 'Push', exact: true }).isDisabled()).toBe(true);
    await page.getByRole('combobox', { name: 'Certificate' }).fill('mail.exam');
    await page.getByRole('option', { name: /^mail\.example – until/ }).click();
    expect(await page.getByRole('button', { name: 'Push', exact: true }).isEnabled()).toBe(true);
  });

  it('reading what cannot be read is told, and stays on the page', async () => {
    const { client } = server;
    const locationUuid = await addLocation(client, samples.entity, { name: 'Spoilt', file: 'spoilt' });
    await writeFile(join(files.folder, 'spoilt.pem'), '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n');
    const page = await desk.open({ path: `/entities/${samples.entity}/locations/${locationUuid}` });
    await page.getByRole('button', { name: 'Synchronize' }).click();
    await page.getByText('The last reading had a problem').waitFor();
    await expectAccessible(page);
  });

  it('lists are searched by name and filtered by fields', async () => {
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

  it('the list tells the state of each location, and is filtered by it', async () => {
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

  it('the overview counts locations by their state, and every number leads to its list', async () => {
    const page = await desk.open({ path: '/' });
    const panel = page.getByRole('region', { name: 'Locations' });
    const share = panel.getByRole('link', { name: /^Not served 1$/ });
    await share.waitFor();
    await expectAccessible(page);
    const matter = page.getByRole('region', { name: 'Needs attention' }).getByRole('link', { name: /locations? do/ });
    const [count] = /\d+/.exec(await matter.innerText()) ?? [];
    await matter.click();
    await page.getByText('State: Not installed or Not served or Not readable').waitFor();
    await expect.poll(() => page.getByRole('row').count()).toBe(Number(count) + 1);
    await page.goBack();
    await share.click();
    await page.getByRole('row', { name: /^Proxy of the warehouse/ }).waitFor();
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
  });

  it('a renewal says which locations would change, and puts the new certificate there', async () => {
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
      name: 'Put the new certificate in its place in Forum (Web server of the shop)',
    });
    expect(await field.isChecked()).toBe(false);
    await field.check();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Renew' }).click();
    await page.getByText('forum.example was renewed', { exact: false }).waitFor();
    const installed = async () =>
      (await client.locations.getLocation({ params })).certificates.map((each) => [
        each.certificateUuid,
        each.deployment,
      ]);
    const successor = new URL(page.url()).pathname.split('/').at(-1);
    expect(successor).not.toBe(certificate);
    await expect.poll(installed, { timeout: 15_000 }).toEqual([[successor, 'installed']]);
    await page.goto(`${server.ready.http}/certificates/${successor}/rekey`);
    await page.getByRole('checkbox', { name: /^Put the new certificate in its place in Forum/ }).waitFor();
    await expectAccessible(page);
  });

  it('a certificate that nobody knows how to renew gives way to one that is issued in its place', async () => {
    const { client } = server;
    const other = await addLocation(client, samples.entity, { name: 'Origin', file: 'origin' });
    await issueIn(client, { entityUuid: samples.entity, locationUuid: other }, 'origin.example');
    // As if somebody had put both files there by hand.
    for (const kind of ['key', 'pem'])
      await copyFile(join(files.folder, `origin.${kind}`), join(files.folder, `copied.${kind}`));
    const locationUuid = await addLocation(client, samples.entity, { name: 'Copied', file: 'copied' });
    const page = await desk.open({ path: `/entities/${samples.entity}/locations/${locationUuid}` });
    await page.getByRole('link', { name: 'Issue a certificate in this location' }).click();
    await page.getByText('The new certificate takes the place of origin.example').waitFor();
    await fill(page, 'Subject', 'CN=copied.example');
    await fill(page, 'DNS names', 'copied.example');
    await choose(page, 'Key algorithm', 'P-256');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Issue the certificate' }).click();
    await heading(page, 'Copied');
    await page.getByRole('link', { name: 'copied.example' }).waitFor();
    await expect.poll(() => page.getByText(/^Serial number /).count()).toBe(1);
  });

  it('an entity with locations is kept, and one without is removed', async () => {
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
    await heading(page, 'Servers and stores');
  });

  it('who may only look sees what is there, without what changes it', async () => {
    await userWith(server, 'looker', [
      ['entities', 'list'],
      ['entities', 'detail'],
      ['locations', 'list'],
      ['locations', 'detail'],
    ]);
    const page = await desk.open({ path: samples.failed, as: 'looker' });
    await page.getByText('Not installed', { exact: true }).waitFor();
    expect(await page.getByRole('main').getByRole('button').count()).toBe(1); // copies the identifier
    await page.goto(`${server.ready.http}/locations`);
    await page.getByRole('link', { name: 'Shop', exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'New location' }).count()).toBe(0);
  });

  it('an RA profile says that its certificates are renewed automatically, and from when', async () => {
    const [profile] = await server.client.raProfiles.listRaProfiles();
    const page = await desk.open({ path: `/ra-profiles/${profile?.uuid}` });
    const panel = page.getByRole('region', { name: 'Automatic renewal' });
    await panel.getByText('Renewed by hand').first().waitFor();
    await panel.getByRole('button', { name: 'Change how certificates are renewed' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('switch').click();
    await dialog.getByRole('radio', { name: 'A number of days before they expire' }).click();
    await dialog.getByRole('textbox', { name: 'Days before expiry' }).fill('14');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await panel.getByText('14 days before they expire').waitFor();
    await expectAccessible(page);
  });
});
