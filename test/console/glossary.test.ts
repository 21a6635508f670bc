// The glossary: pages link to their term, and terms can be searched.
import { describe, expect, it } from 'vitest';
import { anchorOf, terms } from '../../packages/console/src/areas/help/terms.ts';
import { expectAccessible } from './testing/accessibility.ts';
import { CHROMIUM, CHROMIUM_NOTE } from './testing/chromium.ts';
import { sharedConsole } from './testing/console.ts';

describe.skipIf(CHROMIUM === undefined)(`the glossary${CHROMIUM_NOTE}`, () => {
  const desk = sharedConsole();

  it('opens at the term that a page links to, and highlights it', async () => {
    const page = await desk.open({ path: '/token-profiles' });
    await page.getByRole('main').getByRole('link', { name: 'Glossary' }).click();
    await page.getByRole('heading', { name: 'Glossary', level: 1 }).waitFor();
    const term = page.locator('#token-profile');
    await expect.poll(() => term.getAttribute('data-linked')).toBe('true');
    // Near the end of a long page, so the page has scrolled.
    const box = await term.boundingBox();
    const height = page.viewportSize()?.height ?? 0;
    expect(box && box.y >= 0 && box.y < height).toBe(true);
    expect(await page.evaluate<number>('scrollY')).toBeGreaterThan(0);
    await expectAccessible(page);
  });

  it('shows only matching terms, and states when there are none', async () => {
    const page = await desk.open({ path: '/glossary' });
    const search = page.getByRole('searchbox', { name: 'Search terms' });
    const shown = () => page.getByRole('term').allTextContents();
    await expect.poll(shown).toEqual(terms.map(({ term }) => term));
    await search.fill('enrollment');
    await expect.poll(shown).toEqual(['enrollment request']);
    await search.fill('no such term');
    await page.getByText('No terms found').waitFor();
  });

  it('has the terms that list pages link to, each once', async () => {
    const anchors = terms.map(({ term }) => anchorOf(term));
    expect(new Set(anchors).size).toBe(anchors.length);
    const page = await desk.open({ path: '/ra-profiles' });
    for (const path of ['/ra-profiles', '/entities', '/locations', '/tokens', '/connectors', '/credentials']) {
      await page.goto(new URL(path, page.url()).href);
      const link = page.getByRole('main').getByRole('link', { name: 'Glossary' });
      const target = (await link.getAttribute('href'))?.split('#')[1];
      expect(anchors, path).toContain(target);
    }
  });
});
