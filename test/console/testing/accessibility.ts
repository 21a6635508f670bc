// What axe finds on a page, in light and in dark.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const source = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Everything in light; in dark the colours only, since nothing else differs. */
const LOOKS: readonly { readonly colorScheme: 'light' | 'dark'; readonly options: RunOptions }[] = [
  { colorScheme: 'light', options: { resultTypes: ['violations'] } },
  { colorScheme: 'dark', options: { runOnly: ['color-contrast'], resultTypes: ['violations'] } },
];

/** Demands that axe finds no violation on the page as it stands. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const { colorScheme, options } of LOOKS) {
    await look(page, colorScheme);
    const violations = await violationsOf(page, options);
    expect(violations, `${colorScheme}: ${page.url()}`).toEqual([]);
  }
  await look(page, 'light');
}

/** Pages without the console follow at once, the console a moment later. */
async function look(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}], html:not([data-mantine-color-scheme])`).waitFor();
}

async function violationsOf(page: Page, options: RunOptions): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(await source);
  const { violations } = await page.evaluate(
    // Put there above.
    (given) => (globalThis as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } }).axe.run(given),
    options,
  );
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id}: ${help}: ${node.target.join(' ')} ${node.failureSummary ?? ''}`),
  );
}
