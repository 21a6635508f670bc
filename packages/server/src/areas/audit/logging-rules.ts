// Whether and where operations are recorded, as configured by administrators. Pure.
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
  /** Whether the record is stored in the database and sealed. */
  readonly stored: boolean;
  /** Whether the record is printed as a log line. */
  readonly printed: boolean;
}

/** New installations store their audit log, because a log that must be enabled first is missing when it is needed. */
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

/** An attacker who has an administrator's credential must not be able to hide changes. */
const ALWAYS_STORED: readonly Resource[] = ['users', 'roles', 'settings', 'auditLogs', 'authenticationProviders'];
/** Key use can produce a thousand records per second and does not affect who may use a key. */
const USES_OF_KEYS: readonly AuditOperation[] = ['encrypt', 'decrypt', 'sign', 'verify', 'randomData'];

/** Changes to identity, permissions, settings, keys and the audit log itself are stored regardless of the settings. */
const isAlwaysStored = ({ module, resource, operation }: AuditFacts): boolean =>
  module === 'auth' || ALWAYS_STORED.includes(resource) || (resource === 'keys' && !USES_OF_KEYS.includes(operation));

/** Returns the destinations of a change's record. */
export function destinationsOf(facts: AuditFacts, rules: LoggingRules): Destinations {
  const chosen = chosenDestinations(facts, rules);
  return { stored: chosen.stored || isAlwaysStored(facts), printed: chosen.printed };
}

/** Returns whether fewer records would be stored or printed under `after` than under `before`. */
export function reducesLogging(before: LoggingRules, after: LoggingRules): boolean {
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

/** Returns whether reads like this one are recorded. */
export function isReadLogged(facts: AuditFacts, rules: LoggingRules): boolean {
  const { allResources, resources } = rules.reads;
  if (!allResources && !resources.includes(facts.resource)) return false;
  const { stored, printed } = chosenDestinations(facts, rules);
  return stored || printed;
}

interface Choice<Value> {
  readonly all: boolean;
  readonly chosen?: readonly Value[] | undefined;
  /** Takes precedence over the other lists. */
  readonly ignored?: readonly Value[] | undefined;
}

const isChosen = <Value>(value: Value, { all, chosen = [], ignored = [] }: Choice<Value>): boolean =>
  !ignored.includes(value) && (all || chosen.includes(value));
