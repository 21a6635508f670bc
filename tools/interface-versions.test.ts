import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { platformOperations, type Operation } from '@signetry/contract';
import { expect, it } from 'vitest';
import { ROOT } from './source-files.ts';

/** Operations that the page on interface versions lists as served, by version. */
function servedOnPage(): string[] {
  const page = readFileSync(join(ROOT, 'docs/reference/interface-versions.md'), 'utf8');
  return page.split('\n## Version ').flatMap((section) => {
    const version = section.slice(0, 4);
    return [...section.matchAll(/\| `(\w+ \S+)` \| yes \|/g)].map(([, operation]) => `${version} ${operation}`);
  });
}

it('the page on interface versions lists the operations of later versions that are served', () => {
  const served = Object.values<Operation>(platformOperations).flatMap(({ since, method, path }) =>
    since === undefined ? [] : [`${since} ${method} ${path}`],
  );
  expect(servedOnPage().toSorted()).toEqual(served.toSorted());
});
