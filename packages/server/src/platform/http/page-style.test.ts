import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { PAGE_STYLES } from './page-style.ts';

describe('pages outside the console', () => {
  it('use the colors of the console', async () => {
    const theme = await readFile(new URL('../../../../console/src/app/theme.ts', import.meta.url), 'utf8');
    const variables = [...PAGE_STYLES.matchAll(/(--[\w-]+): light-dark\((#\w+), (#\w+)\)/g)];
    expect(variables.length).toBeGreaterThan(5);
    const [light = '', dark = ''] = theme.split('light: {')[1]?.split('dark: {') ?? [];
    for (const [, name = '', day = '', night = ''] of variables) {
      const isShared = light.includes(`'${name}'`);
      expect(isShared ? light : theme, name).toContain(isShared ? `'${name}': '${day}'` : day);
      expect(isShared ? dark : theme, name).toContain(isShared ? `'${name}': '${night}'` : night);
    }
  });
});
