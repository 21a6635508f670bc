// The console as a person has it: a whole platform and one browser for a test file, and for each test pages of its own.
import { sharedTestServer, type TestServer } from '@signetry/testkit/platform';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, vi } from 'vitest';
import { launchChromium } from './chromium.ts';

const BUILD_TIMEOUT_MS = 60_000;
/** Far more than a page needs; a busy machine gets its time, and whatever never comes fails the test. */
const PATIENCE_MS = 15_000;

export interface ConsoleDesk {
  readonly server: TestServer;
  /** Somebody who is signed in, on a page of the console. A test that signs out needs `openAsStranger` instead. */
  open(visit?: Visit): Promise<Page>;
  /** Somebody whom the platform does not know yet. */
  openAsStranger(path: string): Promise<Page>;
  /** A fresh sign-in link of a user. */
  linkOf(username: string): Promise<string>;
}

/** Somebody who is signed in, in one profile of the browser for all tests of the file. */
interface Session {
  readonly context: BrowserContext;
  readonly findings: string[];
  /** Stays open on an address without scripts. */
  readonly anchor: Page;
}

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

  const freshContext = () => openContext(browser ?? expect.unreachable('the browser is there from beforeAll on'));

  /**
   * Signing in and loading the console for the first time take most of the time of a short test. The anchor keeps the
   * renderer of the site alive, which all pages share (chromium.ts): scripts are fetched and compiled once per file.
   */
  async function signIn(username: string): Promise<Session> {
    const context = await freshContext();
    const findings = watch(context);
    const anchor = await context.newPage();
    await anchor.goto(await linkOf(username));
    await anchor.getByRole('button', { name: 'Sign in' }).click();
    await anchor.getByRole('navigation', { name: 'Main' }).waitFor();
    await anchor.goto(`${server.ready.http}/console/icon.svg`);
    return { context, findings, anchor };
  }
  const sessions = new Map<string, Promise<Session>>();
  function sessionOf(username: string): Promise<Session> {
    const session = sessions.get(username) ?? signIn(username);
    sessions.set(username, session);
    return session;
  }

  return {
    server,
    linkOf,
    async open({ path = '/', as = 'admin', viewport } = {}) {
      const { context, findings, anchor } = await sessionOf(as);
      const page = await context.newPage();
      onTestFinished(async () => {
        await page.close();
        await clean(context, anchor);
        expectNone(findings);
      });
      if (viewport) await page.setViewportSize(viewport);
      await page.goto(`${server.ready.http}${path}`);
      return page;
    },
    async openAsStranger(path) {
      const context = await freshContext();
      const findings = watch(context);
      onTestFinished(async () => {
        await context.close();
        expectNone(findings);
      });
      const page = await context.newPage();
      await page.goto(`${server.ready.http}${path}`);
      return page;
    },
  };
}

/** Undoes what a test may have changed beyond its pages. */
async function clean(context: BrowserContext, anchor: Page): Promise<void> {
  await context.setOffline(false);
  await context.clearPermissions();
  await anchor.evaluate('localStorage.clear()');
}

/** Each finding is told once, by the test that caused it. */
function expectNone(findings: string[]): void {
  expect(findings.splice(0), 'what the browser complained of').toEqual([]);
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

async function openContext(browser: Browser): Promise<BrowserContext> {
  const context = await browser.newContext({
    locale: 'en-GB',
    timezoneId: 'UTC',
    colorScheme: 'light',
    // Nothing moves, so nothing is looked at half-way.
    reducedMotion: 'reduce',
    viewport: { width: 1280, height: 900 },
  });
  context.setDefaultTimeout(PATIENCE_MS);
  return context;
}

/**
 * Errors of scripts and breaches of the content policy. Refused requests are no fault of a page: it tells of them in
 * words.
 */
function watch(context: BrowserContext): string[] {
  const findings: string[] = [];
  context.on('weberror', (error) => findings.push(String(error.error())));
  context.on('console', (message) => {
    const isRequest = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isRequest) findings.push(message.text());
  });
  return findings;
}
