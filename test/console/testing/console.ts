// The console as a person has it: a whole platform and one browser for a test file, a fresh profile of the browser for
// each test.
import { sharedTestServer, type TestServer } from '@signetry/testkit';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, vi } from 'vitest';
import { launchChromium } from './chromium.ts';

const BUILD_TIMEOUT_MS = 60_000;
/** Far more than a page needs; a busy machine gets its time, and whatever never comes fails the test. */
const PATIENCE_MS = 15_000;

export interface ConsoleDesk {
  readonly server: TestServer;
  /** Somebody who is signed in, on a page of the console. */
  open(visit?: Visit): Promise<Page>;
  /** Somebody whom the platform does not know yet. */
  openAsStranger(path: string): Promise<Page>;
  /** A fresh sign-in link of a user. */
  linkOf(username: string): Promise<string>;
}

type Session = Awaited<ReturnType<BrowserContext['storageState']>>;

export interface Visit {
  readonly path?: string;
  /** The administrator when absent. */
  readonly as?: string;
  readonly viewport?: { readonly width: number; readonly height: number };
}

/**
 * One platform, unless there is one already, and one browser for all tests of a file. Call it at the top of a group
 * that is skipped without a browser.
 */
export function sharedConsole(server: TestServer = sharedTestServer({ console: true })): ConsoleDesk {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await launchChromium();
    await isBuilt(server.ready.http);
  }, BUILD_TIMEOUT_MS);
  afterAll(() => browser?.close());

  const linkOf = async (username: string): Promise<string> => {
    const { path } = await server.running.areas.identity.issueSignInLink(username);
    return `${server.ready.http}${path.reveal()}`;
  };

  async function freshPage(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await openContext(browser ?? expect.unreachable('the browser is there from beforeAll on'), options);
    const findings = watch(context);
    onTestFinished(async () => {
      await context.close();
      expect(findings, 'what the browser complained of').toEqual([]);
    });
    return context.newPage();
  }

  /** Signing in takes its time, so the session of a user is used by all tests of the file. */
  const sessions = new Map<string, Promise<Session>>();
  async function signIn(username: string): Promise<Session> {
    const page = await freshPage();
    await page.goto(await linkOf(username));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    return page.context().storageState();
  }

  return {
    server,
    linkOf,
    async open({ path = '/', as = 'admin', viewport } = {}) {
      const session = sessions.get(as) ?? signIn(as);
      sessions.set(as, session);
      const page = await freshPage({ storageState: await session, ...(viewport ? { viewport } : {}) });
      await page.goto(`${server.ready.http}${path}`);
      return page;
    },
    async openAsStranger(path) {
      const page = await freshPage();
      await page.goto(`${server.ready.http}${path}`);
      return page;
    },
  };
}

/** The first start of a clone builds the console beside everything else. */
async function isBuilt(http: string): Promise<void> {
  const pageOf = async () => (await fetch(http)).text();
  await vi.waitUntil(async () => !(await pageOf()).includes('being prepared'), {
    timeout: BUILD_TIMEOUT_MS,
    interval: 50,
  });
  expect(await pageOf(), 'the page of the console').toContain('<div id="root">');
}

async function openContext(browser: Browser, options: BrowserContextOptions): Promise<BrowserContext> {
  const context = await browser.newContext({
    locale: 'en-GB',
    timezoneId: 'UTC',
    colorScheme: 'light',
    // Nothing moves, so nothing is looked at half-way.
    reducedMotion: 'reduce',
    viewport: { width: 1280, height: 900 },
    ...options,
  });
  context.setDefaultTimeout(PATIENCE_MS);
  return context;
}

/**
 * Errors of scripts and breaches of the content policy. Refused requests are no fault of a page: it tells of them in
 * words.
 */
function watch(context: BrowserContext): readonly string[] {
  const findings: string[] = [];
  context.on('weberror', (error) => findings.push(String(error.error())));
  context.on('console', (message) => {
    const isRequest = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isRequest) findings.push(message.text());
  });
  return findings;
}
