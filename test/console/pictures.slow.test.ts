// The pictures in docs/pictures show the current console: their recorded labels are those of the pages.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { patience } from '@signetry/testkit/patience';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { labelsOf, openPicture, pictures, PICTURES } from './picture-list.ts';
import { startSamplePlatform, type SamplePlatform } from './sample-platform.ts';
import { CHROMIUM, CHROMIUM_NOTE, launchChromium } from './testing/chromium.ts';

const START_TIMEOUT_MS = 180_000 * patience;
const MAX_BYTES = 2 * 1024 * 1024;

describe.skipIf(CHROMIUM === undefined)(`the pictures in the documents${CHROMIUM_NOTE}`, () => {
  let platform: SamplePlatform;
  let browser: Browser;

  beforeAll(async () => {
    [platform, browser] = await Promise.all([startSamplePlatform(), launchChromium()]);
  }, START_TIMEOUT_MS);

  afterAll(async () => {
    await browser?.close();
    await platform?.stop();
  });

  it('show the labels on the current pages (after a change: npm run pictures)', async () => {
    const session = await platform.signIn(browser);
    for (const picture of pictures(platform).filter(({ scheme }) => scheme === 'light')) {
      const page = await openPicture({ browser, platform }, picture, session);
      const recorded = readFileSync(join(PICTURES, `${picture.name}.txt`), 'utf8');
      expect(await labelsOf(page), picture.name).toBe(recorded);
      await page.context().close();
    }
  });

  it('are at most 2 MiB in total', () => {
    const sizes = pictures(platform).map(({ name }) => statSync(join(PICTURES, `${name}.png`)).size);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(MAX_BYTES);
  });
});
