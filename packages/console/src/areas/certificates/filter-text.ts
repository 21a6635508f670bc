// Text for inventory filters, in terms familiar to users.
import type { SearchFilterRequestDto } from '@signetry/contract';
import { readPeriod, describePeriod } from '../../kit/filters/period.ts';
import { describeFilter as wordsOfAny, formatInstant, type CodeTexts } from '../../kit/filters/filter-text.ts';
import { isExpired } from './filters.ts';
import { complianceTexts } from '../compliance-results/texts.ts';
import { stateTexts, validationTexts } from './texts.ts';

/** Returns text such as `State: Issued or Revoked`. Also supports filters that can only be created through a URL. */
export function describeFilter(filter: SearchFilterRequestDto): string {
  const { fieldSource, fieldIdentifier: field, condition } = filter;
  const isProperty = fieldSource === 'property';
  if (isProperty && field === 'SUCCEEDING_CERTIFICATES' && condition === 'EMPTY')
    return 'Not replaced by another certificate';
  return (
    (isProperty && field === 'NOT_AFTER' && describeExpiry(filter)) || wordsOfAny('certificates', filter, codeTexts)
  );
}

export const codeTexts: CodeTexts = {
  CERTIFICATE_STATE: stateTexts,
  CERTIFICATE_VALIDATION_STATUS: validationTexts,
  COMPLIANCE_STATUS: complianceTexts,
  OCSP_VALIDATION: validationTexts,
  CRL_VALIDATION: validationTexts,
  SIGNATURE_VALIDATION: validationTexts,
};

function describeExpiry(filter: SearchFilterRequestDto): string | undefined {
  const { condition, value } = filter;
  if (typeof value !== 'string') return undefined;
  if (isExpired(filter)) return 'Expired';
  if (condition === 'IN_NEXT' && readPeriod(value)) return `Expires within ${describePeriod(value)}`;
  if (condition === 'IN_PAST' && readPeriod(value)) return `Expired in the last ${describePeriod(value)}`;
  if (Number.isNaN(Date.parse(value))) return undefined;
  if (condition === 'LESSER') return `Expires before ${formatInstant(value)}`;
  return condition === 'GREATER_OR_EQUAL' ? `Expires on or after ${formatInstant(value)}` : undefined;
}
