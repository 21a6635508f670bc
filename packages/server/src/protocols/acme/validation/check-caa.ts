// CAA check (RFC 8659): whether the zone permits this authority to issue for a name. It is performed at the end of a
// validation, and repeated before an issuance that relies on an earlier validation.
import { ValidationFailure, type ValidationRules } from './challenge.ts';
import { isInternalName } from '../../../platform/net/public-names.ts';
import { isOwnDomain } from './caa-default.ts';
import { caaRejection } from './caa-policy.ts';
import { createDnsLookups, type CaaRecord, type DnsLookups } from './dns-lookups.ts';
import { isWildcard, validatedName } from './identifier-form.ts';
import { LookupFailure } from './lookup-failure.ts';
import { VALIDATION_LIMIT_MS, withinTimeLimit } from './time-limit.ts';
import type { ChallengeType, Identifier, StoredProblem } from '../model/vocabulary.ts';

export interface CaaSubject {
  readonly identifier: Identifier;
  /** Challenge type with which control was proven; undefined if an external account binding replaces the proof. */
  readonly challengeType: ChallengeType | undefined;
  readonly accountUrls: readonly string[];
}

/** Returns the problem if issuance is forbidden or if this cannot be determined; otherwise undefined. */
export type CheckCaa = (
  identifier: Identifier,
  proof: Omit<CaaSubject, 'identifier'>,
  rules: ValidationRules,
  signal: AbortSignal,
) => Promise<StoredProblem | undefined>;

export interface CaaCheckParts {
  /** DNS lookups shared with the validator, whose resolvers are reused. */
  readonly dns?: DnsLookups;
  readonly limitMs?: number;
}

export function createCaaCheck({ limitMs = VALIDATION_LIMIT_MS, ...parts }: CaaCheckParts = {}): CheckCaa {
  const dns = parts.dns ?? createDnsLookups({ limitMs });
  return async (identifier, proof, rules, outer) => {
    try {
      await withinTimeLimit({ limitMs, signal: outer }, (signal) =>
        requireCaaPermission({ identifier, ...proof }, { dns, rules, signal }),
      );
      return undefined;
    } catch (error) {
      if (error instanceof ValidationFailure) return error.problem;
      throw error;
    }
  };
}

export interface CaaContext {
  readonly dns: DnsLookups;
  readonly rules: ValidationRules;
  readonly signal: AbortSignal;
}

/** Throws `ValidationFailure`: `caa` if the records forbid issuance, `dns` if they cannot be determined. */
export async function requireCaaPermission(subject: CaaSubject, means: CaaContext): Promise<void> {
  const { identifier } = subject;
  const { caaIdentities: identities, isCaaByDefault = false } = means.rules;
  if (identities.length === 0 || identifier.type !== 'dns') return;
  const name = validatedName(identifier);
  const relevant = await (isCaaByDefault ? recordsInDefaultScope(name, means) : relevantRecords(name, means));
  if (relevant === undefined) return;
  const refusal = caaRejection(relevant.records, { ...subject, isWildcard: isWildcard(identifier), identities });
  if (refusal === undefined) return;
  const detail = `The CAA records of ${relevant.name} do not permit issuance for ${identifier.value}: ${refusal}. This authority is identified as ${identities.join(' or ')}.${isCaaByDefault ? HOW_TO_PERMIT : ''}`;
  throw new ValidationFailure({ type: 'caa', detail, mayChange: false });
}

/** Appended if the check was not configured explicitly, to explain how to permit issuance or disable the check. */
const HOW_TO_PERMIT =
  ' Add it to the CAA records, or ask an administrator to disable the check in the ACME profile ("caaIdentities": []).';
/** Part of an attempt's time limit: a name server that never responds must not cause the attempt to fail. */
const DEFAULT_LIMIT_MS = 2_000;

/**
 * Returns the records in the scope of the default check (ADR 0025), which excludes internal names and the authority's
 * own domain.
 */
async function recordsInDefaultScope(name: string, means: CaaContext): Promise<RelevantRecords | undefined> {
  if (isInternalName(name)) return undefined;
  const signal = AbortSignal.any([means.signal, AbortSignal.timeout(DEFAULT_LIMIT_MS)]);
  try {
    const found = await relevantRecords(name, { ...means, signal });
    return found && !isOwnDomain(found.name, means.rules.caaIdentities) ? found : undefined;
  } catch (error) {
    if (means.signal.aborted) throw error;
    return undefined;
  }
}

interface RelevantRecords {
  readonly name: string;
  readonly records: readonly CaaRecord[];
}

/**
 * Returns the records of the closest name that has any, starting at the name itself and climbing to its parents (RFC
 * 8659 §3).
 */
async function relevantRecords(
  fullName: string,
  { dns, rules, signal }: CaaContext,
): Promise<RelevantRecords | undefined> {
  for (let name = fullName; name !== ''; name = parent(name)) {
    const { records } = await dns.caaRecords(name, { resolver: rules.resolver, signal }).catch((error: unknown) => {
      throw error instanceof LookupFailure ? error.toValidationFailure(`the CAA records of ${name}`) : error;
    });
    if (records.length > 0) return { name, records };
  }
  return undefined;
}

const parent = (name: string): string => name.split('.').slice(1).join('.');
