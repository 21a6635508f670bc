// `npm run screens [-- --out=DIR] [--only=NAME] [--width=768]`: pictures of every page with sample data, at four
// widths, in light and in dark. They are for eyes: nothing is compared, and none of them belongs into the repository.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createClient } from '@signetry/client';
import { startServer } from '@signetry/server';
import type { Browser, BrowserContext } from 'playwright-core';
import { fillWithSamples } from './sample-data.ts';
import { createSampleAutomations } from './sample-automations.ts';
import { createSampleDiscoveries } from './sample-discoveries.ts';
import { createSampleLocations, startFileServer } from './sample-locations.ts';
import { createSampleNotifications } from './sample-notifications.ts';
import { createSampleProtocols } from './sample-protocols.ts';
import { placeSampleOrders, startChallengeTargets } from './sample-orders.ts';
import { screens, strangersScreens, type Screen } from './screen-list.ts';
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
const data = mkdtempSync(join(tmpdir(), 'signetry-screens-data-'));
const targets = await startChallengeTargets();
const files = await startFileServer();
const server = await startServer({
  environment: {},
  args: [
    `--data=${data}`,
    '--http=127.0.0.1:0',
    '--https=127.0.0.1:0',
    '--log-level=error',
    '--egress-allowed-hosts=127.0.0.1',
    '--discovery-networks=127.0.0.0/8',
    ...targets.args,
    ...files.args,
  ],
  acmeRetryDelaysMs: [],
  out: () => undefined,
});
const browser = await launchChromium();
const closing: (() => Promise<void>)[] = [];
try {
  // written by the platform
  const { token } = JSON.parse(readFileSync(join(data, 'run.json'), 'utf8')) as { token: string };
  const samples = await fillWithSamples(server, token);
  const client = createClient({ baseUrl: server.announcement.api, token });
  const protocols = await createSampleProtocols(client, server);
  const automations = await createSampleAutomations(client);
  const { provider, ...discoveries } = await createSampleDiscoveries(client);
  closing.push(provider.stop);
  const locations = await createSampleLocations(client, files);
  const { stop: stopReceiver, ...notifications } = await createSampleNotifications(client, server);
  closing.push(stopReceiver);
  const ca = readFileSync(server.announcement.rootCertificate, 'utf8');
  await placeSampleOrders(targets, { directoryUrl: samples.acmeDirectory, ca });
  const session = await signIn(browser);
  for (const viewport of SIZES.filter(({ width }) => values.width === undefined || String(width) === values.width))
    for (const colorScheme of SCHEMES) {
      const look = { viewport, colorScheme, reducedMotion: 'reduce', locale: 'en-GB', timezoneId: 'UTC' } as const;
      await takeAll(await browser.newContext(look), strangersScreens);
      await takeAll(
        await browser.newContext({ ...look, storageState: session }),
        screens({ ...samples, protocols, automations, discoveries, locations, notifications }),
      );
    }
  console.log(`The pictures are in ${out}`);
} finally {
  await browser.close();
  await server.stop();
  await targets.stop();
  await files.stop();
  for (const close of closing) await close();
  rmSync(data, { recursive: true, force: true });
}

async function signIn(browser: Browser): Promise<Awaited<ReturnType<BrowserContext['storageState']>>> {
  const { path } = await server.areas.identity.issueSignInLink('admin');
  // The first start of a clone builds the console meanwhile.
  const address = `${server.announcement.http}/`;
  while ((await fetch(address)).status === 503) await delay(200);
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(new URL(path.reveal(), address).href);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  const session = await context.storageState();
  await context.close();
  return session;
}

async function takeAll(context: BrowserContext, wanted: readonly Screen[]): Promise<void> {
  context.setDefaultTimeout(10_000);
  // The first visit of a page may have to write what it shows, beside whatever else the machine does.
  context.setDefaultNavigationTimeout(30_000);
  for (const screen of wanted) {
    if (values.only !== undefined && !screen.name.match(values.only)) continue;
    const page = await context.newPage();
    const { width = 0 } = page.viewportSize() ?? {};
    const scheme = await page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'");
    const file = `${screen.name}-${width}-${String(scheme)}.png`;
    try {
      await page.goto(`${server.announcement.http}${screen.path}`, { waitUntil: 'networkidle' });
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
