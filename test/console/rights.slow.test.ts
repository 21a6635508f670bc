// Users with limited permissions see only what they can use.
import { beforeAll, describe, expect, it } from 'vitest';
import { defaultProfile } from '../e2e/testing/profiles.ts';
import { makeRequest } from '../e2e/testing/requests.ts';
import { expectAccessible } from './testing/accessibility.ts';
import { certificateFor } from './testing/certificates.ts';
import { CHROMIUM, CHROMIUM_NOTE } from './testing/chromium.ts';
import { sharedConsole } from './testing/console.ts';
import { userWith } from './testing/users.ts';

describe.skipIf(CHROMIUM === undefined)(`a user with limited permissions${CHROMIUM_NOTE}`, () => {
  const desk = sharedConsole();
  let uuid: string;

  beforeAll(async () => {
    ({ uuid } = await certificateFor(desk.server.client, 'seen.example'));
    await userWith(desk.server, 'reader', [
      ['certificates', 'list'],
      ['raProfiles', 'members'],
      ['certificates', 'detail'],
    ]);
    await userWith(desk.server, 'nobody', []);
  });

  it('with read permission for certificates sees only the pages for them', async () => {
    const page = await desk.open({ as: 'reader' });
    await page.getByRole('button', { name: 'reader: account and appearance' }).waitFor();
    const pages = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
    expect(await pages.allTextContents()).toEqual(['Overview', 'Inbox', 'Inventory', 'Insights', 'Keys']);
    await page.getByRole('link', { name: 'Inventory', exact: true }).click();
    await page.getByRole('link', { name: 'seen.example' }).click();
    await page.getByRole('heading', { name: 'seen.example', level: 1 }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Control+k');
    await expect
      .poll(() => page.getByRole('option').allTextContents())
      .toEqual([
        'OverviewPage',
        'InboxPage',
        'InventoryPage',
        'InsightsPage',
        'KeysPage',
        'Your profileAction',
        'Show keyboard shortcutsAction',
        'Sign outAction',
      ]);
  });

  it('is not offered operations without the permission', async () => {
    const rights = [
      ['users', 'list'],
      ['users', 'detail'],
      ['connectors', 'list'],
      ['connectors', 'detail'],
      ['connectors', 'connect'],
    ] as const;
    await userWith(desk.server, 'operator', rights);
    const page = await desk.open({ as: 'operator', path: '/connectors' });
    await page.getByRole('table', { name: 'Connectors' }).getByRole('link').first().click();
    await page.getByRole('button', { name: 'Reconnect' }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Remove' }).count()).toBe(0);
    await page.goBack();
    await page.getByRole('table', { name: 'Connectors' }).waitFor();
    await expect.poll(() => page.getByRole('link', { name: 'New connector' }).count()).toBe(0);
  });

  it('is offered nothing until the permissions are loaded, and space is reserved for the controls', async () => {
    for (const [as, isOffered] of [
      ['admin', true],
      ['reader', false],
    ] as const) {
      const page = await desk.open({ as });
      await page.getByRole('navigation', { name: 'Main' }).waitFor();
      const { promise: told, resolve: tell } = Promise.withResolvers<void>();
      await page.route('**/api/x/v1/auth/permissions', async (route) => {
        await told;
        await route.continue();
      });
      await page.goto(`${desk.server.ready.http}/certificates/${uuid}`);
      const download = page.getByRole('button', { name: 'Download' });
      await download.waitFor();
      const revoke = page.getByRole('button', { name: 'Revoke' });
      expect(await revoke.count()).toBe(0);
      const place = await download.boundingBox();
      tell();
      if (!isOffered) await expect.poll(() => page.locator('button', { hasText: 'Revoke' }).count()).toBe(0);
      else {
        await revoke.waitFor();
        expect(await download.boundingBox()).toEqual(place);
      }
    }
  });

  it('with read permission on a single certificate is offered neither renewal nor revocation', async () => {
    const page = await desk.open({ as: 'reader', path: `/certificates/${uuid}` });
    await page.getByRole('button', { name: 'Download' }).waitFor();
    for (const name of ['Renew', 'Revoke']) expect(await page.getByRole('button', { name }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Rekey' }).count()).toBe(0);
    await expectAccessible(page);
    await page.goto(`${desk.server.ready.http}/certificates`);
    await page.getByRole('checkbox', { name: 'Select seen.example' }).check();
    await page.getByRole('group', { name: 'Selected certificates' }).waitFor();
    expect(await page.getByRole('button', { name: 'Revoke' }).count()).toBe(0);
    expect(await page.getByRole('main').getByRole('link', { name: 'Issue a certificate' }).count()).toBe(0);
  });

  it('sees which permissions are missing when opening a page without them', async () => {
    const page = await desk.open({ as: 'reader', path: '/issue' });
    for (const [path, missing] of [
      ['/issue', 'issue permission on certificates'],
      ['/connectors/new', 'create permission on connectors'],
      [`/certificates/${uuid}/rekey`, 'renew permission on certificates'],
      [`/ra-profiles/${uuid}/edit`, 'update permission on raProfiles'],
    ] as const) {
      await page.goto(`${desk.server.ready.http}${path}`);
      await page.getByRole('alert').getByText(`This page requires the ${missing}`).waitFor();
    }
    await expectAccessible(page);
  });

  it("sees the platform's error message if a permission has been removed since the page was loaded", async () => {
    const { client } = desk.server;
    const { roleUuid } = await userWith(desk.server, 'demoted', [
      ['certificates', 'list'],
      ['certificates', 'detail'],
      ['certificates', 'revoke'],
      ['raProfiles', 'members'],
      ['raProfiles', 'detail'],
      ['authorities', 'detail'],
    ]);
    const page = await desk.open({ as: 'demoted', path: `/certificates/${uuid}` });
    // Permissions are loaded once operations without permission have disappeared.
    await page.getByRole('button', { name: 'Revoke' }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Renew' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').waitFor();
    await client.roles.saveRolePermissions({
      params: { roleUuid },
      body: { allowAllResources: false, resources: [] },
    });
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await dialog
      .getByRole('alert')
      .getByText(/You need the permission \w+ on \w+/)
      .waitFor();
    await expectAccessible(page);
    expect((await client.certificates.getCertificate({ params: { uuid } })).state).toBe('issued');
  });

  it('who is a member of one RA profile sees only its certificates on the overview', async () => {
    const { client } = desk.server;
    const { authorityUuid } = await defaultProfile(client);
    const { uuid: raProfileUuid } = await client.raProfiles.createRaProfile({
      params: { authorityUuid },
      body: { name: 'team', attributes: [] },
    });
    await client.raProfiles.bulkEnableRaProfile({ body: [raProfileUuid] });
    const { pem: request } = await makeRequest({ subject: 'CN=team.example', dnsNames: ['team.example'] });
    await client.clientOperations.issueCertificate({
      params: { authorityUuid, raProfileUuid },
      body: { request, attributes: [] },
    });
    const { roleUuid } = await userWith(desk.server, 'member', [
      ['certificates', 'list'],
      ['certificates', 'detail'],
    ]);
    const objects = [{ uuid: raProfileUuid, name: 'team', allow: ['members', 'detail'], deny: [] }];
    await client.roles.saveRolePermissions({
      params: { roleUuid },
      body: {
        allowAllResources: false,
        resources: [
          { name: 'certificates', allowAllActions: false, actions: ['list', 'detail'] },
          { name: 'raProfiles', allowAllActions: false, actions: [], objects },
        ],
      },
    });
    const page = await desk.open({ as: 'member' });
    await page.getByRole('heading', { name: 'Needs attention' }).waitFor();
    expect(await page.getByRole('heading', { name: /^You do not have permission|^Your first/ }).count()).toBe(0);
    const total = "fetch('/api/v1/statistics').then((answer) => answer.json()).then((all) => all.totalCertificates)";
    expect(await page.evaluate<number>(total)).toBe(1);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Inventory', exact: true }).click();
    const names = () => page.getByRole('table', { name: 'Certificates' }).getByRole('link').allTextContents();
    await expect.poll(names).toEqual(['team.example']);
  });

  it('without any permission is not redirected in a loop', async () => {
    const page = await desk.open({ as: 'nobody' });
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    // Owners see their certificates and keys without a permission.
    expect(await page.getByRole('navigation', { name: 'Main' }).getByRole('link').allTextContents()).toEqual([
      'Overview',
      'Inbox',
      'Inventory',
      'Insights',
      'Keys',
    ]);
    await expectAccessible(page);
    await page.goto(`${desk.server.ready.http}/certificates`);
    await page.getByText('No certificates yet').waitFor();
    await page.goto(`${desk.server.ready.http}/audit`);
    await page.getByRole('alert').getByText('Permission denied').waitFor();
    await expectAccessible(page);
  });
});
