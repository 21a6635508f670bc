// How much of the console a browser loads, how soon it is usable on a slow machine, and how fast it changes pages and
// scrolls.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient, type Client } from '@signetry/client';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { makeRequest } from '../e2e/testing/requests.ts';
import { launchChromium } from '../console/testing/chromium.ts';
import { median, percentile, type BenchmarkReport, type Figure } from './report.ts';
import { startServerProcess } from './server-process.ts';

const ROWS = 1_000;
const SLOWDOWN = 4;
const SCROLL_MS = 4_000;
const ISSUERS = 16;
/** Menu pages, in the order in which they are opened. */
const PAGES = ['Inventory', 'Issue', 'Authorities', 'RA profiles', 'ACME', 'Connectors', 'Overview'] as const;

type Session = Awaited<ReturnType<BrowserContext['storageState']>>;

export async function benchConsole(options: ReadonlyMap<string, string>): Promise<BenchmarkReport> {
  const rounds = Number(options.get('rounds') ?? 5);
  const directory = mkdtempSync(join(tmpdir(), 'signetry-bench-'));
  const server = await startServerProcess({ directory });
  const browser = await launchChromium();
  try {
    const client = createClient({ baseUrl: server.ready.api, token: server.ready.token });
    const uuid = await issueMany(client);
    const { http } = server.ready;
    while ((await fetch(http)).status === 503) await delay(200);
    const link = await client.signInLinks.createSignInLink({});
    const session = await signIn(browser, link.url);
    const desk = { browser, http, session, rounds };
    return {
      name: 'Console',
      figures: [
        ...(await weights(desk, uuid)),
        ...(await firstLoads(desk)),
        ...(await pageChanges(desk)),
        ...(await scrolling(desk)),
      ],
      notes: [
        `${rounds} rounds, medians. Chromium ${browser.version()} without a GPU; on the same machine as the platform.`,
      ],
    };
  } finally {
    await browser.close();
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

interface Desk {
  readonly browser: Browser;
  readonly http: string;
  readonly session: Session;
  readonly rounds: number;
}

async function issueMany(client: Client): Promise<string> {
  const [profile] = await client.raProfiles.listRaProfiles();
  const params = { authorityUuid: profile?.authorityInstanceUuid ?? '', raProfileUuid: profile?.uuid ?? '' };
  let made = 0;
  let last = '';
  const work = async (): Promise<void> => {
    while (made < ROWS) {
      const name = `host-${++made}.example`;
      const { pem } = await makeRequest({ subject: `CN=${name}`, dnsNames: [name] });
      const body = { request: pem, attributes: [] };
      ({ uuid: last } = await client.clientOperations.issueCertificate({ params, body }));
    }
  };
  await Promise.all(Array.from({ length: ISSUERS }, work));
  return last;
}

async function signIn(browser: Browser, link: string): Promise<Session> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(link);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  const session = await context.storageState();
  await context.close();
  return session;
}

/** Opens a page in a browser context with an empty cache. */
async function freshPage({ browser, session }: Desk, slowdown: number): Promise<Page> {
  const page = await (await browser.newContext({ storageState: session })).newPage();
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  return page;
}

/** Compressed scripts and styles loaded on the first visit of a page. */
async function weights(desk: Desk, uuid: string): Promise<readonly Figure[]> {
  const pages = {
    overview: '/',
    inventory: '/certificates',
    certificate: `/certificates/${uuid}`,
    issue: '/issue',
    authorities: '/authorities',
    'RA profiles': '/ra-profiles',
    ACME: '/acme',
    connectors: '/connectors',
  };
  const figures: Figure[] = [];
  for (const [name, path] of Object.entries(pages)) {
    const page = await freshPage(desk, 1);
    const sizes: Promise<number>[] = [];
    page.on('requestfinished', (request) => {
      if (!/\/console\/.*\.(?:js|css)$/.test(request.url())) return;
      sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
    });
    await page.goto(`${desk.http}${path}`, { waitUntil: 'networkidle' });
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    figures.push({ name: `script and style on first visit: ${name}`, value: bytes / 1024, unit: 'KiB gzipped' });
    await page.context().close();
  }
  return figures;
}

/** Time from navigation until the page is usable. */
async function firstLoads(desk: Desk): Promise<readonly Figure[]> {
  const loads = { overview: ['/', 'Needs attention'], inventory: ['/certificates', 'Expires'] } as const;
  const figures: Figure[] = [];
  for (const [name, [path, sign]] of Object.entries(loads)) {
    const samples: number[] = [];
    for (let round = 0; round < desk.rounds; round += 1) {
      const page = await freshPage(desk, SLOWDOWN);
      const started = performance.now();
      await page.goto(`${desk.http}${path}`, { waitUntil: 'commit' });
      await page.getByRole('main').getByText(sign).first().waitFor();
      samples.push((performance.now() - started) / 1000);
      await page.context().close();
    }
    figures.push({
      name: `first load until usable, CPU slowed down ${SLOWDOWN}x: ${name}`,
      value: median(samples),
      unit: 's',
      goal: '<= 2.5 s',
    });
  }
  return figures;
}

/** Time from the click until the page is painted with its content. */
async function pageChanges(desk: Desk): Promise<readonly Figure[]> {
  const first: number[] = [];
  const again: number[] = [];
  for (let round = 0; round < desk.rounds; round += 1) {
    const page = await freshPage(desk, 1);
    await page.goto(desk.http, { waitUntil: 'networkidle' });
    for (const samples of [first, again])
      for (const name of PAGES) {
        const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true });
        samples.push(await link.evaluate(changeOfPage));
        await page.waitForLoadState('networkidle');
      }
    await page.context().close();
  }
  return [
    { name: 'page change, first time: median', value: median(first), unit: 'ms', goal: '<= 200 ms' },
    { name: 'page change, first time: 90th percentile', value: percentile(first, 0.9), unit: 'ms' },
    { name: 'page change, repeated: median', value: median(again), unit: 'ms', goal: '<= 200 ms' },
  ];
}

/** The DOM types used by the functions below; the DOM library is not available here. */
interface Element {
  readonly textContent: string;
  readonly ownerDocument: {
    readonly defaultView: {
      requestAnimationFrame(next: (at: number) => void): void;
      scrollBy(x: number, y: number): void;
    };
    querySelector(selector: string): Element | null;
  };
  click(): void;
}

/** Runs in the page. */
async function changeOfPage(link: Element): Promise<number> {
  const { ownerDocument: page } = link;
  const heading = (): string => page.querySelector('h1')?.textContent ?? '';
  const frame = () => new Promise((resolve) => page.defaultView.requestAnimationFrame(resolve));
  const before = heading();
  const started = performance.now();
  link.click();
  while (heading() === before || heading() === '' || page.querySelector('main [role=status]')) await frame();
  await frame();
  return performance.now() - started;
}

/** Frames while scrolling through a list of 1,000 rows. */
async function scrolling(desk: Desk): Promise<readonly Figure[]> {
  const page = await freshPage(desk, 1);
  await page.goto(`${desk.http}/certificates?size=${ROWS}`);
  const table = page.getByRole('table', { name: 'Certificates' });
  await table
    .getByRole('row')
    .nth(ROWS - 5)
    .waitFor({ state: 'attached' });
  const frames = await table.evaluate(framesOfScrolling, SCROLL_MS);
  await page.context().close();
  return [
    {
      name: `scrolling ${ROWS.toLocaleString('en')} rows: frames`,
      value: (frames.length / SCROLL_MS) * 1000,
      unit: '/s',
    },
    { name: 'scrolling: frame, median', value: median(frames), unit: 'ms' },
    { name: 'scrolling: frame, 99th percentile', value: percentile(frames, 0.99), unit: 'ms', goal: '<= 50 ms' },
  ];
}

/** Runs in the page. */
async function framesOfScrolling(table: Element, forMs: number): Promise<number[]> {
  const { ownerDocument: page } = table;
  const frame = () => new Promise<number>((resolve) => page.defaultView.requestAnimationFrame(resolve));
  const frames: number[] = [];
  const started = await frame();
  for (let last = started; last - started < forMs;) {
    page.defaultView.scrollBy(0, 120);
    const now = await frame();
    frames.push(now - last);
    last = now;
  }
  return frames;
}
