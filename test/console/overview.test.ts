// What the overview shows about certificates that expire, were replaced or are not trusted.
import { beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible, expectLargeTargets } from './testing/accessibility.ts';
import { certificateFor, renewalOf } from './testing/certificates.ts';
import { CHROMIUM, CHROMIUM_NOTE } from './testing/chromium.ts';
import { sharedConsole } from './testing/console.ts';

describe.skipIf(CHROMIUM === undefined)(`the overview${CHROMIUM_NOTE}`, () => {
  const desk = sharedConsole();

  /** Moves the validity period of a certificate, which no operation does. */
  const setExpiry = (uuid: string, days: number, hours = 0) =>
    desk.server.running.platform.database.query(
      `UPDATE certificate SET not_before = now() - interval '400 days',
         not_after = now() + $2::int * interval '1 day' + $3::int * interval '1 hour'
       WHERE uuid = $1`,
      [uuid, days, hours],
    );

  beforeAll(async () => {
    const { client } = desk.server;
    const replaced = await certificateFor(client, 'replaced.example');
    await renewalOf(client, replaced.uuid);
    await setExpiry(replaced.uuid, 5);
    await setExpiry((await certificateFor(client, 'soon.example')).uuid, 25);
    await setExpiry((await certificateFor(client, 'just-within.example')).uuid, 30, -1);
    await setExpiry((await certificateFor(client, 'just-beyond.example')).uuid, 30, 1);
    await setExpiry((await certificateFor(client, 'over.example')).uuid, -3);
    await setExpiry((await certificateFor(client, 'just-over.example')).uuid, 0, -1);
    await setExpiry((await certificateFor(client, 'late.example')).uuid, 700);
  });

  it('counts only certificates that have not been replaced, and links to exactly those', async () => {
    const page = await desk.open({ path: '/' });
    const attention = page.getByRole('region', { name: 'Needs attention' });
    const link = attention.getByRole('link', { name: /certificates? expires? within 30 days/ });
    const [count] = /\d+/.exec(await link.innerText()) ?? [];
    await link.click();
    const names = page.getByRole('table', { name: 'Certificates' }).getByRole('link');
    await expect.poll(() => names.allTextContents()).toContain('soon.example');
    const listed = await names.allTextContents();
    expect(listed).not.toContain('replaced.example');
    expect(listed).toHaveLength(Number(count));
    await page.getByText('Not replaced by another certificate').waitFor();
    expect(await page.getByRole('checkbox', { name: 'Expires within 30 days' }).isChecked()).toBe(true);
  });

  it('links the number of certificates without automated renewal to a list of exactly those certificates', async () => {
    const page = await desk.open({ path: '/' });
    const link = page.getByRole('link', { name: /certificates? (has|have) no automated renewal/ });
    const [count] = /\d+/.exec(await link.innerText()) ?? [];
    await link.click();
    const names = page
      .getByRole('table', { name: 'Certificates without automated renewal' })
      .getByRole('link', { name: /example$/ });
    await expect
      .poll(async () => (await names.allTextContents()).toSorted())
      .toEqual(['just-within.example', 'soon.example']);
    expect(Number(count)).toBe(2);
  });

  it('uses the same limit for "within 30 days" in its bars, its text and the list', async () => {
    const page = await desk.open({ path: '/' });
    const timeline = page.getByRole('region', { name: 'Certificates by expiry' });
    await timeline.getByRole('link', { name: /^1 certificate expires from/ }).waitFor();
    await page.getByText(/^3 certificates expire within 30 days/).waitFor();
    await page.getByText(/^2 certificates have expired/).waitFor();
    await timeline.getByRole('link', { name: /^4 certificates expire within 30 days/ }).click();
    const names = page.getByRole('table', { name: 'Certificates' }).getByRole('link');
    await expect
      .poll(async () => (await names.allTextContents()).toSorted())
      // The responder certificate is valid for 30 days, of which some seconds have passed.
      .toEqual(['OCSP responder of Signetry Root', 'just-within.example', 'replaced.example', 'soon.example']);
    expect(await page.getByRole('checkbox', { name: 'Expires within 30 days' }).isChecked()).toBe(true);
    await page.goBack();
    await timeline.getByRole('link', { name: /^1 certificate expires from/ }).click();
    await expect.poll(() => names.allTextContents()).toEqual(['just-beyond.example']);
  });

  it.each([360, 768, 1440, 2560])(
    'shows both expired certificates and those that expire much later, %d px wide',
    async (width) => {
      const page = await desk.open({ path: '/', viewport: { width, height: 900 } });
      const timeline = page.getByRole('region', { name: 'Certificates by expiry' });
      await timeline.getByRole('link', { name: /^2 certificates have expired/ }).waitFor();
      await timeline.getByRole('link', { name: /^4 certificates expire within 30 days/ }).waitFor();
      await expectLargeTargets(page);
      await expectAccessible(page);
      await timeline.getByRole('link', { name: /expires? on or after/ }).click();
      const names = page.getByRole('table', { name: 'Certificates' }).getByRole('link');
      await expect.poll(() => names.allTextContents()).toContain('late.example');
    },
  );
});
