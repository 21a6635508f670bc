import type { SearchFilterRequestDto } from '@signetry/contract';
import { expect, it } from 'vitest';
import { describeFilter } from './filter-text.ts';
import {
  expiredFilter,
  expiresBefore,
  expiresFrom,
  expiresWithinDays,
  inState,
  inStates,
  notReplaced,
  withAlgorithm,
  withValidation,
} from './filters.ts';

const property = (fieldIdentifier: string, condition: SearchFilterRequestDto['condition'], value?: unknown) =>
  ({ fieldSource: 'property', fieldIdentifier, condition, value }) as const;

it.each<readonly [SearchFilterRequestDto, string | RegExp]>([
  [inState('failed'), 'State: Failed'],
  [inStates(['issued', 'revoked']), 'State: Issued or Revoked'],
  [inState('of-a-newer-platform'), 'State: of-a-newer-platform'],
  [withValidation('invalid'), 'Validation status: Invalid'],
  [withAlgorithm('RSA'), 'Public key algorithm: RSA'],
  [expiresWithinDays(10), 'Expires within 10 days'],
  [expiredFilter, 'Expired'],
  [property('NOT_AFTER', 'IN_PAST', 'P2D'), 'Expired in the last 2 days'],
  [property('NOT_BEFORE', 'IN_PAST', 'PT1H'), 'Valid from is in the last 1 hour'],
  [expiresBefore(new Date('2026-11-20T00:00:00Z')), /^Expires before [^:]*2026$/],
  [expiresFrom(new Date('2026-11-20T00:00:00Z')), /^Expires on or after [^:]*2026$/],
  [expiresFrom(new Date('2026-11-20T12:34:00Z')), /^Expires on or after .*2026.*:34/],
  [notReplaced, 'Not replaced by another certificate'],
  [property('RA_PROFILE_NAME', 'EQUALS', ['web', 'mail']), 'RA profile: web or mail'],
  [property('RA_PROFILE_NAME', 'NOT_EQUALS', ['web']), 'RA profile: not web'],
  [property('OWNER', 'EMPTY'), 'Owner is empty'],
  [property('KEY_SIZE', 'EQUALS', [2048]), 'Key size: 2048'],
  [property('KEY_USAGE', 'EQUALS', ['digitalSignature']), 'Key usage: Digital Signature'],
  [property('TRUSTED_CA', 'EQUALS', true), 'Trusted CA: yes'],
  [property('GROUP_NAME', 'COUNT_GREATER_THAN', 2), 'Number of groups is more than 2'],
  [property('NOT_AFTER', 'LESSER', 'whenever'), 'Expires at is before whenever'],
  [{ ...property('place|STRING', 'STARTS_WITH', 'a'), fieldSource: 'custom' }, 'place starts with a'],
])('%j is described as %s', (filter, words) => {
  expect(describeFilter(filter)).toEqual(typeof words === 'string' ? words : expect.stringMatching(words));
});
