// CAA (RFC 8659): whether the zone lets this authority issue for a name. Checked at the end of a validation, and again
// before an issuance that rests on an older one.
import { ValidationFailure, type ValidationRules } from './challenge.ts';
import { isInternalName } from '../../../platform/net/public-names.ts';
import { isOwnDomain } from './caa-default.ts';
import { caaRefusal } from './caa-policy.ts';
import { createDnsLookups, type CaaRecord, type DnsLookups } from './dns-lookups.ts';
import { isWildcard, validatedName } from './identifier-form.ts';
import { LookupFailure } from './lookup-failure.ts';
import { VALIDATION_LIMIT_MS, withinTimeLimit } from './time-limit.ts';
import type { ChallengeType, Identifier, StoredProblem } from '../model/vocabulary.ts';

export interface CaaSubject {
  readonly identifier: Identifier;
  /** How control was proven. */
  readonly challengeType: ChallengeType;
  readonly accountUrls: readonly string[];
}

/** Returns the problem when issuance is forbidden, or when that cannot be found out. */
export type CheckCaa = (
  identifier: Identifier,
  proof: Omit<CaaSubject, 'identifier'>,
  rules: ValidationRules,
  signal: AbortSignal,
) => Promise<StoredProblem | undefined>;

export interface CaaCheckParts {
  /** Shared with the validator, whose resolvers it keeps. */
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

export interface CaaMeans {
  readonly dns: DnsLookups;
  readonly rules: ValidationRules;
  readonly signal: AbortSignal;
}

/** Throws `ValidationFailure`: `caa` when the records forbid, `dns` when they are not known. */
export async function requireCaaPermission(subject: CaaSubject, means: CaaMeans): Promise<void> {
  const { identifier } = subject;
  const { caaIdentities: identities, isCaaByDefault = false } = means.rules;
  if (identities.length === 0 || identifier.type !== 'dns') return;
  const name = validatedName(identifier);
  const relevant = await (isCaaByDefault ? recordsOfOthers(name, means) : relevantRecords(name, means));
  if (relevant === undefined) return;
  const refusal = caaRefusal(relevant.records, { ...subject, isWildcard: isWildcard(identifier), identities });
  if (refusal === undefined) return;
  const detail = `The CAA records of ${relevant.name} forbid issuance for ${identifier.value}: ${refusal}. This authority is ${identities.join(' or ')}.${isCaaByDefault ? HOW_TO_PERMIT : ''}`;
  throw new ValidationFailure({ type: 'caa', detail, mayChange: false });
}

/** Nobody switched the check on, so the refusal says what it is and how it ends. */
const HOW_TO_PERMIT =
  ' An administrator can add it to the records, or switch the check off in the ACME profile ("caaIdentities": []).';
/** Of the time of the whole attempt: a name server that never answers must not fail it. */
const DEFAULT_LIMIT_MS = 2_000;

/** As far as the default goes (ADR 0025): not for internal names and the authority's own domain. */
async function recordsOfOthers(name: string, means: CaaMeans): Promise<RelevantRecords | undefined> {
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

/** The records of the closest name that has some, climbing from the name itself (RFC 8659 §3). */
async function relevantRecords(
  fullName: string,
  { dns, rules, signal }: CaaMeans,
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
