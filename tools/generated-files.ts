// Files that are generated from the sources and committed, so that changes to the wire format, permissions, errors,
// settings or tables are visible in a review. They are regenerated and compared, never edited.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectorOpenApi, platformOpenApi } from '@signetry/contract';
import { connectorOperationsPage, errorsPage, permissionsPage, settingsPage } from './reference-pages.ts';
import { conformancePage } from './conformance-page.ts';
import { connectorsTriedPage } from './connectors-tried-page.ts';
import { databasePage } from './database-page.ts';
import { glossaryPage } from './glossary-page.ts';
import { rulesPage } from './rules-page.ts';
import { ROOT } from './source-files.ts';

const OPENAPI_VERSION = '2.16.1';

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** Path relative to the root -> generator of its content. */
const generators: Readonly<Record<string, () => string | Promise<string>>> = {
  'docs/reference/openapi-platform.json': () => json(platformOpenApi(OPENAPI_VERSION)),
  'docs/reference/openapi-connector.json': () => json(connectorOpenApi(OPENAPI_VERSION)),
  'docs/reference/connector-operations.md': connectorOperationsPage,
  'docs/reference/connector-conformance.md': conformancePage,
  'docs/reference/connectors-tried.md': connectorsTriedPage,
  'docs/reference/errors.md': errorsPage,
  'docs/reference/glossary.md': glossaryPage,
  'docs/reference/permissions.md': permissionsPage,
  'docs/reference/rules.md': rulesPage,
  'docs/reference/settings.md': settingsPage,
  'docs/reference/database.md': databasePage,
};

/** Returns content by path; `only` selects paths that contain the text. */
export async function generateFiles(only = ''): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  for (const [path, generate] of Object.entries(generators)) if (path.includes(only)) files.set(path, await generate());
  return files;
}

export async function generatedProblems(): Promise<string[]> {
  const problems: string[] = [];
  for (const [path, content] of await generateFiles()) {
    const file = join(ROOT, path);
    const stored = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
    if (stored !== content)
      problems.push(`${path} is ${stored === undefined ? 'missing' : 'out of date'}; run: npm run generate`);
  }
  return problems;
}
