// Names of certificates as users see them: no name can be mistaken for a different one.
import { generateKeyPair } from '@signetry/pki/node';
import { buildName, type RdnInput } from '@signetry/pki';
import type { Client } from '@signetry/client';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { createExternalAuthority, type ExternalSubject } from '../e2e/testing/external-authority.ts';
import { expectAccessible } from './testing/accessibility.ts';
import { CHROMIUM, CHROMIUM_NOTE } from './testing/chromium.ts';
import { sharedConsole } from './testing/console.ts';

async function uploadCertificate(
  client: Client,
  rdns: readonly RdnInput[],
  given: Omit<ExternalSubject, 'subject' | 'spki'> = {},
): Promise<string> {
  const authority = await createExternalAuthority('CN=Elsewhere');
  const { spki } = await generateKeyPair('P-256');
  const der = authority.issue({ ...given, subject: buildName(rdns), spki });
  const body = { certificate: Buffer.from(der).toString('base64'), customAttributes: [] };
  return (await client.certificates.uploadCertificate({ body })).uuid;
}

const factOf = async (page: Page, name: string): Promise<readonly string[]> => {
  const fact = page.getByRole('region', { name: 'Details' }).locator('dl > div').filter({ hasText: name }).first();
  await fact.getByRole('listitem').first().waitFor();
  return (await fact.getByRole('listitem').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));
};

describe.skipIf(CHROMIUM === undefined)(`certificate names${CHROMIUM_NOTE}`, () => {
  const desk = sharedConsole();

  it('are read from the encoding, so that no value can add a line', async () => {
    const uuid = await uploadCertificate(desk.server.client, [
      { type: 'C', value: 'DE' },
      { type: 'O', value: 'Acme, CN=bank.example, O=Bank of Example' },
      { type: 'OU', value: 'Sales\nCN  bank.example' },
      [
        { type: 'CN', value: 'shop.example' },
        { type: 'OU', value: 'شركة' },
      ],
    ]);
    const page = await desk.open({ path: `/certificates/${uuid}` });
    expect((await factOf(page, 'Subject')).toSorted()).toEqual([
      '+ CN shop.example',
      'C DE',
      'O Acme, CN=bank.example, O=Bank of Example',
      'OU Sales\uFFFDCN bank.example',
      'OU شركة',
    ]);
    await expectAccessible(page);
  });

  it('are replaced by the first SAN in the list, the search and the title if there is no common name', async () => {
    await uploadCertificate(desk.server.client, [{ type: 'O', value: 'Nameless' }], {
      dnsNames: ['first.nameless.example', 'second.nameless.example'],
    });
    const page = await desk.open({ path: '/certificates?text=second.nameless' });
    await page.getByRole('table').getByRole('link', { name: 'first.nameless.example' }).click();
    await page.getByRole('heading', { name: 'first.nameless.example', level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /^Search certificates/ }).fill('second.nameless');
    await page.getByRole('option', { name: /^first\.nameless\.example/ }).waitFor();
  });

  it('are collapsed on the certificate page if there are many, but can be searched', async () => {
    const dnsNames = Array.from({ length: 100 }, (_, place) => `host-${place}.many.example`);
    await uploadCertificate(desk.server.client, [{ type: 'O', value: 'Many names' }], { dnsNames });
    const page = await desk.open({ path: '/certificates?text=host-0.many' });
    await page.getByRole('table').getByRole('link', { name: 'host-0.many.example' }).click();
    // In the details; the extension below also contains them.
    const contents = page.getByRole('region', { name: 'Details' });
    const more = contents.getByRole('button', { name: 'and 97 more' });
    await more.waitFor();
    expect(await contents.getByText('host-99.many.example').count()).toBe(0);
    await more.click();
    await contents.getByText('host-99.many.example').waitFor();
    await contents.getByRole('searchbox', { name: 'Search these names' }).fill('host-42.');
    await expect.poll(() => contents.getByText('host-99.many.example').count()).toBe(0);
    await contents.getByText('host-42.many.example').waitFor();
    await expectAccessible(page);
  });

  it('are shown in both forms if internationalized, and can be found by either', async () => {
    await uploadCertificate(desk.server.client, [{ type: 'CN', value: 'xn--bcher-kva.example' }], {
      dnsNames: ['xn--bcher-kva.example'],
    });
    const page = await desk.open({ path: '/certificates' });
    const search = page.getByRole('searchbox', { name: 'Search the inventory' });
    for (const text of ['bücher.ex', 'xn--bcher-kva']) {
      await search.fill(text);
      const link = page.getByRole('table').getByRole('link', { name: 'xn--bcher-kva.example (bücher.example)' });
      await expect.poll(() => page.getByRole('table').getByRole('link').count()).toBe(1);
      await link.waitFor();
    }
    // All letters are Cyrillic and look like "apple".
    await uploadCertificate(desk.server.client, [{ type: 'CN', value: 'xn--80ak6aa92e.example' }]);
    await search.fill('xn--80ak6aa92e');
    await page.getByRole('table').getByRole('link', { name: 'xn--80ak6aa92e.example', exact: true }).waitFor();
  });

  it('can be requested in either form if internationalized', async () => {
    const page = await desk.open({ path: '/issue' });
    const names = page.getByRole('combobox', { name: 'Names' });
    await names.fill('*.Bücher.example');
    await names.press('Enter');
    await page.getByText('*.xn--bcher-kva.example (*.bücher.example)').waitFor();
    await expectAccessible(page);
    await names.fill('bad name/ü');
    await names.press('Enter');
    await page.getByText(/name\/ü is neither a host name nor an IP address/).waitFor();
  });
});
