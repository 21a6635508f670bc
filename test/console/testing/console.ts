// The console as a user sees it: a complete platform for each test file, and separate pages for each test. The browser
// is shared by all files of a worker, so that scripts are loaded and compiled once (ADR 85).
import { patience } from '@signetry/testkit/patience';
import { sharedTestServer, type TestServer } from '@signetry/testkit/platform';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, vi } from 'vitest';
import { launchChromium } from './chromium.ts';

const BUILD_TIMEOUT_MS = 60_000 * patience;
/** Far more than a page needs: a busy machine gets enough time, and a missing result still fails the test. */
const PATIENCE_MS = 15_000 * patience;

export interface ConsoleDesk {
  readonly server: TestServer;
  /** Opens a page of the console for a signed-in user. A test that signs out needs `openAsStranger` instead. */
  open(visit?: Visit): Promise<Page>;
  /** Opens a page for a user who is not signed in. */
  openAsStranger(path: string): Promise<Page>;
  /** One page for all tests of a group. Call it inside the group. */
  sharedVisit(): SharedVisit;
  /** Creates a sign-in link for a user. */
  linkOf(username: string): Promise<string>;
}

export interface SharedVisit {
  /** Navigates like a link, without reloading the console. The administrator is signed in. */
  goTo(path: string): Promise<Page>;
}

export interface Visit {
  readonly path?: string;
  /** Default: the administrator. */
  readonly as?: string;
  readonly viewport?: { readonly width: number; readonly height: number };
}

/** Uses one platform, existing or new. Call it at the top of a group that is skipped without a browser. */
export function sharedConsole(server: TestServer = sharedTestServer({ console: true })): ConsoleDesk {
  /** Session cookies of users of this platform. */
  const sessions = new Map<string, Promise<Cookies>>();
  let strangers = 0;
  beforeAll(() => waitUntilBuilt(server.ready.http), BUILD_TIMEOUT_MS);

  const linkOf = async (username: string): Promise<string> => {
    const { path } = await server.running.areas.identity.issueSignInLink(username);
    return `${server.ready.http}${path.reveal()}`;
  };
  function sessionOf(username: string): Promise<Cookies> {
    const session = sessions.get(username) ?? linkOf(username).then(signIn);
    sessions.set(username, session);
    return session;
  }
  async function enter(who: string, cookies: Cookies): Promise<Profile> {
    const profile = await profileFor(who, server.ready.http);
    await profile.enter(who, cookies);
    return profile;
  }
  /** Without cookies, the user is not signed in. */
  async function openAs(who: string, cookies: Cookies, { path, viewport }: Omit<Visit, 'as'>): Promise<Page> {
    const { http } = server.ready;
    const profile = await enter(who, cookies);
    onTestFinished(() => profile.leave(http));
    const page = await profile.context.newPage();
    if (viewport) await page.setViewportSize(viewport);
    await page.goto(`${http}${path}`);
    return page;
  }

  return {
    server,
    linkOf,
    open: async ({ as = 'admin', ...visit } = {}) => openAs(as, await sessionOf(as), { path: '/', ...visit }),
    sharedVisit: () =>
      sharedVisit(
        async () => enter('admin', await sessionOf('admin')),
        () => server.ready.http,
      ),
    openAsStranger: (path) => openAs(`stranger ${(strangers += 1)}`, [], { path }),
  };
}

function sharedVisit(enter: () => Promise<Profile>, http: () => string): SharedVisit {
  let visit: { readonly profile: Profile; readonly page: Page } | undefined;
  beforeAll(async () => {
    const profile = await enter();
    const page = await profile.context.newPage();
    await page.goto(`${http()}/profile`);
    visit = { profile, page };
  });
  afterAll(() => visit?.profile.leave(http()));
  return {
    async goTo(path) {
      const { profile, page } = visit ?? expect.unreachable('the page is there from beforeAll on');
      profile.expectNoFindings();
      // The previous page remains on the screen until the next one is rendered.
      await page.evaluate(`document.querySelector('h1')?.setAttribute('data-left', '')`);
      await page.evaluate(`history.pushState({}, '', ${JSON.stringify(path)})`);
      await page.locator('h1:not([data-left])').waitFor();
      return page;
    },
  };
}

type Cookies = Parameters<BrowserContext['addCookies']>[0];

/** Signs in like the button on the page behind the link. */
async function signIn(link: string): Promise<Cookies> {
  const { origin } = new URL(link);
  const answer = await fetch(link, { method: 'POST', redirect: 'manual', headers: { origin } });
  const [name = '', value = ''] = (answer.headers.get('set-cookie') ?? '').split(/[=;]/);
  return [{ name, value, url: origin, httpOnly: true, sameSite: 'Lax' }];
}

let browser: Promise<Browser> | undefined;
/** The browser profile that tests share, with everything that it has loaded. */
let shared: Promise<Profile> | undefined;

/** Returns the shared profile, or a different one for a second user within a test, whose cookies must be separate. */
async function profileFor(who: string, http: string): Promise<Profile> {
  const ofWorker = await (browser ??= launchChromium());
  const first = await (shared ??= Profile.open(ofWorker, `${http}/console/icon.svg`));
  return first.isFreeFor(who) ? first : Profile.open(ofWorker);
}

class Profile {
  readonly context: BrowserContext;
  /** Errors reported by the browser; raised once, by the test that caused them. */
  private readonly findings: string[];
  /** Stays open to keep the site's renderer alive, which all pages of a profile share (chromium.ts). */
  private readonly lasting: Page | undefined;
  /** User of the profile in the current test. */
  private user: string | undefined;

  private constructor(context: BrowserContext, lasting?: Page) {
    this.context = context;
    this.lasting = lasting;
    this.findings = watch(context);
  }

  /** Without a URL, the profile is for one test only. */
  static async open(from: Browser, lastingAddress?: string): Promise<Profile> {
    const context = await openContext(from);
    if (lastingAddress === undefined) return new Profile(context);
    const lasting = await context.newPage();
    await lasting.goto(lastingAddress);
    return new Profile(context, lasting);
  }

  isFreeFor(who: string): boolean {
    return this.user === undefined || this.user === who;
  }

  async enter(who: string, cookies: Cookies): Promise<void> {
    if (this.user === who) return;
    this.user = who;
    await this.context.addCookies(cookies);
  }

  /** Undoes the changes of a test. The last of multiple calls counts, since pages can be opened concurrently. */
  async leave(origin: string): Promise<void> {
    const { context, lasting } = this;
    this.user = undefined;
    if (lasting === undefined) await context.close();
    else await clean(context, { lasting, origin });
    this.expectNoFindings();
  }

  expectNoFindings(): void {
    expect(this.findings.splice(0), 'what the browser complained of').toEqual([]);
  }
}

/** Keeps the cache. */
async function clean(context: BrowserContext, { lasting, origin }: { lasting: Page; origin: string }): Promise<void> {
  for (const page of context.pages()) if (page !== lasting) await page.close();
  await context.unrouteAll();
  await context.setOffline(false);
  await context.clearPermissions();
  await context.clearCookies();
  const devtools = await context.newCDPSession(lasting);
  await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'local_storage' });
  await devtools.detach();
}

/** Waits until the console is built, which the first start of a clone does in the background. */
async function waitUntilBuilt(http: string): Promise<void> {
  const pageOf = async () => (await fetch(http)).text();
  await vi.waitUntil(async () => !(await pageOf()).includes('Preparing the console'), {
    timeout: BUILD_TIMEOUT_MS,
    interval: 50,
  });
  expect(await pageOf(), 'the page of the console').toContain('<div id="root">');
}

async function openContext(from: Browser): Promise<BrowserContext> {
  const context = await from.newContext({
    locale: 'en-GB',
    timezoneId: 'UTC',
    colorScheme: 'light',
    // Disables animations, so that no intermediate state is checked.
    reducedMotion: 'reduce',
    viewport: { width: 1280, height: 900 },
  });
  context.setDefaultTimeout(PATIENCE_MS);
  return context;
}

/**
 * Records script errors and content security policy violations. Rejected requests are not page errors: the page shows a
 * message for them.
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
