// ACME profile pages: admitting clients, restricting their requests, and blocking them.
import { X509Certificate } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { addAcmeProfile, managedAccount, type AcmeProfileOfTest } from '../e2e/testing/acme-profiles.ts';
import { sharedAcmeServer } from '../e2e/testing/acme-server.ts';
import { createAuthority, type IssuingPath } from '../e2e/testing/profiles.ts';
import { expectAccessible } from './testing/accessibility.ts';
import { CHROMIUM, CHROMIUM_NOTE } from './testing/chromium.ts';
import { sharedConsole } from './testing/console.ts';
import { userWith } from './testing/users.ts';

describe.skipIf(CHROMIUM === undefined)(`ACME profile pages${CHROMIUM_NOTE}`, () => {
  const acme = sharedAcmeServer([], { console: true });
  const desk = sharedConsole(acme.server);

  it('copy commands with the entered names', async () => {
    const profile = await addAcmeProfile(acme);
    const page = await desk.open({ path: `/acme/${profile.uuid}` });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('textbox', { name: 'Host names' }).fill('shop.example www.shop.example');
    await page.getByRole('button', { name: 'lego', exact: true }).click();
    await page.getByRole('button', { name: /^Copy lego, get the certificate/ }).click();
    const readClipboard = () => page.evaluate<string>('navigator.clipboard.readText()');
    await expect.poll(readClipboard).toContain(profile.directoryUrl);
    expect(await readClipboard()).toMatch(/shop\.example.*www\.shop\.example/s);
    await page.getByRole('button', { name: 'Copy URL' }).click();
    await expect.poll(readClipboard).toBe(profile.directoryUrl);
  });

  it('create an external account key, which is shown only once and allows a client to create an account', async () => {
    const profile = await addAcmeProfile(acme, { externalAccountRequired: true });
    const page = await desk.open({ path: `/acme/${profile.uuid}?tab=keys` });
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Description' }).fill('Team of the shop');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByText('Copy the MAC key now').waitFor();
    await expectAccessible(page);
    const keyId = await dialog.getByLabel('Key ID', { exact: true }).innerText();
    const macKey = await dialog.getByLabel('MAC key', { exact: true }).innerText();
    // An accidental Escape must not discard a secret that is shown only once.
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'I have copied it' }).click();
    await dialog.waitFor({ state: 'hidden' });
    const table = page.getByRole('table', { name: 'External account keys' });
    await table.getByText('Usable', { exact: true }).waitFor();
    expect(await page.content()).not.toContain(macKey);

    const client = await acme.client({ directoryUrl: profile.directoryUrl });
    const binding = await client.eab({ keyId, macKey });
    expect(await client.newAccount({ externalAccountBinding: binding })).toMatchObject({ status: 201 });
    await page.reload();
    await table.getByText('Used', { exact: true }).waitFor();
    expect(await page.content()).not.toContain(macKey);
  });

  it('offer a profile to clients, and withdraw it', async () => {
    const profile = await addAcmeProfile(acme);
    const page = await desk.open({ path: `/acme/${profile.uuid}/edit` });
    await page.getByRole('button', { name: 'Add profile' }).click();
    const offer = page.getByRole('group', { name: 'Profile 1' });
    await offer.getByRole('textbox', { name: 'Name' }).fill('usual');
    await offer.getByRole('combobox', { name: 'RA profile' }).click();
    await page.getByRole('option', { name: 'default', exact: true }).click();
    await offer.getByRole('textbox', { name: 'Description' }).fill('For servers');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('usual', { exact: true }).waitFor();
    const client = await acme.client({ directoryUrl: profile.directoryUrl });
    expect((await client.directory()).meta?.profiles).toEqual({ usual: 'For servers' });

    await page.goto(`${desk.server.ready.http}/acme/${profile.uuid}/edit`);
    await page.getByRole('button', { name: 'Remove profile 1' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    const offered = page.locator('dl > div').filter({ hasText: 'Client-selectable profiles' });
    await offered.getByText('none', { exact: true }).waitFor();
  });

  it('turn off the CAA check, and restore the default setting', async () => {
    const profile = await addAcmeProfile(acme, { caaIdentities: ['ca.acme-users.org'] });
    const readProfile = () => acme.server.client.acmeProfiles.getAcmeProfile({ params: { uuid: profile.uuid } });
    const page = await desk.open({ path: `/acme/${profile.uuid}/edit` });
    const choose = async (choice: string) => {
      await page.getByRole('combobox', { name: 'CAA records' }).click();
      await page.getByRole('option', { name: choice }).click();
    };
    await page.getByRole('combobox', { name: 'CAA identities' }).waitFor();
    await choose('Do not check');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('not checked', { exact: true }).waitFor();
    expect((await readProfile()).caaIdentities).toEqual([]);
    await page.goto(`${desk.server.ready.http}/acme/${profile.uuid}/edit`);
    await choose('Check public names');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('checked for public names if the public URL has a public host').waitFor();
    expect((await readProfile()).caaIdentities).toBeUndefined();
  });

  it('offer additional challenges, but dns-persist-01 only if there is an issuer name', async () => {
    const profile = await addAcmeProfile(acme);
    const page = await desk.open({ path: `/acme/${profile.uuid}/edit` });
    await page.getByRole('switch', { name: 'Offer dns-persist-01' }).check({ force: true });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('dns-persist-01 requires an issuer domain name').first().waitFor();
    await expectAccessible(page);
    await page.getByRole('combobox', { name: 'CAA records' }).click();
    await page.getByRole('option', { name: 'Check for these identities' }).click();
    await page.getByRole('combobox', { name: 'CAA identities' }).fill('ca.acme-users.org');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('http-01, dns-01, tls-alpn-01, dns-persist-01').waitFor();
    const client = await acme.client({ directoryUrl: profile.directoryUrl });
    expect((await client.directory()).meta?.issuerDomainNames).toEqual(['ca.acme-users.org']);
  });

  it("add the profile's custom attributes to certificates, even after the profile is edited", async () => {
    const { customAttributes, certificates } = acme.server.client;
    const { uuid } = await customAttributes.createCustomAttribute({
      body: { name: 'team', label: 'Team', contentType: 'string', resources: ['certificates'], required: true },
    });
    const profile = await addAcmeProfile(acme);
    const page = await desk.open({ path: `/acme/${profile.uuid}/edit` });
    const given = page.getByRole('textbox', { name: 'Team' });
    await given.fill('Web');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('region', { name: 'Certificate custom attributes' }).getByText('Web').waitFor();
    await page.goto(`${desk.server.ready.http}/acme/${profile.uuid}/edit`);
    await expect.poll(() => given.inputValue()).toBe('Web');
    await page.getByRole('textbox', { name: 'Description' }).first().fill('Edited');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('was saved').waitFor();
    const host = acme.host('of-a-team');
    const { chain } = await acme.issue(await acme.account({ directoryUrl: profile.directoryUrl }), [host]);
    const serial = new X509Certificate(chain).serialNumber.toLowerCase().replace(/^0+/, '');
    const listed = await certificates.listCertificates({ body: { itemsPerPage: 1_000 } });
    const issued = listed.certificates.find(({ serialNumber }) => serialNumber === serial);
    const { customAttributes: values } = await certificates.getCertificate({ params: { uuid: issued?.uuid ?? '' } });
    expect(values).toMatchObject([{ name: 'team', content: [{ data: 'Web' }] }]);
    await customAttributes.deleteCustomAttribute({ params: { uuid } });
  });

  it('restrict names for a profile, and further for an external account key', async () => {
    const profile = await addAcmeProfile(acme);
    const page = await desk.open({ path: `/acme/${profile.uuid}/edit` });
    await page.getByRole('combobox', { name: 'Allowed DNS suffixes' }).fill('acme.test');
    await page.keyboard.press('Enter');
    await page.getByRole('switch', { name: 'Allow wildcards' }).uncheck({ force: true });
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('only acme.test; no wildcards').waitFor();

    await page.getByRole('tab', { name: 'External account keys' }).click();
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('switch', { name: 'Restrict names' }).check({ force: true });
    await dialog.getByRole('combobox', { name: 'Denied DNS suffixes' }).fill('secret.acme.test');
    await page.keyboard.press('Enter');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByRole('table', { name: 'External account keys' }).getByText('Names: not secret.acme.test').waitFor();
  });

  it('block a disabled account until it is enabled again, and a revoked account permanently', async () => {
    const profile = await addAcmeProfile(acme);
    const client = await acme.account({ directoryUrl: profile.directoryUrl });
    const { acmeAccountUuid } = await managedAccount(acme, client);
    const order = async () => (await client.newOrder([acme.host('by-account')])).status;
    const page = await desk.open({ path: `/acme/${profile.uuid}/accounts/${acmeAccountUuid}` });
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Disable' }).click();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Disable' }).click();
    await page.getByText('Disabled', { exact: true }).waitFor();
    expect(await order()).toBeGreaterThanOrEqual(400);
    await page.getByRole('button', { name: 'Enable' }).click();
    await page.getByText('Active', { exact: true }).waitFor();
    expect(await order()).toBe(201);
    await page.getByRole('button', { name: 'Revoke' }).click();
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('Revoked', { exact: true }).waitFor();
    expect(await order()).toBeGreaterThanOrEqual(400);
    expect(await page.getByRole('button', { name: /able$|^Revoke$/ }).count()).toBe(0);
  });

  describe('for an RA profile', () => {
    let place: IssuingPath;
    let made = 0;
    const raProfilePath = () => `/ra-profiles/${place.raProfileUuid}`;
    const readServedProfile = () => desk.server.client.raProfileAcme.getAcmeForRaProfile({ params: place });

    /** Creates an RA profile for each test, since it can be served by only one ACME profile. */
    async function raProfile(): Promise<void> {
      place = await createAuthority(desk.server.client, { name: `Served ${++made}` });
    }

    it('start serving ACME through the selected profile, and stop serving it', async () => {
      await raProfile();
      const profile = await addAcmeProfile(acme);
      const page = await desk.open({ path: raProfilePath() });
      await page.getByRole('button', { name: 'Serve ACME' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('combobox', { name: 'ACME profile' }).click();
      await page.getByRole('option', { name: profile.name, exact: true }).click();
      await expectAccessible(page);
      await dialog.getByRole('button', { name: 'Serve ACME' }).click();
      await page.getByText('Served', { exact: true }).waitFor();
      await page.getByRole('link', { name: profile.name }).first().waitFor();
      const { directoryUrl = '', name } = await readServedProfile();
      expect(name).toBe(profile.name);
      const host = acme.host('under-its-name');
      const { chain } = await acme.issue(await acme.account({ directoryUrl }), [host]);
      expect(chain).toContain('BEGIN CERTIFICATE');

      await page.getByRole('button', { name: 'Stop serving ACME' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Stop serving' }).click();
      await page.getByRole('region', { name: 'ACME', exact: true }).getByText('Not served').waitFor();
      expect((await readServedProfile()).acmeAvailable).toBe(false);
    });

    it('remove a profile in use only by force, after listing what uses it', async () => {
      await raProfile();
      const profile = await addAcmeProfile(acme);
      await desk.server.client.raProfileAcme.activateAcmeForRaProfile({
        params: { ...place, acmeProfileUuid: profile.uuid },
        body: { issueCertificateAttributes: [], revokeCertificateAttributes: [] },
      });
      const { name } = await desk.server.client.raProfiles.getRaProfileWithoutAuthority({ params: place });
      const page = await desk.open({ path: `/acme/${profile.uuid}` });
      await page.getByRole('button', { name: 'Remove' }).click();
      const dialog = page.getByRole('dialog');
      expect(await dialog.getByRole('button', { name: /force/i }).count()).toBe(0);
      await dialog.getByRole('button', { name: 'Remove' }).click();
      await dialog.getByText('RA profiles use this ACME profile').waitFor();
      await dialog.getByText(name).waitFor();
      await expectAccessible(page);
      await dialog.getByRole('button', { name: 'Force removal' }).click();
      await page.getByRole('heading', { name: 'ACME', level: 1 }).waitFor();
      await page.getByText(`${profile.name} was removed.`).waitFor();
      expect((await readServedProfile()).acmeAvailable).toBe(false);
    });
  });

  describe('for a user with limited permissions', () => {
    let profile: AcmeProfileOfTest;

    beforeAll(async () => {
      profile = await addAcmeProfile(acme);
      const rights = [
        ['acmeProfiles', 'list'],
        ['acmeProfiles', 'detail'],
      ] as const;
      await userWith(desk.server, 'looks-on', rights);
    });

    it('hide orders and accounts, and explain why if the user opens their URL', async () => {
      const page = await desk.open({ as: 'looks-on', path: `/acme/${profile.uuid}` });
      await page.getByRole('textbox', { name: 'Host names' }).waitFor();
      const tabs = await page.getByRole('tab').allTextContents();
      expect(tabs).toEqual(['Get a certificate', 'External account keys', 'Settings']);
      await expectAccessible(page);
      await page.goto(`${desk.server.ready.http}/acme/${profile.uuid}?tab=orders`);
      await page.getByRole('alert').getByText('Permission denied').waitFor();
    });

    it('offer only permitted actions', async () => {
      const page = await desk.open({ as: 'looks-on', path: `/acme/${profile.uuid}?tab=keys` });
      await page.getByText('No external account keys').waitFor();
      for (const name of ['Create key', 'Remove', 'Disable', 'Edit'])
        await expect.poll(() => page.getByRole('button', { name, exact: true }).count(), { message: name }).toBe(0);
      await expectAccessible(page);
    });
  });
});
