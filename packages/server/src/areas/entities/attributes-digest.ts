// What tells locations apart. Pure.
import { createHash } from 'node:crypto';
import type { RequestAttributeDto } from '@signetry/contract';

/** Of the values that say where it is. Secrets do not: another password is not another place. */
export function digestOf(attributes: readonly RequestAttributeDto[]): string {
  const facts = attributes
    .filter(({ contentType }) => contentType !== 'secret')
    .map(({ name, content }) => [name, content.map(({ data }) => data)] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex');
}
