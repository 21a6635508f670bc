// `npm run pictures`: renders the pictures of the README and of the guides, and records their labels.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { labelsOf, openPicture, pictures, PICTURES } from './picture-list.ts';
import { startSamplePlatform } from './sample-platform.ts';
import { launchChromium } from './testing/chromium.ts';

const platform = await startSamplePlatform();
const browser = await launchChromium();
try {
  const session = await platform.signIn(browser);
  for (const picture of pictures(platform)) {
    const page = await openPicture({ browser, platform }, picture, session);
    await page.screenshot({ path: join(PICTURES, `${picture.name}.png`) });
    if (picture.scheme === 'light') writeFileSync(join(PICTURES, `${picture.name}.txt`), await labelsOf(page));
    await page.context().close();
    console.log(`docs/pictures/${picture.name}.png`);
  }
} finally {
  await browser.close();
  await platform.stop();
}
