// Evaluates a set of CAA records (RFC 8659 §4, with the parameters of RFC 8657). Pure.
import type { ChallengeType } from '../model/vocabulary.ts';
import type { CaaRecord } from './dns-lookups.ts';
import { readIssueValue, valuesOf, type IssueValue } from './issue-value.ts';

export interface CaaQuery {
  readonly isWildcard: boolean;
  /** Names of this authority in CAA records. */
  readonly identities: readonly string[];
  /** Undefined if no challenge was validated; a property that requires a challenge type then does not match. */
  readonly challengeType: ChallengeType | undefined;
  readonly accountUrls: readonly string[];
}

/**
 * Supported tags. Those other than `issue` and `issuewild` do not restrict issuance over ACME: they concern incident
 * reports, contacts, S/MIME certificates (RFC 9495) and mark certificates.
 */
const KNOWN_TAGS = ['issue', 'issuewild', 'iodef', 'contactemail', 'contactphone', 'issuemail', 'issuevmc'];

/** Returns why the records that apply to a name forbid issuance, or `undefined` if they permit it. */
export function caaRejection(records: readonly CaaRecord[], question: CaaQuery): string | undefined {
  if (records.some(({ tag, isCritical }) => isCritical && !KNOWN_TAGS.includes(tag)))
    return 'a critical property is not supported by this authority';
  const properties = applicableRecords(records, question);
  // Without such a property the records do not restrict issuance (RFC 8659 §4.2).
  if (properties.length === 0) return undefined;
  const ours = properties.map(({ value }) => readIssueValue(value)).filter((value) => isOurs(value, question));
  if (ours.length === 0) return 'no property authorizes this authority';
  if (ours.some((value) => parametersMatch(value, question))) return undefined;
  return 'the properties for this authority require a different account or challenge type';
}

/**
 * Returns the applicable properties: `issuewild` applies only to wildcards and takes precedence over `issue` (RFC 8659
 * §4.3).
 */
function applicableRecords(records: readonly CaaRecord[], { isWildcard }: CaaQuery): readonly CaaRecord[] {
  const wild = isWildcard ? records.filter(({ tag }) => tag === 'issuewild') : [];
  return wild.length > 0 ? wild : records.filter(({ tag }) => tag === 'issue');
}

function isOurs(value: IssueValue | undefined, { identities }: CaaQuery): value is IssueValue {
  return value !== undefined && identities.some((identity) => identity.toLowerCase() === value.issuer);
}

/**
 * Returns whether the parameters permit issuance. A property with a repeated parameter cannot be satisfied (RFC 8657
 * §3). Unknown parameters are ignored.
 */
function parametersMatch(property: IssueValue, { accountUrls, challengeType }: CaaQuery): boolean {
  const accounts = valuesOf(property, 'accounturi');
  const methods = valuesOf(property, 'validationmethods');
  if (accounts.length > 1 || methods.length > 1) return false;
  const [account] = accounts;
  const [method] = methods;
  return (
    (account === undefined || accountUrls.includes(account)) &&
    (method === undefined || (challengeType !== undefined && method.split(',').includes(challengeType)))
  );
}
