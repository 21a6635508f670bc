// v1 authorities in the console: their end entities, and what is possible with their certificates.
import type { Client } from '@signetry/client';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { addEndEntity, createLegacyAuthority, type LegacyPath } from '../e2e/testing/legacy-authorities.ts';
import { makeRequest } from '../e2e/testing/requests.ts';
import { expectAccessible } from './testing/accessibility.ts';
import { CHROMIUM, CHROMIUM_NOTE } from './testing/chromium.ts';
import { sharedConsole } from './testing/console.ts';
import { userWith } from './testing/users.ts';

describe.skipIf(CHROMIUM === undefined)(`end entities${CHROMIUM_NOTE}`, () => {
  const desk = sharedConsole();
  let client: Client;
  let path: LegacyPath;
  const list = () => `/ra-profiles/${path.raProfileUuid}/end-entities`;
  const one = (username: string) => `${list()}/${encodeURIComponent(username)}`;
  const readEndEntity = (username: string) =>
    client.legacyClientOperations.getEndEntity({ params: { raProfileName: path.raProfileName, username } });

  beforeAll(async () => {
    ({ client } = desk.server);
    path = await createLegacyAuthority(client, { name: 'First generation' });
  });

  /** Enrolls an end entity; returns its certificate's UUID in the inventory. */
  async function enroll(username: string): Promise<string> {
    await addEndEntity(client, path, username);
    const { pem: pkcs10 } = await makeRequest({ subject: 'CN=any' });
    const body = { username, password: 'once', pkcs10 };
    await client.legacyClientOperations.issueLegacyCertificate({ params: path, body });
    const { certificates } = await client.certificates.listCertificates({ body: { itemsPerPage: 1_000 } });
    return certificates.find(({ commonName }) => commonName === username)?.uuid ?? expect.fail('not in the inventory');
  }

  /** Finds a field by its label, which has an asterisk if the field is required. */
  const field = (page: Page, label: string) => page.getByLabel(new RegExp(`^${label}( \\*)?$`));
  const fill = async (page: Page, fields: Readonly<Record<string, string>>) => {
    for (const [label, value] of Object.entries(fields)) await field(page, label).fill(value);
  };

  it("are added on their RA profile's page", async () => {
    const page = await desk.open({ path: `/ra-profiles/${path.raProfileUuid}` });
    await page.getByText('This is a first-generation authority').waitFor();
    for (const name of ['Issue a certificate', 'Serve ACME'])
      expect(await page.getByRole('button', { name }).or(page.getByRole('link', { name })).count()).toBe(0);
    await page.getByRole('link', { name: 'End entities' }).click();
    await page.getByText('No end entities yet').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'New end entity' }).first().click();
    await fill(page, { Username: 'web/1 ä?', Password: 's3cret', Subject: 'nonsense' });
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create' }).click();
    await expect.poll(() => field(page, 'Subject').getAttribute('aria-invalid')).toBe('true');
    await fill(page, { Subject: 'CN=web-1,O=Example', 'Subject alternative names': 'dNSName=web-1.example' });
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'web/1 ä?', level: 1 }).waitFor();
    await page.getByText('Can request a certificate').waitFor();
    await expectAccessible(page);
    expect(await readEndEntity('web/1 ä?')).toMatchObject({ subjectDN: 'CN=web-1,O=Example', status: 'NEW' });
    expect(await page.content()).not.toContain('s3cret');
    await page.getByRole('link', { name: 'End entities' }).click();
    await page.getByRole('link', { name: 'web/1 ä?' }).waitFor();
    await expectAccessible(page);
  });

  it('can be edited; a password is requested only if one is needed', async () => {
    await enroll('edited');
    const page = await desk.open({ path: `${one('edited')}/edit` });
    await fill(page, { Subject: 'CN=edited,O=Other' });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('edited was saved').waitFor();
    expect(await readEndEntity('edited')).toMatchObject({ subjectDN: 'CN=edited,O=Other', status: 'GENERATED' });
    await page.getByRole('link', { name: 'Edit' }).click();
    await fill(page, { 'New password': 'twice' });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Can request a certificate').waitFor();
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByText('Enter a password.').waitFor();
  });

  it('can have their password reset, and are deleted after their certificates are revoked', async () => {
    const certificateUuid = await enroll('leaving');
    await addEndEntity(client, path, 'locked');
    const page = await desk.open({ path: one('locked') });
    await page.getByRole('button', { name: 'Reset password' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reset password' }).click();
    await page.getByText('No password').waitFor();
    expect((await readEndEntity('locked')).status).toBe('INITIALIZED');
    await page.goto(new URL(one('leaving'), page.url()).href);
    await page.getByRole('button', { name: 'Revoke and delete' }).click();
    await expectAccessible(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke and delete' }).click();
    await page.getByText('leaving was removed').waitFor();
    expect(await client.certificates.getCertificate({ params: { uuid: certificateUuid } })).toMatchObject({
      state: 'revoked',
    });
    await expect(readEndEntity('leaving')).rejects.toMatchObject({ status: 404 });
  });

  it('have certificates that can be revoked in the inventory, but not renewed or rekeyed, with the reason shown', async () => {
    const uuid = await enroll('revocable');
    const page = await desk.open({ path: `/certificates/${uuid}` });
    for (const name of ['Renew', 'Rekey'])
      await expect.poll(() => page.getByRole('button', { name }).getAttribute('aria-disabled')).toBe('true');
    await page.getByRole('button', { name: 'Rekey' }).hover();
    await page.getByRole('tooltip').getByText('with the end entity’s username and password').waitFor();
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('revocable is revoked').waitFor();
    expect((await client.certificates.getCertificate({ params: { uuid } })).state).toBe('revoked');
    await page.goto(new URL(`/certificates/${await enroll('not-rekeyed')}/rekey`, page.url()).href);
    await page.getByText('This certificate cannot be rekeyed').waitFor();
    await expectAccessible(page);
  });

  it('can be viewed by users without permission to issue', async () => {
    await addEndEntity(client, path, 'seen');
    await userWith(desk.server, 'registrar', [
      ['raProfiles', 'list'],
      ['raProfiles', 'detail'],
      ['authorities', 'list'],
      ['authorities', 'detail'],
    ]);
    const page = await desk.open({ path: one('seen'), as: 'registrar' });
    await page.getByText('CN=seen,O=Example').waitFor();
    for (const name of ['Reset password', 'Revoke and delete'])
      expect(await page.getByRole('button', { name }).count()).toBe(0);
    await page.goto(new URL(`${list()}/new`, page.url()).href);
    await page.getByText('Permission denied').waitFor();
  });
});
