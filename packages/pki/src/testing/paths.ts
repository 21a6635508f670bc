// Certification paths for tests: CAs, end entities, and the failed checks of a path.
import { issue, NOW_MS, type TestEntity, type TestEntityOptions } from './authority.ts';
import { nodeCrypto } from '../node/index.ts';
import { validatePath, type PathOptions, type PathResult } from '../path/validate.ts';
import type { ExtensionInput } from '../x509/extension-parts.ts';

export const PATH_OPTIONS: PathOptions = { nowMs: NOW_MS, verify: nodeCrypto.verify };

export const ca = (
  subject: string,
  issuer: TestEntity,
  changes: Partial<TestEntityOptions> = {},
): Promise<TestEntity> => issue({ subject, issuer, ...changes });

export const end = (
  issuer: TestEntity,
  extensions: readonly ExtensionInput[] = [],
  subject = 'CN=end',
): Promise<TestEntity> => issue({ subject, issuer, extensions });

export const validate = (chain: readonly TestEntity[], changes: Partial<PathOptions> = {}): PathResult =>
  validatePath(
    chain.map(({ certificate }) => certificate),
    { ...PATH_OPTIONS, ...changes },
  );

/** Failed checks as `index:check`, starting with the end entity. */
export const failures = (chain: readonly TestEntity[], changes: Partial<PathOptions> = {}): string[] =>
  validate(chain, changes).certificates.flatMap(({ checks }, index) =>
    Object.entries(checks).flatMap(([check, { status }]) => (status === 'failed' ? [`${index}:${check}`] : [])),
  );
