// Certificates that users request in the console.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { exportPrivateKeyPem, pkcs12Identity, readPkcs12 } from '@signetry/pki/node';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { defaultProfile } from '../e2e/testing/profiles.ts';
import { makeRequest } from '../e2e/testing/requests.ts';
import { expectAccessible } from './testing/accessibility.ts';
import { CHROMIUM, CHROMIUM_NOTE } from './testing/chromium.ts';
import { sharedConsole } from './testing/console.ts';
import { saveByClick } from './testing/downloads.ts';

const issueButton = (page: Page) => page.getByRole('button', { name: 'Issue certificate' });

/** Pastes a CSR on the issue page. */
async function paste(page: Page, text: string): Promise<void> {
  await page.getByText('I have a CSR').click();
  await page.getByRole('textbox', { name: 'Certificate signing request' }).fill(text);
}

/** Adds a name to a certificate whose key is generated in the browser. */
async function name(page: Page, text: string): Promise<void> {
  const names = page.getByRole('combobox', { name: 'Names' });
  await names.fill(text);
  await names.press('Enter');
}

/** Error of a field, as assistive technology reads it. */
const fieldErrorOf = (page: Page, name: string) =>
  page.getByRole('textbox', { name }).evaluate((field) => {
    const ids = field.getAttribute('aria-describedby')?.split(' ') ?? [];
    const words = ids.map((id: string) => field.ownerDocument.getElementById(id)?.textContent ?? '');
    return { isInvalid: field.getAttribute('aria-invalid') === 'true', words: words.join(' ') };
  });

describe.skipIf(CHROMIUM === undefined)(`issuing${CHROMIUM_NOTE}`, () => {
  const desk = sharedConsole();

  it('with a pasted CSR shows its contents, issues the certificate, and offers the files', async () => {
    const request = await makeRequest({ subject: 'CN=pasted.example,O=Example', dnsNames: ['pasted.example'] });
    const page = await desk.open({ path: '/issue' });
    await paste(page, request.pem);
    await page.getByText('Valid', { exact: true }).waitFor();
    await page.getByText('ECDSA P-256').waitFor();
    await expectAccessible(page);
    await issueButton(page).click();
    await page.getByRole('heading', { name: 'pasted.example' }).waitFor();
    await expectAccessible(page);
    const file = await saveByClick(page, page.getByRole('button', { name: 'Save certificate and chain' }));
    expect(file.name).toBe('pasted.example-chain.pem');
    const [leaf = '', root = ''] = file.text.split(/(?<=-----END CERTIFICATE-----\s)(?=-----BEGIN)/);
    expect(new X509Certificate(leaf).checkPrivateKey(request.privateKey)).toBe(true);
    expect(new X509Certificate(leaf).verify(new X509Certificate(root).publicKey)).toBe(true);
    await page.getByRole('link', { name: 'Open in inventory' }).click();
    await page.getByRole('heading', { name: 'pasted.example', level: 1 }).waitFor();
    await page.getByText('Valid', { exact: true }).first().waitFor();
  });

  it('also accepts a CSR as a file', async () => {
    const request = await makeRequest({ subject: 'CN=file.example', dnsNames: ['file.example'] });
    const page = await desk.open({ path: '/issue' });
    await page.getByText('I have a CSR').click();
    await page
      .getByLabel('CSR file')
      .setInputFiles({ name: 'file.csr', mimeType: 'application/pkcs10', buffer: Buffer.from(request.der) });
    await page.getByText('Valid', { exact: true }).waitFor();
    await issueButton(page).click();
    await page.getByRole('heading', { name: 'file.example' }).waitFor();
  });

  it('shows at the field why pasted text is not a CSR, and does not send a request', async () => {
    const request = await makeRequest({ subject: 'CN=half' });
    const page = await desk.open({ path: '/issue' });
    const sent: string[] = [];
    page.on('request', (each) => sent.push(`${each.method()} ${new URL(each.url()).pathname}`));
    const mistakes: readonly [string, RegExp][] = [
      [request.pem.slice(0, 200), /not a valid certificate signing request/],
      ['hello', /not a valid certificate signing request/],
      ['-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----', /This is a certificate/],
      [await exportPrivateKeyPem(request.privateKey), /private key.*Never paste it/],
    ];
    for (const [text, words] of mistakes) {
      await paste(page, text);
      await expect
        .poll(() => fieldErrorOf(page, 'Certificate signing request'))
        .toMatchObject({ isInvalid: true, words: expect.stringMatching(words) });
      expect(await issueButton(page).isDisabled()).toBe(true);
    }
    await expectAccessible(page);
    // Names of object identifiers are read with a search request.
    const isReadCall = (call: string) => call.startsWith('GET ') || call === 'POST /api/v1/oids/list';
    expect(sent.filter((call) => !isReadCall(call))).toEqual([]);
  });

  it("flags a CSR that is signed with a different key, and shows the platform's error if it is submitted anyway", async () => {
    const { der, pem } = await makeRequest({ subject: 'CN=broken.example', dnsNames: ['broken.example'] });
    const broken = Buffer.from(der);
    broken[broken.length - 3] = (broken.at(-3) ?? 0) ^ 1;
    const page = await desk.open({ path: '/issue' });
    await paste(
      page,
      `-----BEGIN CERTIFICATE REQUEST-----\n${broken.toString('base64')}\n-----END CERTIFICATE REQUEST-----`,
    );
    expect(pem).not.toContain(broken.toString('base64').slice(-20));
    await page.getByText('Invalid', { exact: true }).waitFor();
    await issueButton(page).click();
    await expect
      .poll(() => fieldErrorOf(page, 'Certificate signing request'))
      .toMatchObject({
        isInvalid: true,
        words: expect.stringMatching(/signature/i),
      });
  });

  it('generates a key in the browser that matches the certificate and leaves only as a file', async () => {
    const page = await desk.open({ path: '/issue' });
    const sent: string[] = [];
    page.on('request', (request) =>
      sent.push(`${request.url()} ${request.postData() ?? ''} ${JSON.stringify(request.headers())}`),
    );
    const names = page.getByRole('combobox', { name: 'Names' });
    await names.fill('made.example');
    await names.press('Enter');
    await names.fill('192.0.2.7');
    await names.press('Enter');
    await expectAccessible(page);
    await issueButton(page).click();
    await page.getByText('Save the private key now').waitFor();
    await expectAccessible(page);
    expect(await page.getByRole('button', { name: 'Issue another' }).isDisabled()).toBe(true);

    const key = await saveByClick(page, page.getByRole('button', { name: 'Save private key' }));
    const chain = await saveByClick(page, page.getByRole('button', { name: 'Save certificate and chain' }));
    expect(key.name).toBe('made.example.key.pem');
    const certificate = new X509Certificate(chain.text);
    expect(certificate.checkPrivateKey(createPrivateKey(key.text))).toBe(true);
    expect(certificate.subjectAltName).toBe('DNS:made.example, IP Address:192.0.2.7');

    expect(sent.some((each) => each.includes('CERTIFICATE REQUEST'))).toBe(true);
    const secret = key.text.replaceAll(/-----[A-Z ]+-----|\s/g, '');
    const scalar = createPrivateKey(key.text).export({ format: 'jwk' }).d ?? expect.unreachable('an EC key has d');
    for (const each of sent) {
      expect(each).not.toContain('PRIVATE KEY');
      const bare = each.replaceAll(/\\[rn]|\s/g, '');
      expect(bare.includes(secret.slice(40, 80)) || bare.includes(scalar), each).toBe(false);
    }
    await page.getByRole('button', { name: 'Issue another' }).click();
    await issueButton(page).waitFor();
  });

  it('shows the result at its own URL, with its names and a certificate that can be copied', async () => {
    const names = Array.from({ length: 14 }, (_, at) => `host-${at}.example`);
    const request = await makeRequest({ subject: 'CN=host-0.example', dnsNames: names });
    const page = await desk.open({ path: '/issue' });
    await paste(page, request.pem);
    await issueButton(page).click();
    await page.getByRole('heading', { name: 'host-0.example', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/certificates\/[\da-f-]{36}\/issued$/);
    await page.reload();
    await page.getByText('14 names').waitFor();
    const more = page.getByRole('button', { name: 'and 9 more' });
    await more.click();
    await page.getByText('host-13.example', { exact: true }).waitFor();
    await expectAccessible(page);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy PEM' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = new X509Certificate(await page.evaluate<string>('navigator.clipboard.readText()'));
    expect(copied.checkPrivateKey(request.privateKey)).toBe(true);
  });

  it('generates an Ed25519 key if the browser supports it, and does not offer unsupported key types', async () => {
    const page = await desk.open({ path: '/issue' });
    await name(page, 'edwards.example');
    await page.getByRole('combobox', { name: 'Key', exact: true }).click();
    const offered = page.getByRole('option');
    await offered.filter({ hasText: 'Ed25519' }).waitFor();
    const hasMlDsa = await page.evaluate<boolean>(
      "crypto.subtle.generateKey('ML-DSA-65', false, ['sign', 'verify']).then(() => true, () => false)",
    );
    expect(await offered.filter({ hasText: 'ML-DSA-65' }).count()).toBe(hasMlDsa ? 1 : 0);
    await offered.filter({ hasText: 'Ed25519' }).click();
    await issueButton(page).click();
    await page.getByText('Save the private key now').waitFor();
    const key = await saveByClick(page, page.getByRole('button', { name: 'Save private key' }));
    const chain = await saveByClick(page, page.getByRole('button', { name: 'Save certificate and chain' }));
    const certificate = new X509Certificate(chain.text);
    expect(certificate.publicKey.asymmetricKeyType).toBe('ed25519');
    expect(certificate.checkPrivateKey(createPrivateKey(key.text))).toBe(true);
  });

  it('starts with the most recently used RA profile selected', async () => {
    const { client } = desk.server;
    const { authorityUuid } = await defaultProfile(client);
    const { uuid: raProfileUuid } = await client.raProfiles.createRaProfile({
      params: { authorityUuid },
      body: { name: 'servers', attributes: [] },
    });
    await client.raProfiles.bulkEnableRaProfile({ body: [raProfileUuid] });
    const page = await desk.open({ path: '/issue' });
    const profile = page.getByRole('combobox', { name: 'RA profile' });
    await expect.poll(() => profile.inputValue()).toMatch(/^default/);
    await profile.click();
    await page.getByRole('option', { name: /^servers/ }).click();
    await paste(page, (await makeRequest({ subject: 'CN=last.example', dnsNames: ['last.example'] })).pem);
    await issueButton(page).click();
    await page.getByRole('button', { name: 'Issue another' }).click();
    await expect.poll(() => profile.inputValue()).toMatch(/^servers/);
  });

  it('offers the key with its certificate and chain as a PKCS #12 file, protected by a password that the user enters', async () => {
    const page = await desk.open({ path: '/issue' });
    const sent: string[] = [];
    page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`));
    await name(page, '*.packed.example');
    await issueButton(page).click();
    await page.getByText('Save the private key now').waitFor();
    expect(sent.filter((each) => each.includes('pkcs12'))).toEqual([]);
    await page.getByRole('button', { name: 'Save as PKCS #12' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save as PKCS #12' });
    const password = dialog.getByLabel('Password', { exact: false }).and(page.locator('input'));
    const saveFile = dialog.getByRole('button', { name: 'Save file' });
    const hasFocus = () => password.evaluate((field) => field === field.ownerDocument.activeElement);
    await expect.poll(hasFocus).toBe(true);
    await saveFile.click();
    await expect.poll(hasFocus).toBe(true);
    await dialog.getByText('Enter a password. Without one, anyone who has the file has the key.').waitFor();
    await expectAccessible(page);
    await password.fill('correct hörse');
    await dialog.getByRole('button', { name: 'Show or hide the password' }).click();
    expect(await password.getAttribute('type')).toBe('text');
    const file = await saveByClick(page, saveFile);
    await dialog.waitFor({ state: 'hidden' });
    await page.getByText('The private key is saved').waitFor();

    expect(file.name).toBe('wildcard.packed.example.p12');
    const contents = await readPkcs12(file.bytes, { password: 'correct hörse' });
    expect(contents.keys[0]?.friendlyName).toBe('*.packed.example');
    const { chain } = pkcs12Identity(contents);
    expect(chain.map((certificate) => new X509Certificate(certificate.der).subjectAltName)).toEqual([
      'DNS:*.packed.example',
      undefined,
    ]);
    expect(sent.filter((each) => each.includes('hörse') || each.includes('PRIVATE KEY'))).toEqual([]);
  });

  it("shows the authority's options, does not request names twice, and shows errors at the field", async () => {
    const page = await desk.open({ path: '/issue' });
    await name(page, 'wished.example');
    await page.getByText('Available: validity (days), valid from, valid until.').waitFor();
    await page.getByRole('button', { name: 'Show options' }).click();
    const days = page.getByRole('textbox', { name: 'Validity (days)' });
    await expect.poll(() => days.evaluate((field) => field === field.ownerDocument.activeElement)).toBe(true);
    expect(await page.getByRole('textbox', { name: 'Subject alternative names' }).count()).toBe(0);
    await expectAccessible(page);
    const expectFieldError = async (value: string, words: RegExp) => {
      await days.fill(value);
      await issueButton(page).click();
      await expect
        .poll(() => fieldErrorOf(page, 'Validity (days)'))
        .toMatchObject({ isInvalid: true, words: expect.stringMatching(words) });
    };
    await expectFieldError('soon', /whole number/);
    await expectFieldError('0', /at least 1/);
    await days.fill('3');
    await issueButton(page).click();
    await page.getByText('Save the private key now').waitFor();
    const { text } = await saveByClick(page, page.getByRole('button', { name: 'Save certificate and chain' }));
    const { validFromDate, validToDate } = new X509Certificate(text);
    expect(Math.round((validToDate.getTime() - validFromDate.getTime()) / 86_400_000)).toBe(3);
  });

  it('allows options that override values from a pasted CSR', async () => {
    const request = await makeRequest({ subject: 'CN=right.example', dnsNames: ['typo.example'] });
    const page = await desk.open({ path: '/issue' });
    await paste(page, request.pem);
    await page.getByRole('button', { name: 'Show options' }).click();
    await page.getByRole('textbox', { name: 'Subject alternative names' }).fill('dns:right.example');
    await issueButton(page).click();
    const { text } = await saveByClick(page, page.getByRole('button', { name: 'Save certificate and chain' }));
    expect(new X509Certificate(text).subjectAltName).toBe('DNS:right.example');
    await page.getByRole('link', { name: 'Open in inventory' }).click();
    const asked = page.getByRole('region', { name: 'Attributes' });
    await asked.getByText('Issuance').waitFor();
    await asked.getByText('dns:right.example').waitFor();
    await expectAccessible(page);
  });

  it('explains why a name is not valid', async () => {
    const page = await desk.open({ path: '/issue' });
    const names = page.getByRole('combobox', { name: 'Names' });
    await names.fill('bad_-.example');
    await names.press('Enter');
    await page.getByText('neither a host name nor an IP address').waitFor();
    expect(await issueButton(page).isDisabled()).toBe(true);
    await expectAccessible(page);
  });

  it('asks for confirmation before entered data or a key is lost', async () => {
    const page = await desk.open({ path: '/issue' });
    const inventory = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Inventory' });
    const names = page.getByRole('combobox', { name: 'Names' });
    await names.fill('kept.example');
    await names.press('Enter');
    await inventory.click();
    const question = page.getByRole('dialog', { name: 'Leave without issuing?' });
    await question.waitFor();
    await expectAccessible(page);
    await question.getByRole('button', { name: 'Stay' }).click();
    await question.waitFor({ state: 'hidden' });
    await page.getByText('kept.example').waitFor();
    await issueButton(page).click();
    await page.getByText('Save the private key now').waitFor();
    await inventory.click();
    const warning = page.getByRole('dialog', { name: 'Leave without the private key?' });
    await warning.getByRole('button', { name: 'Stay' }).click();
    await saveByClick(page, page.getByRole('button', { name: 'Save private key' }));
    await inventory.click();
    await page.getByRole('heading', { name: 'Inventory' }).waitFor();
  });

  it('asks for the same confirmation when the tab is closed', async () => {
    const page = await desk.open({ path: '/issue' });
    const names = page.getByRole('combobox', { name: 'Names' });
    await names.fill('closed.example');
    await names.press('Enter');
    const asked = page.waitForEvent('dialog');
    await page.close({ runBeforeUnload: true });
    const dialog = await asked;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.accept();
  });
});
