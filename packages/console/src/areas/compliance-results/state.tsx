// Compliance state of an object.
import type { ComplianceStatus } from '@signetry/contract';
import { stateOf } from '../../ui/state.tsx';
import { complianceWords } from './words.ts';

export const ComplianceState = stateOf<ComplianceStatus>({
  not_checked: ['none', complianceWords.not_checked],
  ok: ['good', complianceWords.ok],
  nok: ['bad', complianceWords.nok],
  na: ['none', complianceWords.na],
  failed: ['warn', complianceWords.failed],
});

export type Severity = 'error' | 'warning' | 'notice';

export const SeverityState = stateOf<Severity>({
  error: ['bad', 'Error'],
  warning: ['warn', 'Warning'],
  notice: ['none', 'Notice'],
});
