// Pages of CMP, SCEP and EST: profiles, commands to test them, secrets that are shown once, requests and failures.
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeScepCertificate } from '../e2e/testing/scep-profiles.ts';
import { defaultProfile, type IssuingPath } from '../e2e/testing/profiles.ts';
import { expectAccessible } from './testing/accessibility.ts';
import { CHROMIUM, CHROMIUM_NOTE } from './testing/chromium.ts';
import { sharedConsole } from './testing/console.ts';
import { userWith } from './testing/users.ts';

describe.skipIf(CHROMIUM === undefined)(`the CMP, SCEP and EST pages${CHROMIUM_NOTE}`, () => {
  const desk = sharedConsole();
  let path: IssuingPath;

  beforeAll(async () => {
    path = await defaultProfile(desk.server.client);
  });

  const addCmp = async (settings: object = {}) => {
    const { client } = desk.server;
    const name = `cmp-${randomUUID().slice(0, 8)}`;
    const { uuid, cmpUrl = '' } = await client.cmpProfiles.createCmpProfile({
      body: {
        name,
        variant: 'v2',
        raProfileUuid: path.raProfileUuid,
        requestProtectionMethod: 'sharedSecret',
        responseProtectionMethod: 'sharedSecret',
        sharedSecret: 'a secret of the factory',
        ...settings,
      },
    });
    await client.cmpProfiles.enableCmpProfile({ params: { cmpProfileUuid: uuid } });
    return { uuid, name, url: cmpUrl };
  };

  it('create a CMP profile, and never show its secret again', async () => {
    const page = await desk.open({ path: '/cmp/new' });
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('devices');
    await page.getByRole('combobox', { name: 'RA profile' }).click();
    await page.getByRole('option').first().click();
    await page.getByLabel('Shared secret', { exact: true }).fill('correct horse battery staple');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('Serving clients').waitFor();
    await page
      .getByText(/protocols\/cmp\/devices/)
      .first()
      .waitFor();
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByRole('region', { name: 'Protection' }).waitFor();
    await expectAccessible(page);
    expect(await page.content()).not.toContain('correct horse');
  });

  it('reject a short secret, and generate a random one', async () => {
    const { uuid } = await addCmp({ sharedSecret: 'short' });
    const page = await desk.open({ path: `/cmp/${uuid}?tab=settings` });
    await page.getByText('Weak secret').waitFor();
    await page.getByRole('link', { name: 'Edit' }).click();
    const field = page.getByLabel('Shared secret', { exact: true });
    await field.fill('fifteen letters');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/at least 16 bytes; generate a random one/).waitFor();
    await page.getByRole('button', { name: 'Generate' }).click();
    expect(await field.inputValue()).toMatch(/^\w{32}$/);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Serving clients').waitFor();
    expect(await page.getByText('Weak secret').count()).toBe(0);
  });

  it('create a SCEP profile with its RA certificate in one form', async () => {
    const page = await desk.open({ path: '/scep/new' });
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('phones');
    await page.getByRole('combobox', { name: 'RA profile' }).click();
    await page.getByRole('option', { name: 'default' }).first().click();
    await page.getByRole('button', { name: 'Create certificate' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await dialog.getByText(/stays active across restarts/).waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'I have copied it' }).click();
    const choice = page.getByRole('combobox', { name: 'SCEP RA certificate' });
    expect(await choice.inputValue()).toMatch(/^SCEP RA \(serial number /);
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText('Serving clients').waitFor();
  });

  it('create and edit a SCEP profile', async () => {
    await makeScepCertificate(desk.server.client, path);
    const page = await desk.open({ path: '/scep/new' });
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('routers');
    await page.getByRole('combobox', { name: 'RA profile' }).click();
    await page.getByRole('option').first().click();
    await page.getByRole('combobox', { name: 'SCEP RA certificate' }).click();
    await page
      .getByRole('option', { name: /scep\.example/ })
      .first()
      .click();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText('Serving clients').waitFor();
    for (const client of ['sscep', 'scepclient', 'strongSwan', 'Cisco IOS', 'Juniper Junos', 'MikroTik']) {
      await page.getByRole('button', { name: client, exact: true }).click();
      await page
        .getByText(/protocols\/scep\/routers/)
        .nth(1)
        .waitFor();
    }
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByLabel('Challenge password', { exact: true }).fill('a challenge of the office');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('set (never shown)').waitFor();
    expect(await page.content()).not.toContain('a challenge of');
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByRole('switch', { name: 'Validate requests with Intune' }).check({ force: true });
    await page.getByRole('textbox', { name: 'Tenant' }).fill('contoso.example');
    await page.getByRole('textbox', { name: 'Application ID' }).fill('app-7');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/Required if Microsoft Intune validates requests/).waitFor();
    await page.getByLabel('Application key', { exact: true }).fill('a key of the tenant');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('application app-7, tenant contoso.example').waitFor();
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByText('A secret is set but never shown; leave empty to keep it.').waitFor();
    expect(await page.content()).not.toContain('a key of the tenant');
  });

  it('create an EST profile with a user, and keep the passwords of its users', async () => {
    const { client } = desk.server;
    const page = await desk.open({ path: '/est/new' });
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('switches');
    await page.getByRole('combobox', { name: 'RA profile' }).click();
    await page.getByRole('option').first().click();
    await page.getByRole('button', { name: 'Add user' }).click();
    await page.getByRole('textbox', { name: 'Username' }).fill('device');
    await page.getByLabel('Password', { exact: true }).fill('short');
    await page.getByRole('button', { name: 'Create' }).click();
    await page
      .getByText(/at least 12 characters/)
      .first()
      .waitFor();
    await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('Serving clients').waitFor();
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByRole('switch', { name: 'Renewals keep subject and SANs' }).uncheck({ force: true });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('can change').waitFor();
    const [listed] = await client.estProfiles.listEstProfiles();
    const params = { estProfileUuid: listed?.uuid ?? '' };
    expect(await client.estProfiles.getEstProfile({ params })).toMatchObject({
      renewalsKeepNames: false,
      users: [{ username: 'device' }],
    });
  });

  it('list profiles that do not bind names as needing attention until they are configured', async () => {
    const { client, running } = desk.server;
    const { uuid, name } = await addCmp();
    await running.platform.database.query('UPDATE cmp_profile SET bind_names = NULL WHERE uuid = $1', [uuid]);
    const page = await desk.open({ path: '/' });
    const attention = page.getByRole('region', { name: 'Needs attention' });
    await attention.getByRole('link', { name: /1 CMP profile does not bind names to certificates/ }).click();
    await page.getByRole('row', { name }).getByText('Names not bound').waitFor();
    await expectAccessible(page);
    await page.goto(`${desk.server.ready.http}/cmp/${uuid}?tab=settings`);
    await page.getByText('Not bound. Choose in the settings.').waitFor();
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Description' }).fill('nobody decides yet');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('nobody decides yet').waitFor();
    const read = () => client.cmpProfiles.getCmpProfile({ params: { cmpProfileUuid: uuid } });
    expect((await read()).bindNames).toBeUndefined();
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByRole('combobox', { name: 'Names' }).click();
    await page.getByRole('option', { name: 'Any allowed by the RA profile' }).click();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('any allowed by the RA profile').waitFor();
    expect((await read()).bindNames).toBe(false);
    await page.goto(`${desk.server.ready.http}/`, { waitUntil: 'networkidle' });
    await attention.waitFor();
    expect(await attention.getByText(/not bind names/).count()).toBe(0);
  });

  it('create a one-time secret, show it only once, and withdraw it', async () => {
    const profile = await addCmp();
    const page = await desk.open({ path: `/cmp/${profile.uuid}?tab=secrets` });
    await page.getByRole('button', { name: 'Create one-time secret' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Subject' }).fill('CN=device-1.example');
    for (const [label, name] of [
      ['DNS names', 'device-1.example'],
      ['IP addresses', '192.0.2.7'],
      ['Email addresses', 'a@device.example'],
    ] as const)
      // prettier-ignore
      await dialog.getByRole('combobox', { name: label }).fill(name);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByText('Copy the one-time secret now').waitFor();
    await expectAccessible(page);
    const secret = await dialog.getByLabel('Secret', { exact: true }).innerText();
    const reference = await dialog.getByLabel('Reference', { exact: true }).innerText();
    expect(secret).toMatch(/^\w{32}$/);
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'I have copied it' }).click();
    await dialog.waitFor({ state: 'hidden' });
    const table = page.getByRole('table', { name: 'One-time secrets' });
    await table.getByText(reference).waitFor();
    await table.getByText('for CN=device-1.example, device-1.example, 192.0.2.7, a@device.example').waitFor();
    expect(await page.content()).not.toContain(secret);
    expect(page.url()).not.toContain(secret);
    await expectAccessible(page);
    await page.getByRole('button', { name: `Withdraw ${reference}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
    await table.getByText('Withdrawn', { exact: true }).waitFor();
  });

  it('edit, store and show the CSR contents required of EST clients, one per line', async () => {
    const { client } = desk.server;
    const name = `est-${randomUUID().slice(0, 8)}`;
    const { uuid } = await client.estProfiles.createEstProfile({
      body: { name, raProfileUuid: path.raProfileUuid },
    });
    const page = await desk.open({ path: `/est/${uuid}/edit` });
    const type = async (label: string, text: string) => {
      const field = page.getByRole('combobox', { name: label, exact: true });
      await field.fill(text);
      await field.press('Enter');
    };
    await type('Requested subject', 'O=Example, Ltd.');
    await type('Extensions with fixed values', 'critical:2.5.29.15=AwIDiA==');
    await page.getByRole('switch', { name: 'Include CSR template (RFC 9908)' }).click();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByText('2.5.29.15, critical, with a value').waitFor();
    await page.getByText('O=Example, Ltd.').waitFor();
    await expectAccessible(page);
    const { requestedAttributes } = await client.estProfiles.getEstProfile({ params: { estProfileUuid: uuid } });
    expect(requestedAttributes).toMatchObject({
      subject: [{ type: 'O', value: 'Example, Ltd.' }],
      extensionValues: [{ oid: '2.5.29.15', critical: true, value: 'AwIDiA==' }],
      template: true,
    });
  });

  it('are not wider than a phone, even with long unbroken text', async () => {
    const name = `a-${'W'.repeat(120)}`;
    const { uuid } = await desk.server.client.estProfiles.createEstProfile({
      body: { name, description: 'o'.repeat(400), raProfileUuid: path.raProfileUuid },
    });
    const page = await desk.open({ path: `/est/${uuid}` });
    await page.setViewportSize({ width: 360, height: 780 });
    for (const at of [`/est/${uuid}`, `/est/${uuid}?tab=settings`, `/est/${uuid}/edit`, '/est']) {
      await page.goto(`${desk.server.ready.http}${at}`, { waitUntil: 'networkidle' });
      expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth'), at).toBe(0);
    }
  });

  it('explain a rejected request, and find it by its state', async () => {
    const { enrollments } = desk.server.running.areas;
    const { uuid, name } = await addCmp();
    const profile = { uuid, name };
    await enrollments.recordRejection({
      protocol: 'cmp',
      profile: {
        ...profile,
        raProfile: { uuid: path.raProfileUuid, name: 'default', enabled: true, authorityUuid: path.authorityUuid },
      },
      transactionId: randomUUID(),
      kind: 'ir',
      requester: 'device-7',
      problem: 'The MAC of the message is wrong.',
      address: '192.0.2.9',
    });
    const page = await desk.open({ path: `/cmp/${uuid}?tab=requests` });
    await page.getByText('The MAC of the message is wrong.').waitFor();
    await page.getByText('192.0.2.9').waitFor();
    await expectAccessible(page);
    await page.goto(`${desk.server.ready.http}/enrollments?protocol=est`);
    await page.getByText('No matching requests').waitFor();
    await page.getByRole('button', { name: 'Show all requests' }).click();
    await page.getByRole('table', { name: 'Enrollment requests' }).getByText('Rejected', { exact: true }).waitFor();
    await expectAccessible(page);
  });

  it('activate a protocol for an RA profile, and deactivate it', async () => {
    const { name } = await addCmp();
    const page = await desk.open({ path: `/ra-profiles/${path.raProfileUuid}` });
    await page.getByRole('button', { name: 'Serve CMP' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'CMP profile' }).click();
    await page.getByRole('option', { name }).click();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Serve CMP' }).click();
    const section = page.getByRole('region', { name: 'CMP', exact: true });
    await section.getByText(/protocols\/cmp\/raProfile\//).waitFor();
    await expectAccessible(page);
    await section.getByRole('button', { name: 'Stop serving CMP' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stop serving' }).click();
    await section.getByText('Not served').waitFor();
  });

  it('do not offer new profiles or secrets to a read-only user', async () => {
    const { uuid } = await addCmp();
    await userWith(desk.server, 'cmp-reader', [
      ['cmpProfiles', 'list'],
      ['cmpProfiles', 'detail'],
      ['raProfiles', 'list'],
      ['raProfiles', 'detail'],
    ]);
    const page = await desk.open({ as: 'cmp-reader', path: '/cmp' });
    await page.getByRole('table', { name: 'CMP profiles' }).waitFor();
    await expect.poll(() => page.getByRole('link', { name: 'New CMP profile' }).count()).toBe(0);
    await page.goto(`${desk.server.ready.http}/cmp/${uuid}?tab=secrets`);
    await page.getByText('No one-time secrets yet').or(page.getByRole('table')).first().waitFor();
    for (const name of ['Create one-time secret', 'Remove'])
      await expect.poll(() => page.getByRole('button', { name }).count()).toBe(0);
  });
});
