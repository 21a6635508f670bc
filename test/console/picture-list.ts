// The pictures of the README and of the guides: screens of the sample platform, with their labels recorded next to
// them in docs/pictures, so that a test can tell whether a picture still shows the current console.
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import type { SamplePlatform } from './sample-platform.ts';
import { screens, type Screen } from './screen-list.ts';

export const PICTURES = fileURLToPath(new URL('../../docs/pictures/', import.meta.url));

export type Scheme = 'light' | 'dark';

/** File name -> screen. Only the overview is shown in both color schemes. */
const NAMES: Readonly<Record<string, string>> = {
  overview: 'overview',
  inventory: 'inventory',
  certificate: 'certificate',
  'proof-of-service': 'location-served',
  'simulation-47-days': 'insights-simulation',
  approvals: 'approvals',
};

export interface Picture {
  readonly name: string;
  readonly scheme: Scheme;
  readonly screen: Screen;
}

export function pictures(platform: SamplePlatform): readonly Picture[] {
  const known = new Map(screens(platform.samples).map((screen) => [screen.name, screen]));
  return Object.entries(NAMES).flatMap(([name, screenName]) => {
    const screen = known.get(screenName);
    if (!screen) throw new Error(`Screen ${screenName} of picture ${name} does not exist.`);
    return [
      { name, scheme: 'light' as const, screen },
      ...(name === 'overview' ? [{ name: `${name}-dark`, scheme: 'dark' as const, screen }] : []),
    ];
  });
}

/** Opens the screen of a picture; the page stays open. */
export async function openPicture(
  { browser, platform }: { readonly browser: Browser; readonly platform: SamplePlatform },
  { screen, scheme }: Picture,
  storageState: Awaited<ReturnType<SamplePlatform['signIn']>>,
): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    colorScheme: scheme,
    reducedMotion: 'reduce',
    locale: 'en-US',
    timezoneId: 'UTC',
    storageState,
  });
  const page = await context.newPage();
  await page.goto(`${platform.url}${screen.path}`, { waitUntil: 'networkidle' });
  await screen.act?.(page);
  await page.waitForLoadState('networkidle');
  return page;
}

/** Visible headings, menu entries, tabs, buttons and column titles, in order; digits vary and become #. */
export async function labelsOf(page: Page): Promise<string> {
  const texts: string[] = [];
  for (const role of ['heading', 'link', 'tab', 'button', 'columnheader', 'term'] as const) {
    const scope = role === 'link' ? page.getByRole('navigation', { name: 'Main' }) : page.getByRole('main');
    for (const text of (await scope.getByRole(role).allInnerTexts()).filter((each) => each.trim() !== ''))
      texts.push(`${role}: ${text.replaceAll(/\s+/g, ' ').replaceAll(/\d+/g, '#').trim()}`);
  }
  return `${[...new Set(texts)].join('\n')}\n`;
}
