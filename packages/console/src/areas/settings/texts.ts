// Labels for the audit log settings.
import { AuditLogOutput, AuditModule, Resource } from '@signetry/contract';
import { describeResource } from '../../format/resources.ts';

interface Choice<Code extends string> {
  readonly value: Code;
  readonly label: string;
}

const outputs: Readonly<Record<AuditLogOutput, string>> = {
  DATABASE: 'Database (can be searched and verified)',
  CONSOLE: 'Process log only',
  ALL: 'Database and process log',
  NONE: 'None',
};

export const describeOutput = (output: AuditLogOutput): string => outputs[output];

export const outputChoices: readonly Choice<AuditLogOutput>[] = (['DATABASE', 'ALL', 'CONSOLE', 'NONE'] as const).map(
  (value) => ({ value, label: outputs[value] }),
);

export const describeModules = (modules: readonly AuditModule[]): string =>
  modules.map((code) => AuditModule.labels[code]).join(', ');

export const moduleChoices: readonly Choice<AuditModule>[] = AuditModule.options.map((value) => ({
  value,
  label: AuditModule.labels[value],
}));

export const resourceChoices: readonly Choice<Resource>[] = Resource.options
  .filter((value) => value !== 'NONE' && value !== 'ANY')
  .map((value) => ({ value, label: describeResource(value) }))
  .toSorted((a, b) => a.label.localeCompare(b.label));
