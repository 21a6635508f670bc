// Enumerations for compliance checks.
import type { z } from 'zod';
import { enumeration } from '../enumeration.ts';

/** Overall result for an object. */
export const ComplianceStatus = enumeration('ComplianceStatus', {
  not_checked: 'Not checked',
  ok: 'Compliant',
  nok: 'Not Compliant',
  na: 'Not Applicable',
  failed: 'Failed',
});
export type ComplianceStatus = z.output<typeof ComplianceStatus>;

/** Result for a single rule. */
export const ComplianceRuleStatus = enumeration('ComplianceRuleStatus', {
  ok: 'Compliant',
  nok: 'Not Compliant',
  na: 'Not Applicable',
  not_available: 'Not Available',
});
export type ComplianceRuleStatus = z.output<typeof ComplianceRuleStatus>;

/** Whether a profile's rule or group is still available from its provider, and whether the provider has updated it. */
export const ComplianceRuleAvailabilityStatus = enumeration('ComplianceRuleAvailabilityStatus', {
  available: 'Available',
  not_available: 'Not available',
  updated: 'Updated',
});
export type ComplianceRuleAvailabilityStatus = z.output<typeof ComplianceRuleAvailabilityStatus>;
