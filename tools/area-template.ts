// The files of a new area. They compile as they are; what is written between double underscores is a hint to replace.

const HINT = (word: string): string => `__${word}__`;

/** File name -> content. */
export function areaTemplate(name: string): ReadonlyMap<string, string> {
  const typeName = name
    .split('-')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
  const area = HINT('area');
  return new Map([
    [
      'index.ts',
      `// ${area}: say in one line what this area is for.
// Owns: the tables of its migration. Invariants: what always holds here.
import type { Area, Platform } from '../../platform/platform.ts';
import type { AuditTrail } from '../audit/index.ts';
import { create${typeName}Service } from './service.ts';

export function create${typeName}Area(platform: Platform, areas: { readonly audit: AuditTrail }): Area {
  const service = create${typeName}Service(platform, areas);
  return { routes: service.routes };
}
`,
    ],
    [
      'domain.ts',
      `// Rules of ${area}: pure, time is an argument.

/** ${HINT('noun')}: say what it is, with its units. */
export const isNamed = (name: string): boolean => name.trim() !== '';
`,
    ],
    [
      'service.ts',
      `// Use cases of ${area}. Every change and its audit record are one transaction.
import type { Route } from '../../platform/http/routes.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AuditTrail } from '../audit/index.ts';

export type ${typeName}Service = ReturnType<typeof create${typeName}Service>;

export function create${typeName}Service(_platform: Platform, _areas: { readonly audit: AuditTrail }) {
  const routes: readonly Route[] = [];
  return { routes };
}
`,
    ],
    [
      'domain.test.ts',
      `import { describe, expect, it } from 'vitest';
import { isNamed } from './domain.ts';

describe('${name}', () => {
  it('refuses a blank name', () => {
    expect([isNamed('a'), isNamed('  ')]).toEqual([true, false]);
  });
});
`,
    ],
  ]);
}
