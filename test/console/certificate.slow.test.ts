// User operations on a single certificate.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { Client } from '@signetry/client';
import { generateKeyPair } from '@signetry/pki/node';
import { describe, expect, it } from 'vitest';
import { createExternalAuthority } from '../e2e/testing/external-authority.ts';
import { historyOf } from '../e2e/testing/certificates.ts';
import { makeRequest } from '../e2e/testing/requests.ts';
import { expectAccessible } from './testing/accessibility.ts';
import { certificateFor, renewalOf } from './testing/certificates.ts';
import { CHROMIUM, CHROMIUM_NOTE } from './testing/chromium.ts';
import { sharedConsole } from './testing/console.ts';
import { saveByClick } from './testing/downloads.ts';

async function revokeAsSuperseded(client: Client, uuid: string): Promise<void> {
  const { raProfile } = await client.certificates.getCertificate({ params: { uuid } });
  const place = { authorityUuid: raProfile?.authorityInstanceUuid ?? '', raProfileUuid: raProfile?.uuid ?? '' };
  await client.clientOperations.revokeCertificate({
    params: { ...place, certificateUuid: uuid },
    body: { reason: 'superseded', attributes: [] },
  });
}

describe.skipIf(CHROMIUM === undefined)(`a certificate${CHROMIUM_NOTE}`, () => {
  const desk = sharedConsole();

  it('shows its details, chain and history, and can be saved in four formats', async () => {
    const { uuid, x509, der } = await certificateFor(desk.server.client, 'read.example');
    const page = await desk.open({ path: `/certificates/${uuid}` });
    await page.getByRole('heading', { name: 'read.example', level: 1 }).waitFor();
    await page.getByText(x509.fingerprint256).waitFor();
    await page.getByRole('region', { name: 'Chain' }).getByRole('link').waitFor();
    await page.getByRole('region', { name: 'History' }).getByText('Issue Certificate').waitFor();
    const extensions = page.getByRole('region', { name: 'Extensions' });
    const extension = (name: string) =>
      extensions.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) });
    await extension('Basic constraints').getByText('Critical', { exact: true }).waitFor();
    await extension('Basic constraints').getByRole('listitem').getByText('No', { exact: true }).waitFor();
    await extension('Key usage').getByRole('listitem').getByText('Digital signature').waitFor();
    const [, ocsp = 'missing'] = /OCSP - URI:(.*)/.exec(x509.infoAccess ?? '') ?? [];
    await extension('Authority information access').getByText(ocsp).waitFor();
    await page.getByText(x509.fingerprint).waitFor();
    expect(await page.title()).toBe('read.example – Signetry');
    await expectAccessible(page);

    const save = async (label: string) => {
      await page.getByRole('button', { name: 'Download' }).click();
      return saveByClick(page, page.getByRole('menuitem', { name: label, exact: true }));
    };
    const pem = await save('Certificate (PEM)');
    expect([pem.name, new X509Certificate(pem.text).fingerprint256]).toEqual(['read.example.pem', x509.fingerprint256]);
    const binary = await save('Certificate (DER)');
    expect([binary.name, binary.bytes.equals(der)]).toEqual(['read.example.der', true]);
    const chain = await save('Certificate and chain (PEM)');
    expect([chain.name, chain.text.match(/BEGIN CERTIFICATE/g)?.length]).toEqual(['read.example-chain.pem', 2]);
    const bundle = await save('Certificate and chain (PKCS #7)');
    expect([bundle.name, bundle.bytes.includes(der)]).toEqual(['read.example.p7b', true]);
  });

  it('shows unknown and unreadable extensions in raw form, and expands long values by keyboard', async () => {
    const authority = await createExternalAuthority('CN=Somewhere Else');
    const { spki } = await generateKeyPair('P-256');
    const der = authority.issue({
      subject: 'CN=odd.example',
      spki,
      extensions: [
        { oid: '2.5.29.30', critical: true, value: Uint8Array.of(0x30, 0x7f) },
        { oid: '1.2.3.4', critical: false, value: new Uint8Array(100).fill(0xab) },
      ],
    });
    const body = { certificate: Buffer.from(der).toString('base64'), customAttributes: [] };
    const { uuid } = await desk.server.client.certificates.uploadCertificate({ body });
    const page = await desk.open({ path: `/certificates/${uuid}` });
    const extensions = page.getByRole('region', { name: 'Extensions' });
    await extensions.getByRole('heading', { name: 'Name constraints' }).waitFor();
    await extensions.getByText('Cannot be decoded').waitFor();
    await extensions.getByText('The length exceeds the enclosing element (byte 0)').waitFor();
    await extensions.getByText('30:7F').waitFor();
    await extensions.getByText('Unknown extension.').waitFor();
    const unfold = extensions.getByRole('button', { name: 'Show all 100 bytes' });
    await unfold.focus();
    await page.keyboard.press('Enter');
    await extensions.getByText('AB:'.repeat(99) + 'AB').waitFor();
    await expectAccessible(page);
  });

  it('collapses its extensions on a phone, with a one-line summary of each', async () => {
    const { uuid } = await certificateFor(desk.server.client, 'folded.example');
    const page = await desk.open({ path: `/certificates/${uuid}`, viewport: { width: 360, height: 780 } });
    const extensions = page.getByRole('region', { name: 'Extensions' });
    await extensions.getByText('Usage: Digital signature').waitFor();
    const identifier = extensions.getByText('2.5.29.15');
    expect(await identifier.isVisible()).toBe(false);
    await expectAccessible(page);
    await extensions.getByRole('button', { name: 'Key usage', exact: true }).click();
    await identifier.waitFor();
    await expectAccessible(page);
  });

  it('links to all certificates with the same name, including renewals', async () => {
    const { client } = desk.server;
    const { uuid } = await certificateFor(client, 'lineage.example');
    const renewal = await renewalOf(client, uuid);
    const page = await desk.open({ path: `/certificates/${uuid}` });
    await page.getByRole('link', { name: 'All certificates for this name' }).click();
    await page.getByRole('heading', { name: 'All certificates for lineage.example', level: 1 }).waitFor();
    const all = page.getByRole('main').locator('ol').getByRole('listitem').filter({ hasText: 'Valid' });
    await expect.poll(() => all.count()).toBe(2);
    expect(await all.first().textContent()).toMatch(/Renews the certificate of .*, with the same key/);
    expect(await all.last().textContent()).toMatch(
      /This certificate.*Issued by Signetry Root under default.*Requested by/,
    );
    await expectAccessible(page);
    await all.first().getByRole('link').first().click();
    await page.waitForURL(`**/certificates/${renewal}`);
  });

  it('links to each certificate of its chain, up to the root', async () => {
    const { uuid } = await certificateFor(desk.server.client, 'leaf.example');
    const page = await desk.open({ path: `/certificates/${uuid}` });
    await page
      .getByRole('region', { name: 'Chain' })
      .getByRole('link', { name: /Signetry Root/ })
      .click();
    await page.getByRole('heading', { name: /Signetry Root/, level: 1 }).waitFor();
    await expectAccessible(page);
  });

  it('can be renewed; the page opens the new certificate, and the old one is kept', async () => {
    const { uuid, x509 } = await certificateFor(desk.server.client, 'renewed.example');
    const page = await desk.open({ path: `/certificates/${uuid}` });
    await page.getByRole('button', { name: 'Renew' }).click();
    const dialog = page.getByRole('dialog', { name: 'Renew renewed.example?' });
    await dialog.waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Renew' }).click();
    await page.getByRole('status').getByText('This is the new certificate').waitFor();
    await expect.poll(() => new URL(page.url()).pathname).not.toBe(`/certificates/${uuid}`);
    await page.getByRole('heading', { name: 'renewed.example', level: 1 }).waitFor();
    await expect.poll(() => page.getByText(x509.fingerprint256).count()).toBe(0);
    expect((await desk.server.client.certificates.getCertificate({ params: { uuid } })).state).toBe('issued');
    await page.getByText('Replaces', { exact: true }).waitFor();
    await page.getByRole('link', { name: /^renewed\.example, / }).click();
    await page.getByText(x509.fingerprint256).waitFor();
    await page.getByText('Replaced by', { exact: true }).waitFor();
    await expectAccessible(page);
  });

  it('can be rekeyed with a key generated in the browser; the subject, the names and the old certificate are kept', async () => {
    const { uuid, x509 } = await certificateFor(desk.server.client, 'rekeyed.example');
    const page = await desk.open({ path: `/certificates/${uuid}` });
    await page.getByRole('link', { name: 'Rekey' }).click();
    await page.getByRole('heading', { name: 'Rekey rekeyed.example', level: 1 }).waitFor();
    await page.getByText('The current certificate stays valid with its own key').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Rekey certificate' }).click();
    await page.getByText('Save the private key now').waitFor();
    await expectAccessible(page);
    const key = await saveByClick(page, page.getByRole('button', { name: 'Save private key' }));
    const chain = await saveByClick(page, page.getByRole('button', { name: 'Save certificate and chain' }));
    const certificate = new X509Certificate(chain.text);
    expect(certificate.checkPrivateKey(createPrivateKey(key.text))).toBe(true);
    expect([certificate.subject, certificate.subjectAltName]).toEqual([x509.subject, x509.subjectAltName]);
    expect(certificate.publicKey.equals(x509.publicKey)).toBe(false);
    await page.getByRole('link', { name: 'Open in inventory' }).click();
    await page.getByText(certificate.fingerprint256).waitFor();
    expect((await desk.server.client.certificates.getCertificate({ params: { uuid } })).state).toBe('issued');
  });

  it('can be rekeyed with a CSR, which must match; the page opens the new certificate', async () => {
    const { uuid, x509 } = await certificateFor(desk.server.client, 'fits.example');
    const page = await desk.open({ path: `/certificates/${uuid}/rekey` });
    await page.getByText('I have a CSR').click();
    const field = page.getByRole('textbox', { name: 'Certificate signing request' });
    const rekey = page.getByRole('button', { name: 'Rekey certificate' });
    expect(await rekey.isDisabled()).toBe(true);
    await field.fill((await makeRequest({ subject: 'CN=other.example' })).pem);
    await rekey.click();
    await page.getByText(/issue a new certificate for a different subject/).waitFor();
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    await expectAccessible(page);

    const request = await makeRequest({ subject: 'CN=fits.example', dnsNames: ['fits.example'] });
    await field.fill(request.pem);
    await rekey.click();
    await page.getByRole('status').getByText('fits.example was rekeyed').waitFor();
    await page.getByRole('heading', { name: 'fits.example', level: 1 }).waitFor();
    await expect.poll(() => page.getByText(x509.fingerprint256).count()).toBe(0);
    const rekeyed = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    const { certificateContent = '' } = await desk.server.client.certificates.getCertificate({
      params: { uuid: rekeyed },
    });
    expect(new X509Certificate(Buffer.from(certificateContent, 'base64')).checkPrivateKey(request.privateKey)).toBe(
      true,
    );
  });

  it('cannot be rekeyed once it is no longer valid', async () => {
    const { client } = desk.server;
    const { uuid } = await certificateFor(client, 'ended.example');
    await revokeAsSuperseded(client, uuid);
    const page = await desk.open({ path: `/certificates/${uuid}/rekey` });
    await page.getByRole('heading', { name: 'This certificate cannot be rekeyed' }).waitFor();
    await expectAccessible(page);
  });

  it('can be revoked with a reason, after a confirmation that names the certificate', async () => {
    const { client } = desk.server;
    const { uuid } = await certificateFor(client, 'revoked.example');
    const page = await desk.open({ path: `/certificates/${uuid}` });
    await page.getByRole('button', { name: 'Revoke' }).click();
    const dialog = page.getByRole('dialog', { name: 'Revoke revoked.example?' });
    await dialog.waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Keep it' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect((await client.certificates.getCertificate({ params: { uuid } })).state).toBe('issued');

    await page.getByRole('button', { name: 'Revoke' }).click();
    await dialog.getByRole('combobox', { name: 'Reason' }).click();
    expect(await page.getByRole('option', { name: /hold/i }).count()).toBe(1);
    await page.getByRole('option', { name: 'Key compromise' }).click();
    await dialog.getByText('No further certificates will be issued for this key.').waitFor();
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('status').getByText('revoked.example is revoked.').waitFor();
    await page.getByText('Revoked', { exact: true }).first().waitFor();
    await page.getByText(/^Revoked on .*: Key compromise$/).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Renew' }).count()).toBe(0);
    await page.getByRole('region', { name: 'History' }).getByText('Revoke Certificate').waitFor();
    await expectAccessible(page);
    expect((await historyOf(client, uuid)).join('\n')).toMatch(/key ?compromise/i);
    expect(await page.getByRole('button', { name: 'Report compromised key' }).count()).toBe(0);
  });

  it('that was revoked for a different reason can later be reported as having a compromised key', async () => {
    const { client } = desk.server;
    const { uuid } = await certificateFor(client, 'stolen-later.example');
    await revokeAsSuperseded(client, uuid);
    const page = await desk.open({ path: `/certificates/${uuid}` });
    await page.getByRole('button', { name: 'Report compromised key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Report the key of stolen-later.example as compromised?' });
    await dialog.waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Report' }).click();
    await page.getByRole('status').getByText('was reported as compromised.').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Report compromised key' }).count()).toBe(0);
    expect((await historyOf(client, uuid)).join('\n')).toContain('the reason is now keyCompromise');
  });

  it('that was not issued shows the reason why', async () => {
    const page = await desk.open({ path: '/issue' });
    const names = page.getByRole('combobox', { name: 'Names' });
    // The authority rejects underscores unless the RA profile allows them.
    await names.fill('under_score.example');
    await names.press('Enter');
    await page.getByRole('button', { name: 'Issue certificate' }).click();
    await page.getByRole('alert').waitFor();
    await expectAccessible(page);
  });
});
