// Text for inventory filters, in terms familiar to users.
import type { SearchFilterRequestDto } from '@signetry/contract';
import { readPeriod, wordsOfPeriod } from '../../kit/filters/period.ts';
import { wordsOfFilter as wordsOfAny, wordsOfInstant, type CodeWords } from '../../kit/filters/filter-words.ts';
import { isEnded } from './filters.ts';
import { complianceWords } from '../compliance-results/words.ts';
import { stateWords, validationWords } from './words.ts';

/** Returns text such as `State: Issued or Revoked`. Also supports filters that can only be created through a URL. */
export function wordsOfFilter(filter: SearchFilterRequestDto): string {
  const { fieldSource, fieldIdentifier: field, condition } = filter;
  const isProperty = fieldSource === 'property';
  if (isProperty && field === 'SUCCEEDING_CERTIFICATES' && condition === 'EMPTY')
    return 'Not replaced by another certificate';
  return (isProperty && field === 'NOT_AFTER' && wordsOfEnd(filter)) || wordsOfAny('certificates', filter, codeWords);
}

export const codeWords: CodeWords = {
  CERTIFICATE_STATE: stateWords,
  CERTIFICATE_VALIDATION_STATUS: validationWords,
  COMPLIANCE_STATUS: complianceWords,
  OCSP_VALIDATION: validationWords,
  CRL_VALIDATION: validationWords,
  SIGNATURE_VALIDATION: validationWords,
};

function wordsOfEnd(filter: SearchFilterRequestDto): string | undefined {
  const { condition, value } = filter;
  if (typeof value !== 'string') return undefined;
  if (isEnded(filter)) return 'Expired';
  if (condition === 'IN_NEXT' && readPeriod(value)) return `Expires within ${wordsOfPeriod(value)}`;
  if (condition === 'IN_PAST' && readPeriod(value)) return `Expired in the last ${wordsOfPeriod(value)}`;
  if (Number.isNaN(Date.parse(value))) return undefined;
  if (condition === 'LESSER') return `Expires before ${wordsOfInstant(value)}`;
  return condition === 'GREATER_OR_EQUAL' ? `Expires on or after ${wordsOfInstant(value)}` : undefined;
}
