// Checks that the guide shows the connectors unchanged, and that they conform. The first one runs in
// test/e2e/foreign-connectors.test.ts.
import { readFile } from 'node:fs/promises';
import { developmentContext, startConnector } from '@signetry/connector-sdk';
import { expect, it } from 'vitest';
import { loginConnector } from '../../connector-sdk/src/testing/login-connector.ts';
import { checkConnector } from './check-connector.ts';
import { inProcessTransport } from './transport.ts';

it('the guide contains the callback form unchanged, and the form conforms to the interface', async () => {
  const sdk = new URL('../../connector-sdk/src/testing/login-connector.ts', import.meta.url);
  const [guide, source] = await Promise.all([
    readFile(new URL('../../../docs/guide/write-a-connector.md', import.meta.url), 'utf8'),
    readFile(sdk, 'utf8'),
  ]);
  expect(guide).toContain(`\`\`\`ts\n${source}\`\`\``);
  const running = await startConnector(loginConnector, developmentContext());
  const { results } = await checkConnector({ transport: inProcessTransport(running) });
  expect(results.filter(({ outcome }) => outcome === 'failed' || outcome === 'notChecked')).toEqual([]);
  expect(results.map(({ check }) => check)).toContain('responds to the callbacks of credential attributes');
});
