// Compliance state of an object.
import type { ComplianceStatus } from '@signetry/contract';
import { stateOf } from '../../ui/state.tsx';
import { complianceTexts } from './texts.ts';

export const ComplianceState = stateOf<ComplianceStatus>({
  not_checked: ['none', complianceTexts.not_checked],
  ok: ['good', complianceTexts.ok],
  nok: ['bad', complianceTexts.nok],
  na: ['none', complianceTexts.na],
  failed: ['warn', complianceTexts.failed],
});

export type Severity = 'error' | 'warning' | 'notice';

export const SeverityState = stateOf<Severity>({
  error: ['bad', 'Error'],
  warning: ['warn', 'Warning'],
  notice: ['none', 'Notice'],
});
