// Checks pages with axe, in light and in dark mode.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const source = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

type ColorScheme = 'light' | 'dark';

/** Style sheets are preloaded for rules that are off by default. */
const EVERYTHING: RunOptions = { resultTypes: ['violations'], preload: { assets: ['media'] } };
const COLOURS: RunOptions = { ...EVERYTHING, runOnly: ['color-contrast'] };

/**
 * Asserts that axe finds no violations on the current page: all rules in the current color scheme, and only the colors
 * in the other, since nothing else differs. The page then stays in the other scheme, because each change renders
 * everything again.
 */
export async function expectAccessible(page: Page): Promise<void> {
  const isDark = await page.evaluate<boolean>("matchMedia('(prefers-color-scheme: dark)').matches");
  await expectNoViolations(page, EVERYTHING, isDark ? 'dark' : 'light');
  await applyScheme(page, isDark ? 'light' : 'dark');
  await expectNoViolations(page, COLOURS, isDark ? 'light' : 'dark');
}

async function expectNoViolations(page: Page, options: RunOptions, look: ColorScheme): Promise<void> {
  expect(await violationsOf(page, options), `${look}: ${page.url()}`).toEqual([]);
}

/** Asserts that every control is at least 24 px large, or that far from its neighbors (WCAG 2.2, 2.5.8). */
export async function expectLargeTargets(page: Page): Promise<void> {
  expect(await violationsOf(page, { ...EVERYTHING, runOnly: ['target-size'] }), page.url()).toEqual([]);
}

/** Pages outside the console change immediately, the console after a short delay. */
async function applyScheme(page: Page, look: ColorScheme): Promise<void> {
  await page.emulateMedia({ colorScheme: look });
  await page.locator(`html[data-mantine-color-scheme=${look}], html:not([data-mantine-color-scheme])`).waitFor();
}

async function violationsOf(page: Page, options: RunOptions): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(await source);
  const { violations } = await page.evaluate(
    // Injected above.
    (given) => (globalThis as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } }).axe.run(given),
    options,
  );
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id}: ${help}: ${node.target.join(' ')} ${node.failureSummary ?? ''}`),
  );
}
