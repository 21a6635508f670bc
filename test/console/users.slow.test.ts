// Users: created with roles, groups and a certificate, changed, invited, and removed; system users are protected.
import { describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { expectAccessible } from './testing/accessibility.ts';
import { certificateFor } from './testing/certificates.ts';
import { CHROMIUM, CHROMIUM_NOTE } from './testing/chromium.ts';
import { sharedConsole } from './testing/console.ts';
import { userWith } from './testing/users.ts';

describe.skipIf(CHROMIUM === undefined)(`users${CHROMIUM_NOTE}`, () => {
  const desk = sharedConsole();
  const client = () => desk.server.client;

  const choose = async (page: Page, field: string, option: string) => {
    await page.getByRole('combobox', { name: field }).click();
    await page.getByRole('option', { name: option }).click();
    await page.keyboard.press('Escape');
  };
  const detailOf = async (name: string) => {
    const uuid = (await client().users.listUsers({})).find(({ username }) => username === name)?.uuid ?? '';
    return client().users.getUser({ params: { userUuid: uuid } });
  };
  const createUser = async (username: string) => (await client().users.createUser({ body: { username } })).uuid;
  const main = (page: Page) => page.getByRole('main');

  it('are created with a role, a group and a certificate from the inventory, and keep them when edited', async () => {
    const { uuid: certificate } = await certificateFor(client(), 'anna.example');
    await client().groups.createGroup({ body: { name: 'web team' } });
    await client().roles.createRole({ body: { name: 'operators' } });
    const page = await desk.open({ path: '/users/new' });
    await page.getByRole('textbox', { name: 'Username' }).fill('anna');
    await page.getByRole('textbox', { name: 'First name' }).fill('Anna');
    await choose(page, 'Roles', 'operators');
    await choose(page, 'Groups', 'web team');
    await page.getByRole('radio', { name: 'Certificate from the inventory' }).check();
    expect(await page.getByRole('button', { name: 'Create' }).isDisabled()).toBe(true);
    await page.getByRole('combobox', { name: 'Certificate' }).fill('anna');
    await page.getByRole('option', { name: /^anna\.example/ }).click();
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'anna', level: 1 }).waitFor();
    await main(page).getByRole('link', { name: 'anna.example' }).waitFor();
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Email' }).fill('anna@example.com');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('anna was saved').waitFor();
    expect(await detailOf('anna')).toMatchObject({
      email: 'anna@example.com',
      firstName: 'Anna',
      certificate: { uuid: certificate },
      groups: [{ name: 'web team' }],
      roles: [{ name: 'operators' }],
    });
  });

  it('show platform errors: a duplicate name at its field, an invalid certificate above the buttons', async () => {
    await createUser('taken');
    const page = await desk.open({ path: '/users/new' });
    await page.getByRole('textbox', { name: 'Username' }).fill('taken');
    await page.getByRole('button', { name: 'Create' }).click();
    await expect.poll(() => page.getByRole('textbox', { name: 'Username' }).getAttribute('aria-invalid')).toBe('true');
    await page.getByRole('textbox', { name: 'Username' }).fill('free');
    await page.getByRole('radio', { name: 'Other certificate' }).check();
    await page.getByRole('textbox', { name: 'Certificate' }).fill('not a certificate');
    await page.getByRole('button', { name: 'Create' }).click();
    await page
      .getByRole('alert')
      .getByText(/certificate/)
      .waitFor();
  });

  it('are listed with their roles and sign-in methods, and can be searched by them', async () => {
    const { uuid: certificateUuid } = await certificateFor(client(), 'listed.example');
    const { uuid: userUuid } = await client().users.createUser({ body: { username: 'listed', certificateUuid } });
    const { uuid: role } = await client().roles.createRole({ body: { name: 'gatekeepers' } });
    await client().users.updateUserRoles({ params: { userUuid }, body: [role] });
    await client().invitations.createInvitation({ params: { userUuid } });
    await createUser('without anything');
    const page = await desk.open({ path: '/users?text=gatekeepers' });
    await page.getByRole('row', { name: /listed .*gatekeepers Certificate, pending invitation/ }).waitFor();
    await page.getByRole('searchbox', { name: 'Search users' }).fill('without anything');
    await page.getByRole('row', { name: /without anything .*None None/ }).waitFor();
    expect(await page.getByRole('link', { name: 'listed' }).count()).toBe(0);
  });

  it('show an error if a file is too large to be a certificate', async () => {
    const page = await desk.open({ path: '/users/new' });
    await page.getByRole('radio', { name: 'Other certificate' }).check();
    const file = (bytes: number) => ({
      name: 'backup.tar',
      mimeType: 'application/x-tar',
      buffer: Buffer.alloc(bytes, 'x'),
    });
    await page.getByLabel('Certificate file').setInputFiles(file(3_000_000));
    const problem = page.getByText('backup.tar is too large (2.9 MiB). The limit is 256 KiB.');
    await problem.waitFor();
    await expectAccessible(page);
    await page.getByLabel('Certificate file').setInputFiles(file(10));
    await expect.poll(() => page.getByRole('textbox', { name: 'Certificate' }).inputValue()).toBe('x'.repeat(10));
    await problem.waitFor({ state: 'detached' });
  });

  it('can be assigned different roles, and show which role grants which permission', async () => {
    await userWith(desk.server, 'issuer', [['certificates', 'issue']]);
    await userWith(desk.server, 'watcher', [['certificates', 'list']]);
    const { uuid } = await detailOf('issuer');
    const page = await desk.open({ path: `/users/${uuid}` });
    await page.getByRole('button', { name: 'Change roles' }).click();
    await choose(page, 'Roles', 'watcher');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('Roles of issuer saved').waitFor();
    await main(page).getByText('Issue, granted by the role issuer').waitFor();
    await main(page).getByText('List, granted by the role watcher').waitFor();
    expect((await detailOf('issuer')).roles.map(({ name }) => name).toSorted()).toEqual(['issuer', 'watcher']);
    await expectAccessible(page);
  });

  it("can be disabled and removed after confirmation, except for one's own user", async () => {
    const uuid = await createUser('leaver');
    const page = await desk.open({ path: `/users/${uuid}` });
    await page.getByRole('button', { name: 'Disable leaver' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
    await page.getByRole('button', { name: 'Enable leaver' }).waitFor();
    expect((await detailOf('leaver')).enabled).toBe(false);
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('leaver was removed').waitFor();
    const self = await detailOf('admin');
    await page.goto(`${desk.server.ready.http}/users/${self.uuid}`);
    const remove = page.getByRole('button', { name: 'Remove', exact: true });
    await remove.waitFor();
    expect(await remove.getAttribute('aria-disabled')).toBe('true');
  });

  it('are protected if they are system users, with the reason shown', async () => {
    const { uuid, systemUser } = await detailOf('acme');
    expect(systemUser).toBe(true);
    const page = await desk.open({ path: `/users/${uuid}` });
    await page.getByText('Built-in user').waitFor();
    await main(page).getByText('ACME accounts').waitFor();
    for (const name of ['Edit', 'Remove', 'Disable acme', 'Change roles', 'Invite'])
      expect(await page.getByRole('button', { name }).or(page.getByRole('link', { name })).count(), name).toBe(0);
    await page.goto(`${desk.server.ready.http}/users/${uuid}/edit`);
    await page.getByText('This user cannot be changed').waitFor();
  });

  it('are invited with a link that is shown once', async () => {
    const uuid = await createUser('guest');
    const page = await desk.open({ path: `/users/${uuid}` });
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByRole('button', { name: 'Create link' }).click();
    const dialog = page.getByRole('dialog', { name: 'Invitation for guest' });
    const link = (await dialog.locator('pre').textContent()) ?? '';
    expect(link).toMatch(/^https?:\/\//);
    await page.keyboard.press('Escape');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByText('Pending, expires').waitFor();
    expect(await page.content()).not.toContain(link);
    await page.getByRole('button', { name: 'Withdraw invitation' }).click();
    await page.getByText('Invitation withdrawn').waitFor();
    expect(await client().invitations.listInvitations({ params: { userUuid: uuid } })).toEqual([]);
  });

  it('cannot be changed by a read-only user', async () => {
    const { uuid } = await detailOf('admin');
    await userWith(desk.server, 'onlooker', [
      ['users', 'list'],
      ['users', 'detail'],
    ]);
    const page = await desk.open({ path: `/users/${uuid}`, as: 'onlooker' });
    await page.getByText('Full access for the user').waitFor();
    for (const name of ['Invite', 'Change roles', 'Disable admin'])
      expect(await page.getByRole('button', { name }).count(), name).toBe(0);
    const pages = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
    // Owners see their certificates without a permission.
    expect(await pages.allTextContents()).toEqual(['Overview', 'Inbox', 'Inventory', 'Insights', 'Keys', 'Users']);
  });

  it("are shown on their group's page, where the group can be renamed and removed", async () => {
    const page = await desk.open({ path: '/groups/new' });
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('printers');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'printers', level: 1 }).waitFor();
    await page.getByText('No members yet').waitFor();
    const group = (await client().groups.listGroups({})).find(({ name }) => name === 'printers');
    await client().users.createUser({ body: { username: 'member', groupUuids: [group?.uuid ?? ''] } });
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('plotters');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'plotters', level: 1 }).waitFor();
    await main(page).getByRole('link', { name: 'member' }).waitFor();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('plotters was removed').waitFor();
    expect((await detailOf('member')).groups).toEqual([]);
  });
});
