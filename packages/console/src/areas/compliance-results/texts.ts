// Labels of compliance check results.
import type { ComplianceStatus } from '@signetry/contract';

export const complianceTexts: Readonly<Record<ComplianceStatus, string>> = {
  not_checked: 'Not checked',
  ok: 'Compliant',
  nok: 'Not compliant',
  na: 'No rule applies',
  failed: 'Check failed',
};
