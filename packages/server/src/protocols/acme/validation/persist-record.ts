// Evaluates dns-persist-01 records (draft-ietf-acme-dns-persist-02 §4.1, §4.2, §5). Pure.
import type { AccountFacts } from '../model/account-urls.ts';
import { accountMatcher } from './hashed-account.ts';
import { readIssueValue, valuesOf, type IssueValue } from './issue-value.ts';

export interface PersistQuery {
  /** Domain of the records, without `_validation-persist`. */
  readonly domain: string;
  /** True for a wildcard, or for a name below the domain. */
  readonly needsWildcardPolicy: boolean;
  readonly issuerDomainNames: readonly string[];
  readonly account: AccountFacts;
  readonly now: Date;
}

/**
 * Reasons why no record matches, ordered by how close a record came to matching; the last applicable reason is
 * reported.
 */
export const PERSIST_REJECTIONS = [
  'noRecord',
  'unreadable',
  'otherIssuer',
  'malformed',
  'otherAccount',
  'noWildcard',
  'expired',
] as const;
export type PersistRejection = (typeof PERSIST_REJECTIONS)[number];

export type PersistFinding =
  | {
      readonly fits: true;
      /** Time after which the proof must not be relied on; undefined if there is no limit. */
      readonly validUntil: Date | undefined;
    }
  | { readonly fits: false; readonly why: PersistRejection };

/**
 * Evaluates records. One matching record is sufficient; if multiple records match, the one with the latest expiry
 * counts. All other records are ignored.
 */
export function evaluateRecords(records: readonly string[], question: PersistQuery): PersistFinding {
  const match = accountMatcher(question.domain, question.account);
  const findings = records.map((text) => evaluateRecord(text, { ...question, match }));
  const ends = findings.flatMap((finding) => (finding.fits ? [finding.validUntil] : []));
  if (ends.length > 0) return { fits: true, validUntil: latest(ends) };
  const closest = findings.map((finding) => (finding.fits ? -1 : PERSIST_REJECTIONS.indexOf(finding.why)));
  return { fits: false, why: PERSIST_REJECTIONS[Math.max(0, ...closest)] ?? 'noRecord' };
}

function latest(ends: readonly (Date | undefined)[]): Date | undefined {
  const bounded = ends.filter((end) => end !== undefined);
  if (bounded.length < ends.length) return undefined;
  return new Date(Math.max(...bounded.map((end) => end.getTime())));
}

type RecordEvaluation = PersistQuery & { readonly match: ReturnType<typeof accountMatcher> };

function evaluateRecord(text: string, question: RecordEvaluation): PersistFinding {
  const value = readIssueValue(text);
  if (value === undefined) return { fits: false, why: 'unreadable' };
  if (!question.issuerDomainNames.includes(value.issuer)) return { fits: false, why: 'otherIssuer' };
  const terms = readTerms(value);
  if (terms === undefined) return { fits: false, why: 'malformed' };
  const whose = question.match(terms.accountUri);
  if (whose !== 'this') return { fits: false, why: whose === 'malformed' ? 'malformed' : 'otherAccount' };
  if (question.needsWildcardPolicy && !terms.isWildcard) return { fits: false, why: 'noWildcard' };
  const { persistUntil } = terms;
  if (persistUntil === undefined) return { fits: true, validUntil: undefined };
  if (persistUntil * 1000 <= question.now.getTime()) return { fits: false, why: 'expired' };
  return { fits: true, validUntil: persistUntil > LAST_SECOND ? undefined : new Date(persistUntil * 1000) };
}

/** End of the year 9999. Nothing is retained longer, and date formats need not represent later dates. */
const LAST_SECOND = 253_402_300_799;

interface Terms {
  readonly accountUri: string;
  readonly isWildcard: boolean;
  /** Unix time. */
  readonly persistUntil: number | undefined;
}

/** Parses the parameters. Each parameter defined in the draft can occur at most once; others are ignored. */
function readTerms(value: IssueValue): Terms | undefined {
  const [accounts, policies, ends] = ['accounturi', 'policy', 'persistuntil'].map((tag) => valuesOf(value, tag));
  if (accounts?.length !== 1 || (policies?.length ?? 0) > 1 || (ends?.length ?? 0) > 1) return undefined;
  const [accountUri = ''] = accounts;
  const end = ends?.[0];
  if (end !== undefined && !/^-?\d+$/.test(end)) return undefined;
  return {
    accountUri,
    isWildcard: policies?.[0]?.toLowerCase() === 'wildcard',
    persistUntil: end === undefined ? undefined : Number(end),
  };
}
