// `npm run screens [-- --out=DIR] [--only=NAME]`: pictures of every page with sample data, at three widths, in light
// and in dark. They are for eyes: nothing is compared, and none of them belongs into the repository.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startServer } from '@signetry/server';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { fillWithSamples, type Samples } from './sample-data.ts';
import { placeSampleOrders, startChallengeTargets } from './sample-orders.ts';
import { launchChromium } from './testing/chromium.ts';

const SIZES = [
  { width: 360, height: 780 },
  { width: 1440, height: 900 },
  { width: 2560, height: 1440 },
];
const SCHEMES = ['light', 'dark'] as const;

interface Screen {
  readonly name: string;
  readonly path: string;
  /** What is done on the page before its picture is taken. */
  readonly act?: (page: Page) => Promise<unknown>;
  /** The picture of what is in sight, for what lies over a page. */
  readonly inSight?: boolean;
}

const click = (role: 'button' | 'link', name: string) => (page: Page) => page.getByRole(role, { name }).click();
const paste = (text: string) => async (page: Page) => {
  await page.getByText('I have a CSR').click();
  await page.getByRole('textbox', { name: 'Certificate signing request' }).fill(text);
};
const name = async (page: Page, text: string) => {
  await page.getByRole('combobox', { name: 'Names' }).fill(text);
  await page.keyboard.press('Enter');
};

const make = async (page: Page, button: string) => {
  await page.getByRole('button', { name: button }).click();
  await page.getByText('Save the private key now').waitFor();
};
/** As the overview is before there is anything. */
const asNew = async (page: Page) => {
  await page.route('**/api/v1/statistics*', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), totalCertificates: 3 } });
  });
  await page.reload({ waitUntil: 'networkidle' });
};

const screens = (samples: Samples): readonly Screen[] => [
  { name: 'overview', path: '/' },
  { name: 'overview-new', path: '/', act: asNew },
  { name: 'account-menu', path: '/', act: (page) => page.getByRole('button', { name: /account/ }).click(), inSight: true },
  { name: 'menu', path: '/', act: async (page) => {
    const burger = page.getByRole('button', { name: 'Menu', exact: true });
    if (await burger.isVisible()) await burger.click();
  }, inSight: true },
  { name: 'palette', path: '/', act: async (page) => {
    await page.getByRole('button', { name: 'Search certificates or go to…' }).click();
    await page.getByRole('combobox', { name: /^Search certificates/ }).fill('example');
    await page.getByRole('option').nth(2).waitFor();
  }, inSight: true },
  { name: 'inventory', path: '/certificates' },
  { name: 'inventory-chosen', path: '/certificates', act: async (page) => {
    await page.getByRole('checkbox', { name: /^Select / }).nth(2).click();
  }, inSight: true },
  { name: 'inventory-empty', path: '/certificates?text=nothing' },
  { name: 'certificate', path: `/certificates/${samples.valid}` },
  { name: 'certificate-revoked', path: `/certificates/${samples.revoked}` },
  { name: 'certificate-expired', path: `/certificates/${samples.expired}` },
  { name: 'certificate-root', path: `/certificates/${samples.root}` },
  { name: 'certificate-download', path: `/certificates/${samples.valid}`, act: click('button', 'Download'), inSight: true },
  { name: 'renew', path: `/certificates/${samples.valid}`, act: click('button', 'Renew'), inSight: true },
  { name: 'revoke', path: `/certificates/${samples.valid}`, act: click('button', 'Revoke'), inSight: true },
  { name: 'issue', path: '/issue' },
  { name: 'issue-names', path: '/issue', act: async (page) => {
    await name(page, 'app.example.com');
    await name(page, 'bad-.name');
  } },
  { name: 'issue-pasted', path: '/issue', act: paste(samples.request) },
  { name: 'issue-bad', path: '/issue', act: paste('-----BEGIN PRIVATE KEY-----') },
  { name: 'issued', path: '/issue', act: async (page) => {
    await name(page, 'made.example');
    await make(page, 'Issue the certificate');
  } },
  { name: 'issued-pkcs12', path: '/issue', act: async (page) => {
    await name(page, 'packed.example');
    await make(page, 'Issue the certificate');
    await page.getByRole('button', { name: 'Save as PKCS#12' }).click();
    await page.getByRole('button', { name: 'Save the file' }).click();
  }, inSight: true },
  { name: 'issue-options', path: '/issue', act: async (page) => {
    await name(page, 'wished.example');
    await page.getByRole('button', { name: 'Show options' }).click();
    await page.getByRole('textbox', { name: 'Validity in days' }).fill('soon');
    await page.getByRole('button', { name: 'Issue the certificate' }).click();
  } },
  { name: 'rekey', path: `/certificates/${samples.valid}/rekey` },
  { name: 'rekeyed', path: `/certificates/${samples.valid}/rekey`, act: (page) => make(page, 'Rekey the certificate') },
  { name: 'notice', path: `/ra-profiles/${samples.raProfile}/edit`, act: async (page) => {
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('status').getByText('was saved').waitFor();
  }, inSight: true },
  { name: 'authorities', path: '/authorities' },
  { name: 'authority', path: `/authorities/${samples.authority}` },
  { name: 'authority-new', path: '/authorities/new' },
  { name: 'ra-profiles', path: '/ra-profiles' },
  { name: 'ra-profile', path: `/ra-profiles/${samples.raProfile}` },
  { name: 'ra-profile-new', path: '/ra-profiles/new' },
  { name: 'acme', path: '/acme' },
  { name: 'acme-profile', path: `/acme/${samples.acmeProfile}` },
  { name: 'acme-orders', path: `/acme/${samples.acmeProfile}?tab=orders` },
  { name: 'acme-orders-none', path: `/acme/${samples.acmeProfile}?tab=orders&status=processing` },
  { name: 'acme-accounts', path: `/acme/${samples.acmeProfile}?tab=accounts` },
  { name: 'acme-account', path: `/acme/${samples.acmeProfile}?tab=accounts`, act: async (page) => {
    await page.getByRole('table', { name: 'Accounts' }).getByRole('link').first().click();
    await page.getByRole('table', { name: 'Orders' }).waitFor();
  } },
  { name: 'acme-keys', path: `/acme/${samples.acmeProfile}?tab=keys` },
  { name: 'acme-settings', path: `/acme/${samples.acmeProfile}?tab=settings` },
  { name: 'acme-remove', path: `/acme/${samples.acmeProfile}`, act: async (page) => {
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Remove by force' }).waitFor();
  }, inSight: true },
  { name: 'acme-new', path: '/acme/new' },
  { name: 'connectors', path: '/connectors' },
  { name: 'connector', path: `/connectors/${samples.connector}` },
  { name: 'connector-new', path: '/connectors/new' },
  { name: 'not-found', path: '/nowhere' },
]; // prettier-ignore

const { values } = parseArgs({ options: { out: { type: 'string' }, only: { type: 'string' } } });
const out = values.out ?? mkdtempSync(join(tmpdir(), 'signetry-screens-'));
mkdirSync(out, { recursive: true });
const data = mkdtempSync(join(tmpdir(), 'signetry-screens-data-'));
const targets = await startChallengeTargets();
const server = await startServer({
  environment: {},
  args: [`--data=${data}`, '--http=127.0.0.1:0', '--https=127.0.0.1:0', '--log-level=error', ...targets.args],
  acmeRetryDelaysMs: [],
  out: () => undefined,
});
const browser = await launchChromium();
try {
  // written by the platform
  const { token } = JSON.parse(readFileSync(join(data, 'run.json'), 'utf8')) as { token: string };
  const samples = await fillWithSamples(server, token);
  const ca = readFileSync(server.announcement.rootCertificate, 'utf8');
  await placeSampleOrders(targets, { directoryUrl: samples.acmeDirectory, ca });
  const session = await signIn(browser);
  for (const viewport of SIZES)
    for (const colorScheme of SCHEMES) {
      const look = { viewport, colorScheme, reducedMotion: 'reduce', locale: 'en-GB', timezoneId: 'UTC' } as const;
      await takeAll(await browser.newContext(look), [{ name: 'sign-in', path: '/' }]);
      await takeAll(await browser.newContext({ ...look, storageState: session }), screens(samples));
    }
  console.log(`The pictures are in ${out}`);
} finally {
  await browser.close();
  await server.stop();
  await targets.stop();
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
