// Identity of a location within its entity. Pure.
import { createHash } from 'node:crypto';
import type { RequestAttributeDto } from '@signetry/contract';

/**
 * Returns a digest of the attributes that identify a location. Secrets are excluded: a different password does not make
 * it a different location.
 */
export function digestOf(attributes: readonly RequestAttributeDto[]): string {
  const facts = attributes
    .filter(({ contentType }) => contentType !== 'secret')
    .map(({ name, content }) => [name, content.map(({ data }) => data)] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex');
}
