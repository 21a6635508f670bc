// Approvals: one user requests, a different user decides, and profiles specify who.
import { beforeAll, describe, expect, it } from 'vitest';
import { associate, createApprovalProfile, guardedAuthority } from '../e2e/testing/approvals.ts';
import { issue } from '../e2e/testing/certificates.ts';
import { createAuthority, type IssuingPath } from '../e2e/testing/profiles.ts';
import { makeRequest } from '../e2e/testing/requests.ts';
import { expectAccessible } from './testing/accessibility.ts';
import { CHROMIUM, CHROMIUM_NOTE } from './testing/chromium.ts';
import { sharedConsole } from './testing/console.ts';

describe.skipIf(CHROMIUM === undefined)(`approvals${CHROMIUM_NOTE}`, () => {
  const desk = sharedConsole();
  let guarded: IssuingPath;

  /** Creates a user without permissions, who can only decide on approvals. */
  const createApprover = async (username: string): Promise<string> =>
    (await desk.server.client.users.createUser({ body: { username, enabled: true } })).uuid;

  /** Requests a certificate as the administrator, which waits for approval. */
  async function requestFor(name: string): Promise<string> {
    const { pem } = await makeRequest({ subject: `CN=${name}`, dnsNames: [name] });
    const body = { request: pem, attributes: [] };
    return (await desk.server.client.clientOperations.issueCertificate({ params: guarded, body })).uuid;
  }

  beforeAll(async () => {
    guarded = await guardedAuthority(desk.server.client, 'guarded', [{ userUuid: await createApprover('bob') }]);
  });

  it('hold a request until a user other than the requester approves it', async () => {
    const requester = await desk.open({ path: `/issue?raProfile=${guarded.raProfileUuid}` });
    await requester.getByRole('combobox', { name: 'Names' }).fill('held.example');
    await requester.keyboard.press('Enter');
    await requester.getByRole('button', { name: 'Issue certificate' }).click();
    await requester.getByText('by bob. Once approved, it is issued automatically').waitFor();
    const address = await requester.getByRole('link', { name: 'approval', exact: true }).getAttribute('href');
    await expectAccessible(requester);

    const own = await desk.open({ path: address ?? '' });
    await own.getByText('You requested it, so a different user must decide.').waitFor();
    expect(await own.getByRole('button', { name: /approve|reject/i }).count()).toBe(0);
    await expectAccessible(own);

    const bob = await desk.open({ as: 'bob' });
    await bob.getByRole('link', { name: 'Approvals 1 waiting for you' }).click();
    await expectAccessible(bob);
    await bob.getByRole('link', { name: 'Issue held.example' }).click();
    await bob.getByRole('button', { name: 'Approve', exact: true }).click();
    const dialog = bob.getByRole('dialog', { name: 'Approve: Issue held.example' });
    await dialog.getByText('This is the last required approval').waitFor();
    await dialog.getByRole('textbox', { name: 'Comment' }).fill('As agreed on Monday');
    await expectAccessible(bob);
    await dialog.getByRole('button', { name: 'Approve' }).click();
    await bob.getByText('As agreed on Monday').waitFor();
    const menu = bob.getByRole('navigation', { name: 'Main' });
    await menu.getByRole('link', { name: 'Approvals', exact: true }).waitFor();

    await requester.getByRole('button', { name: 'Save certificate and chain' }).waitFor();
    await own.reload();
    await own.getByText('As agreed on Monday').waitFor();
  });

  it('can be rejected with a comment, which the requester sees on the certificate page', async () => {
    const certificate = await requestFor('refused.example');
    const bob = await desk.open({ path: '/approvals', as: 'bob' });
    await bob.getByRole('link', { name: 'Issue refused.example' }).click();
    await bob.getByRole('button', { name: 'Reject', exact: true }).click();
    const dialog = bob.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Comment' }).fill('Not our domain');
    await dialog.getByRole('button', { name: 'Reject' }).click();
    await dialog.waitFor({ state: 'detached' });
    const page = await desk.open({ path: `/certificates/${certificate}` });
    await page.getByRole('alert').getByText('Not our domain').waitFor();
    await page.getByRole('region', { name: 'Approvals' }).getByText('Rejected').waitFor();
    await expectAccessible(page);
  });

  it('can be overridden by users with that permission, and are then labeled as overridden', async () => {
    const { client } = desk.server;
    await requestFor('urgent.example');
    const { uuid: userUuid } = await client.users.createUser({ body: { username: 'chief', enabled: true } });
    const everything = (await client.roles.listRoles()).find(({ name }) => name === 'superadmin');
    await client.users.addUserRole({ params: { userUuid, roleUuid: everything?.uuid ?? '' } });
    const page = await desk.open({ path: '/approvals?tab=all', as: 'chief' });
    await page.getByRole('link', { name: 'Issue urgent.example' }).click();
    await page.getByText('Waiting for bob.').waitFor();
    expect(await page.getByRole('button', { name: 'Approve', exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Override and approve' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Override and approve' }).click();
    await page.getByText('Decided on behalf of the approvers').waitFor();
  });

  it('keep a certificate valid while its revocation is pending', async () => {
    const { client } = desk.server;
    const path = await createAuthority(client, { name: 'revoking' });
    const request = await makeRequest({ subject: 'CN=kept.example', dnsNames: ['kept.example'] });
    const { uuid } = await issue(client, path, request);
    await associate(
      client,
      path,
      await createApprovalProfile(client, 'revoking', [{ userUuid: await createApprover('rita') }]),
    );
    const params = { ...path, certificateUuid: uuid };
    await client.clientOperations.revokeCertificate({ params, body: { reason: 'superseded', attributes: [] } });
    const page = await desk.open({ path: `/certificates/${uuid}` });
    await page.getByText('Revocation waiting for approval').waitFor();
    await page.getByText(/by rita\. Once approved, it is revoked; if not approved by .* it remains valid/).waitFor();
  });
});

describe.skipIf(CHROMIUM === undefined)(`approval profiles${CHROMIUM_NOTE}`, () => {
  const desk = sharedConsole();

  it('have steps that can be reordered by keyboard, and can be assigned and unassigned', async () => {
    const { client } = desk.server;
    await client.users.createUser({ body: { username: 'ann', enabled: true } });
    await client.groups.createGroup({ body: { name: 'web' } });
    const page = await desk.open({ path: '/approval-profiles/new' });
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('four eyes');
    await page.getByText('Choose an approver for step 1.').waitFor();
    const first = page.getByRole('group', { name: 'Step 1' });
    await first.getByText('User', { exact: true }).click();
    await first.getByRole('combobox', { name: 'User' }).fill('ann');
    await page.getByRole('option', { name: 'ann' }).click();
    await page.getByRole('button', { name: 'Add step' }).click();
    const second = page.getByRole('group', { name: 'Step 2' });
    await second.getByText('Group', { exact: true }).click();
    await second.getByRole('combobox', { name: 'Group' }).click();
    await page.getByRole('option', { name: 'web' }).click();
    await second.getByLabel('Required approvals').fill('2');
    await page.getByRole('button', { name: 'Move step 2 up' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Step 2 is now step 1.').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('2 users of the group web').waitFor();
    const [listed] = await client.approvalProfiles.listApprovalProfiles().then((all) => all.approvalProfiles);
    const params = { uuid: listed?.uuid ?? '' };
    const { approvalSteps } = await client.approvalProfiles.getApprovalProfile({ params });
    expect(approvalSteps).toMatchObject([
      { order: 1, groupName: 'web', requiredApprovals: 2 },
      { order: 2, username: 'ann', requiredApprovals: 1 },
    ]);

    const [raProfile] = await client.raProfiles.listRaProfiles();
    await page.goto(`${desk.server.ready.http}/ra-profiles/${raProfile?.uuid}`);
    await page.getByRole('button', { name: 'Require approval' }).click();
    await page.getByRole('combobox', { name: 'Approval profile' }).click();
    await page.getByRole('option', { name: 'four eyes' }).click();
    await expectAccessible(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'four eyes' }).click();

    await page
      .getByRole('region', { name: 'Used by' })
      .getByRole('link', { name: raProfile?.name ?? '' })
      .waitFor();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page
      .getByRole('dialog')
      .getByRole('alert')
      .getByText(/uses it; remove the association first/)
      .waitFor();
    await page.keyboard.press('Escape');

    await page.goto(`${desk.server.ready.http}/ra-profiles/${raProfile?.uuid}`);
    await page.getByRole('button', { name: 'Remove the approval profile' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No approval required.').waitFor();
  });
});
