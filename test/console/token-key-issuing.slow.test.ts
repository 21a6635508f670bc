// Certificates for keys in tokens: issued and rekeyed in the console, and the key information that a certificate shows.
import { parseCertificationRequest, signatureAlgorithmName } from '@signetry/pki';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { defaultProfile } from '../e2e/testing/profiles.ts';
import { createKey, createTokenWithProfile, textValue } from '../e2e/testing/tokens.ts';
import { expectAccessible } from './testing/accessibility.ts';
import { CHROMIUM, CHROMIUM_NOTE } from './testing/chromium.ts';
import { sharedConsole } from './testing/console.ts';

const choose = async (page: Page, field: string, option: RegExp): Promise<void> => {
  await page.getByRole('combobox', { name: field, exact: true }).click();
  await page.getByRole('option', { name: option }).click();
};

describe.skipIf(CHROMIUM === undefined)(`certificates for keys in tokens${CHROMIUM_NOTE}`, () => {
  const desk = sharedConsole();

  it('are issued for the selected key with the selected signature scheme, and link to the key', async () => {
    const { client } = desk.server;
    const key = await createKey(client, await createTokenWithProfile(client), {
      specification: 'RSA-2048',
      name: 'web-server',
    });
    const page = await desk.open({ path: '/issue' });
    await page.getByText('Key in a token', { exact: true }).click();
    const issueButton = page.getByRole('button', { name: 'Issue certificate' });
    const names = page.getByRole('combobox', { name: 'Names' });
    await names.fill('token.example');
    await names.press('Enter');
    expect(await issueButton.isDisabled()).toBe(true);
    await choose(page, 'Key', /^web-server – RSA, 2048 bits, token /);
    await page.getByRole('button', { name: 'Choose signature options' }).click();
    await issueButton.click();
    await page.getByText('Choose one.').first().waitFor();
    await choose(page, 'Signature scheme', /^PSS$/);
    await choose(page, 'Digest', /^SHA-384$/);
    await expectAccessible(page);
    await issueButton.click();
    await page.getByRole('link', { name: 'Open in inventory' }).click();
    await page.getByRole('heading', { name: 'token.example', level: 1 }).waitFor();
    const link = page.getByRole('link', { name: 'web-server' });
    expect(await link.getAttribute('href')).toContain(`/keys/${key.uuid}`);
    await expectAccessible(page);
    const uuid = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    const { certificateRequest, subjectAlternativeNames } = await client.certificates.getCertificate({
      params: { uuid },
    });
    expect(subjectAlternativeNames?.['dNSName']).toEqual(['token.example']);
    const request = parseCertificationRequest(Buffer.from(certificateRequest?.content ?? '', 'base64'));
    expect(signatureAlgorithmName(request.signatureAlgorithm)).toBe('SHA384withRSAandMGF1');
  });

  it('can be rekeyed with a different key, and revoked along with their key', async () => {
    const { client } = desk.server;
    const token = await createTokenWithProfile(client);
    const old = await createKey(client, token, { specification: 'P-256', name: 'old-key' });
    await createKey(client, token, { specification: 'P-256', name: 'new-key' });
    const { uuid } = await client.clientOperations.issueCertificate({
      params: await defaultProfile(client),
      body: {
        attributes: [],
        keyUuid: old.uuid,
        tokenProfileUuid: token.tokenProfileUuid,
        csrAttributes: [textValue('commonName', 'again.example')],
      },
    });
    const page = await desk.open({ path: `/certificates/${uuid}/rekey` });
    await page.getByText('Key in a token', { exact: true }).click();
    await page.getByRole('combobox', { name: 'Key', exact: true }).click();
    await page.getByRole('option', { name: /^new-key/ }).waitFor();
    expect(await page.getByRole('option', { name: /^old-key/ }).count()).toBe(0);
    await page.getByRole('option', { name: /^new-key/ }).click();
    await page.getByRole('button', { name: 'Rekey certificate' }).click();
    await page.getByRole('link', { name: 'new-key' }).waitFor();
    await page.goto(`${desk.server.ready.http}/certificates/${uuid}`);
    await page.getByRole('button', { name: 'Revoke' }).click();
    const dialog = page.getByRole('dialog', { name: 'Revoke again.example?' });
    await dialog.getByRole('checkbox', { name: 'Also destroy key old-key' }).check();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await expect
      .poll(async () => (await client.keys.getKey({ params: { uuid: old.uuid } })).items.map(({ state }) => state))
      .toEqual(['destroyed', 'destroyed']);
  });
});
