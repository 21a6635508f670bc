// Whether something is recorded, and where, as administrators chose it. Pure.
import {
  AuditModule,
  Resource,
  type AuditFacts,
  type AuditLoggingSettingsDto,
  type AuditOperation,
  type AuditReadsSettings,
} from '@signetry/contract';

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

/** Whoever gets hold of an administrator's credential must not be able to hide what they change with it. */
const ALWAYS_STORED: readonly Resource[] = ['users', 'roles', 'settings', 'auditLogs', 'authenticationProviders'];
/** What keys are used for can be a thousand records per second, and says nothing of who may use them. */
const USES_OF_KEYS: readonly AuditOperation[] = ['encrypt', 'decrypt', 'sign', 'verify', 'randomData'];

/** Changes of identity, permissions, settings, keys and the audit log itself are stored whatever the settings say. */
const isAlwaysStored = ({ module, resource, operation }: AuditFacts): boolean =>
  module === 'auth' || ALWAYS_STORED.includes(resource) || (resource === 'keys' && !USES_OF_KEYS.includes(operation));

/** Where the record of a change goes. */
export function destinationsOf(facts: AuditFacts, rules: LoggingRules): Destinations {
  const chosen = chosenDestinations(facts, rules);
  return { stored: chosen.stored || isAlwaysStored(facts), printed: chosen.printed };
}

/** Would fewer records be stored or printed under `after` than under `before`? */
export function recordsLess(before: LoggingRules, after: LoggingRules): boolean {
  const [had, has] = [before, after].map(({ reads }) => reads);
  if (had?.allResources && !has?.allResources) return true;
  if (!has?.allResources && had?.resources.some((resource) => !has?.resources.includes(resource))) return true;
  if (before.auditLogs.verbose && !after.auditLogs.verbose) return true;
  return AuditModule.options.some((module) =>
    Resource.options.some((resource) => {
      const facts = { module, resource, operation: 'update' } as const;
      const [was, is] = [chosenDestinations(facts, before), chosenDestinations(facts, after)];
      return (was.stored && !is.stored) || (was.printed && !is.printed);
    }),
  );
}

function chosenDestinations({ module, resource }: AuditFacts, { auditLogs }: LoggingRules): Destinations {
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
  const { stored, printed } = chosenDestinations(facts, rules);
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
