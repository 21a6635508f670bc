// `npm run screens [-- --out=DIR] [--only=NAME] [--width=768]`: screenshots of every page with sample data, at four
// widths, in light and in dark mode. They are for visual review: nothing is compared, and they must not be committed.
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { BrowserContext } from 'playwright-core';
import { startSamplePlatform } from './sample-platform.ts';
import { screens, publicScreens, type Screen } from './screen-list.ts';
import { launchChromium } from './testing/chromium.ts';

const SIZES = [
  { width: 360, height: 780 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
  { width: 2560, height: 1440 },
];
const SCHEMES = ['light', 'dark'] as const;

const { values } = parseArgs({
  options: { out: { type: 'string' }, only: { type: 'string' }, width: { type: 'string' } },
});
const out = values.out ?? mkdtempSync(join(tmpdir(), 'signetry-screens-'));
mkdirSync(out, { recursive: true });
const platform = await startSamplePlatform();
const browser = await launchChromium();
try {
  const session = await platform.signIn(browser);
  for (const viewport of SIZES.filter(({ width }) => values.width === undefined || String(width) === values.width))
    for (const colorScheme of SCHEMES) {
      const look = { viewport, colorScheme, reducedMotion: 'reduce', locale: 'en-GB', timezoneId: 'UTC' } as const;
      await captureAll(await browser.newContext(look), publicScreens);
      await captureAll(await browser.newContext({ ...look, storageState: session }), screens(platform.samples));
    }
  console.log(`The pictures are in ${out}`);
} finally {
  await browser.close();
  await platform.stop();
}

async function captureAll(context: BrowserContext, wanted: readonly Screen[]): Promise<void> {
  context.setDefaultTimeout(10_000);
  // The first visit to a page can be slow on a busy machine, since the page may have to write its data.
  context.setDefaultNavigationTimeout(30_000);
  for (const screen of wanted) {
    if (values.only !== undefined && !screen.name.match(values.only)) continue;
    const page = await context.newPage();
    const { width = 0 } = page.viewportSize() ?? {};
    const scheme = await page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'");
    const file = `${screen.name}-${width}-${String(scheme)}.png`;
    try {
      await page.goto(`${platform.url}${screen.path}`, { waitUntil: 'networkidle' });
      await screen.act?.(page);
      await page.waitForLoadState('networkidle');
    } catch (error) {
      console.log(`${file}: ${error instanceof Error ? error.message.split('\n', 1)[0] : String(error)}`);
    }
    const wider = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    if (wider > 0) console.log(`${file}: the page is ${wider} px wider than the window`);
    await page.screenshot({ path: join(out, file), fullPage: screen.inSight !== true });
    await page.close();
  }
  await context.close();
}
