// Whether something is recorded, and where, as administrators chose it. Pure.
import type { AuditFacts, AuditLoggingSettingsDto, AuditReadsSettings } from '@signetry/contract';

export interface LoggingRules {
  readonly auditLogs: AuditLoggingSettingsDto;
  readonly reads: AuditReadsSettings;
}

export interface Destinations {
  /** In the database, under a seal. */
  readonly stored: boolean;
  /** As a line of the log. */
  readonly printed: boolean;
}

/** A new installation keeps its audit log: one that has to be switched on is missing when it is needed. */
export const initialRules: LoggingRules = {
  auditLogs: {
    output: 'DATABASE',
    verbose: false,
    logAllModules: true,
    logAllResources: true,
    loggedModules: [],
    ignoredModules: [],
    loggedResources: [],
    ignoredResources: [],
  },
  reads: { allResources: false, resources: [] },
};

const DESTINATIONS: Readonly<Record<AuditLoggingSettingsDto['output'], Destinations>> = {
  NONE: { stored: false, printed: false },
  CONSOLE: { stored: false, printed: true },
  DATABASE: { stored: true, printed: false },
  ALL: { stored: true, printed: true },
};

export function destinationsOf({ module, resource }: AuditFacts, { auditLogs }: LoggingRules): Destinations {
  const { logAllModules, loggedModules, ignoredModules } = auditLogs;
  const { logAllResources, loggedResources, ignoredResources } = auditLogs;
  const isLogged =
    isChosen(module, { all: logAllModules, chosen: loggedModules, ignored: ignoredModules }) &&
    isChosen(resource, { all: logAllResources, chosen: loggedResources, ignored: ignoredResources });
  return DESTINATIONS[isLogged ? auditLogs.output : 'NONE'];
}

/** Are reads like this one recorded? */
export function isReadLogged(facts: AuditFacts, rules: LoggingRules): boolean {
  const { allResources, resources } = rules.reads;
  if (!allResources && !resources.includes(facts.resource)) return false;
  const { stored, printed } = destinationsOf(facts, rules);
  return stored || printed;
}

interface Choice<Value> {
  readonly all: boolean;
  readonly chosen?: readonly Value[] | undefined;
  /** Wins. */
  readonly ignored?: readonly Value[] | undefined;
}

const isChosen = <Value>(value: Value, { all, chosen = [], ignored = [] }: Choice<Value>): boolean =>
  !ignored.includes(value) && (all || chosen.includes(value));
