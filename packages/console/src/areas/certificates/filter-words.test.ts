import type { SearchFilterRequestDto } from '@signetry/contract';
import { expect, it } from 'vitest';
import { wordsOfFilter } from './filter-words.ts';
import { ended, endedBefore, endsFrom, endsWithinDays, inState, inStates, notReplaced, withAlgorithm, withValidation } from './filters.ts'; // prettier-ignore

const property = (fieldIdentifier: string, condition: SearchFilterRequestDto['condition'], value?: unknown) =>
  ({ fieldSource: 'property', fieldIdentifier, condition, value }) as const;

it.each<readonly [SearchFilterRequestDto, string | RegExp]>([
  [inState('failed'), 'State: Failed'],
  [inStates(['issued', 'revoked']), 'State: Issued or Revoked'],
  [inState('of-a-newer-platform'), 'State: of-a-newer-platform'],
  [withValidation('invalid'), 'Validation: Invalid'],
  [withAlgorithm('RSA'), 'Key algorithm: RSA'],
  [endsWithinDays(10), 'Expires within 10 days'],
  [ended, 'Expired'],
  [property('NOT_AFTER', 'IN_PAST', 'P2D'), 'Not after in past P2D'],
  [endedBefore(new Date('2026-11-20T00:00:00Z')), /^Expires before [^:]*2026$/],
  [endsFrom(new Date('2026-11-20T00:00:00Z')), /^Expires on or after [^:]*2026$/],
  [endsFrom(new Date('2026-11-20T12:34:00Z')), /^Expires on or after .*2026.*:34/],
  [notReplaced, 'Not replaced by another certificate'],
  [property('RA_PROFILE_NAME', 'EQUALS', ['web', 'mail']), 'RA profile name equals web or mail'],
  [property('OWNER', 'EMPTY'), 'Owner empty'],
  [property('KEY_SIZE', 'EQUALS', [2048]), 'Key size equals 2048'],
  [property('NOT_AFTER', 'LESSER', 'whenever'), 'Not after lesser whenever'],
])('%j is told as %s', (filter, words) => {
  expect(wordsOfFilter(filter)).toEqual(typeof words === 'string' ? words : expect.stringMatching(words));
});
