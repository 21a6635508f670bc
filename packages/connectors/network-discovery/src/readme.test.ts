import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { scanAttributes } from './attributes/scan-attributes.ts';
import { CERTIFICATE_METADATA, DISCOVERY_METADATA, SCAN } from './index.ts';
import { START_TLS_PROTOCOLS } from './targets/ports.ts';

it('the README names every attribute and every protocol', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const names = [SCAN, CERTIFICATE_METADATA, DISCOVERY_METADATA].flatMap((form) => Object.values(form));
  const all = [...names, ...START_TLS_PROTOCOLS.map((protocol) => `/${protocol}`)];
  expect(all.filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
});

it('the form defines each attribute once', () => {
  const data = scanAttributes().filter(({ type }) => type === 'data');
  expect(data.map(({ name }) => name)).toEqual(Object.values(SCAN));
  expect(new Set(scanAttributes().map(({ uuid }) => uuid)).size).toBe(scanAttributes().length);
});
