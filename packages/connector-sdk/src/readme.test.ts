import { readFile } from 'node:fs/promises';
import { connectorBaseOperations as base } from '@signetry/contract';
import { expect, it } from 'vitest';
import { inProcess } from './http/http-transport.ts';
import { startConnector } from './start-connector.ts';
import { exampleConnector } from './testing/example-connector.ts';
import { contextWithoutDatabase } from './testing/sample-connector.ts';

it('the README contains the example unchanged', async () => {
  const [readme, example] = await Promise.all([
    readFile(new URL('../README.md', import.meta.url), 'utf8'),
    readFile(new URL('./testing/example-connector.ts', import.meta.url), 'utf8'),
  ]);
  expect(readme).toContain(`\`\`\`ts\n${example}\`\`\``);
});

it('the example works', async () => {
  const call = inProcess(await startConnector(exampleConnector, contextWithoutDatabase()), { checkAnswers: true });
  const params = { functionalGroup: 'credentialProvider', kind: 'ApiToken' } as const;
  expect(await call(base.listAttributeDefinitions, { params })).toHaveLength(2);
  await expect(call(base.validateAttributes, { params, body: [] })).rejects.toMatchObject({
    status: 422,
    problems: ['"Token" (data_token) is required.'],
  });
});
