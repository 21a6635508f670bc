// Status messages and copying: messages must not cover controls, and copying must work everywhere.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAccessible } from './testing/accessibility.ts';
import { certificateFor } from './testing/certificates.ts';
import { CHROMIUM, CHROMIUM_NOTE } from './testing/chromium.ts';
import { sharedConsole } from './testing/console.ts';

/** Names of the controls that the message covers after each is scrolled into view, as on focus. */
const findCoveredControls = (page: Page) =>
  page.evaluate<readonly string[] | undefined>(`(() => {
    const notice = document.querySelector('[role=status] [data-tone]');
    if (!notice) return undefined;
    const over = notice.getBoundingClientRect();
    return [...document.querySelectorAll('main a, main button, main input, main textarea, nav a')].flatMap((each) => {
      if (!each.checkVisibility()) return [];
      each.scrollIntoView({ block: 'nearest' });
      const { left, right, top, bottom } = each.getBoundingClientRect();
      const isOver = left < over.right && right > over.left && top < over.bottom && bottom > over.top;
      return isOver ? [each.textContent || each.outerHTML] : [];
    });
  })()`);

describe.skipIf(CHROMIUM === undefined)(`status messages and copying${CHROMIUM_NOTE}`, () => {
  const desk = sharedConsole();

  it.each([
    { width: 360, height: 740 },
    { width: 1280, height: 800 },
  ])('a message does not cover any controls, $width px wide', async (viewport) => {
    const [profile] = await desk.server.client.raProfiles.listRaProfiles();
    const page = await desk.open({ path: `/ra-profiles/${profile?.uuid}/edit`, viewport });
    await page.getByRole('textbox', { name: 'Description' }).fill(`Seen at ${viewport.width} px`);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('status').getByText('was saved').waitFor();
    expect(await findCoveredControls(page)).toEqual([]);
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByRole('button', { name: 'Save' }).waitFor();
    expect(await findCoveredControls(page)).toEqual([]);
    await expectAccessible(page);
  });

  it('copying works even if the browser hides the clipboard, as over plain HTTP', async () => {
    const { uuid } = await certificateFor(desk.server.client, 'copied.example');
    const page = await desk.open();
    await page.addInitScript('Object.defineProperty(navigator, "clipboard", { value: undefined })');
    await page.goto(`${desk.server.ready.http}/certificates/${uuid}`);
    const copy = page.getByRole('button', { name: 'Copy identifier' });
    await copy.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => copy.evaluate((button) => button === button.ownerDocument.activeElement)).toBe(true);
    await page.goto(`${desk.server.ready.http}/issue`);
    await page.getByText('I have a CSR').click();
    const field = page.getByRole('textbox', { name: 'Certificate signing request' });
    await field.focus();
    await page.keyboard.press('Control+V');
    expect(await field.inputValue()).toBe(uuid);
  });

  it('the text is selected, with a hint, if copying is blocked by the browser', async () => {
    const { uuid } = await certificateFor(desk.server.client, 'by-hand.example');
    const page = await desk.open();
    await page.addInitScript(`
      Object.defineProperty(navigator, 'clipboard', { value: undefined });
      document.execCommand = () => false;`);
    await page.goto(`${desk.server.ready.http}/certificates/${uuid}`);
    await page.getByRole('button', { name: 'Copy identifier' }).click();
    const dialog = page.getByRole('dialog', { name: 'Copy the text manually' });
    await dialog.getByText('press Ctrl+C').waitFor();
    await expect.poll(() => page.evaluate('String(getSelection())')).toBe(uuid);
    await expectAccessible(page);
  });
});
