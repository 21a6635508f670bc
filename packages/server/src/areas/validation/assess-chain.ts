// Finds the certification path for a certificate in the inventory, and judges the certificate and the authorities on
// its path. Does not write anything.
import type { CertificateValidationResultDto, PurposeVerdict } from '@signetry/contract';
import { equalBytes, parseCertificate, type Certificate } from '@signetry/pki';
import { notFound } from '../../kernel/errors.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { ValidationDefaults } from '../settings/index.ts';
import { dueAfter } from './due.ts';
import type { FoundPaths, PathsQuery } from './certificate-work.ts';
import { ENDS_WITHOUT_ISSUER, type FoundPath, type PathMember } from './find-paths.ts';
import { gatherIssuers } from './gather-issuers.ts';
import { namedUrls, withFindings } from './named-urls.ts';
import { findProfilesOfCaCertificates, type Issuers } from '../certificates/index.ts';
import { inventoryRevocation, type LookUpRevocation } from './revocation-check.ts';
import {
  isStatedExternally,
  recheckAtMs,
  STATED_MAX_AGE_MS,
  resolveRevocation,
  statedRevocationOf,
  type StatedRevocation,
} from './stated-revocation.ts';
import { findForValidation, type ValidationRow } from './store.ts';
import { evaluate, type RevocationOutcome, type ValidationOutcome } from './verdict.ts';

export interface Sources {
  readonly executor: Executor;
  readonly issuers: Pick<Issuers, 'named'>;
  /** Returns undefined if the search requires more work than this context allows. */
  readonly findPaths: (question: PathsQuery) => Promise<FoundPaths> | FoundPaths | undefined;
  readonly now: Date;
  /** Applies if the RA profile has no validation settings. */
  readonly defaults: ValidationDefaults;
  readonly lookUpRevocation?: LookUpRevocation | undefined;
  /** CRLs and OCSP responses that were fetched earlier are fetched again; by default, they are used while valid. */
  readonly maxAgeMs?: number | undefined;
}

export type ValidationResult = Omit<CertificateValidationResultDto, 'validationTimestamp'>;

/** A verdict and the row on which it is based. */
export interface AssessedRow {
  readonly row: ValidationRow;
  readonly result: ValidationResult;
  readonly isTrustMissing: boolean;
  /** Empty if the certificate was not validated. */
  readonly purposes: readonly PurposeVerdict[];
  /** Certificate at which the path ends because its issuer is unknown. */
  readonly issuerWanted: Certificate | undefined;
  /** If the verdict is `revoked`, the revocation stated by a CRL or an OCSP response. */
  readonly stated: StatedRevocation | undefined;
  /**
   * Time at which the verdict changes merely because time passes, or must be repeated because no external source was
   * queried.
   */
  readonly dueAt: Date | undefined;
  /** Issuer, if it has been proven. */
  readonly issuer: { readonly uuid: string; readonly serialNumber: string } | undefined;
}

export type Assessment =
  | { readonly kind: 'judged'; readonly chain: readonly [AssessedRow, ...AssessedRow[]] }
  /** `toStore` is absent if the stored verdict remains valid. */
  | {
      readonly kind: 'notValidated';
      readonly row: ValidationRow;
      readonly result: ValidationResult;
      readonly toStore: AssessedRow | undefined;
    }
  | { readonly kind: 'tooCostly' };

/** Returns the chain, starting with the certificate itself. */
export async function assessChain(uuid: string, sources: Sources): Promise<Assessment> {
  const [row] = await findForValidation(sources.executor, [uuid]);
  if (!row) throw notFound('Certificate', uuid);
  const reason = reasonToSkip(row, sources.defaults);
  if (reason !== undefined || row.der === null) return notValidated(row, reason ?? NOT_ISSUED, sources.defaults);
  const certificate = parseCertificate(row.der);
  const target = { uuid, certificate, trustedCa: row.trusted_ca, isRevoked: row.state === 'revoked' };
  const { issuers, isCut } = await gatherIssuers(certificate, sources.issuers);
  const pool = issuers.map(({ row: issuer, certificate: own }) => ({
    uuid: issuer.uuid,
    certificate: own,
    trustedCa: issuer.trusted_ca,
    isRevoked: issuer.state === 'revoked',
  }));
  const assessed = await assess({ target, pool, isCut, end: row }, sources);
  if (assessed === undefined) return { kind: 'tooCostly' };
  const [first, ...others] = assessed;
  if (!first) throw new Error('A path must have a target.');
  return { kind: 'judged', chain: [first, ...others] };
}

const NOT_ISSUED = 'The certificate is not issued.';

export function reasonToSkip(row: ValidationRow, defaults: ValidationDefaults): string | undefined {
  if (row.archived) return 'The certificate is archived; archived certificates are not validated.';
  if (row.state === 'failed') return NOT_ISSUED; // If the object has contents, they are kept only as evidence.
  if (row.validation_enabled === false) return `Validation is disabled by the RA profile ${row.profile_name ?? ''}.`;
  if (row.validation_enabled === null && !defaults.enabled) return 'Validation is disabled in the platform settings.';
  return undefined;
}

/**
 * When validation is disabled, the previous verdict is discarded, but a revocation performed on the platform is kept.
 */
function notValidated(row: ValidationRow, message: string, defaults: ValidationDefaults): Assessment {
  const result: ValidationResult = { resultStatus: 'not_checked', message };
  const isSwitchedOff = !(row.validation_enabled ?? defaults.enabled) && !row.archived && row.state === 'issued';
  if (!isSwitchedOff || row.validation_status === 'not_checked')
    return { kind: 'notValidated', row, result, toStore: undefined };
  return {
    kind: 'notValidated',
    row,
    result,
    toStore: { row, result, isTrustMissing: false, purposes: [], stated: undefined, issuerWanted: undefined, dueAt: undefined, issuer: undefined }, // prettier-ignore
  };
}

interface PathSearch {
  readonly target: PathMember;
  readonly pool: readonly PathMember[];
  readonly isCut: boolean;
  readonly end: ValidationRow;
}

/**
 * If an authority turns out to be revoked, it is excluded and the search is repeated. This is the maximum number of
 * searches.
 */
const MAX_SEARCHES = 4;

async function assess({ target, pool, isCut, end }: PathSearch, sources: Sources): Promise<AssessedRow[] | undefined> {
  const revoked = new Set<string>();
  for (let search = 1; ; search += 1) {
    const known = pool.map((member) => (revoked.has(member.uuid) ? { ...member, isRevoked: true } : member));
    const paths = await sources.findPaths({ target, pool: known, isCut, nowMs: sources.now.getTime() });
    if (paths === undefined) return undefined;
    const members = new Map([...known, target].map((member) => [member.uuid, member]));
    const rows = await rowsOf(paths, end, sources.executor);
    const found = await revocationsOf(paths, { members, rows }, sources);
    const fresh = paths.slice(1).filter(({ uuid }) => isRevoked(found.get(uuid)) && !members.get(uuid)?.isRevoked);
    if (fresh.length > 0 && search < MAX_SEARCHES) {
      for (const { uuid } of fresh) revoked.add(uuid);
      continue;
    }
    return paths.map((path) => assessedOf(path, { members, rows, revocations: found, sources }));
  }
}

const isRevoked = (outcome: RevocationOutcome | undefined): boolean =>
  outcome?.ocsp.status === 'revoked' || outcome?.crl.status === 'revoked';

interface KnownMembers {
  readonly members: ReadonlyMap<string, PathMember>;
  readonly rows: ReadonlyMap<string, ValidationRow>;
}

function assessedOf(
  path: FoundPath,
  facts: KnownMembers & { readonly revocations: ReadonlyMap<string, RevocationOutcome>; readonly sources: Sources },
): AssessedRow {
  const { members, revocations, sources } = facts;
  const { member, row } = memberOf(path, facts);
  const revocation = revocations.get(path.uuid);
  if (!revocation) throw new Error('Every certificate of a path must have a revocation outcome.');
  const verdict = evaluate(
    {
      certificate: member.certificate,
      trustedCa: member.trustedCa,
      path,
      revocation,
      expiringThresholdDays: thresholdOf(row, sources.defaults),
    },
    sources.now,
  );
  const { isTrustMissing, purposes } = verdict;
  const top = members.get(path.issuerUuids.at(-1) ?? path.uuid);
  const issuerWanted = ENDS_WITHOUT_ISSUER.has(path.end) ? top?.certificate : undefined;
  const issuer = issuerToLink({ row, path }, members);
  const isUnasked = revocation.crl.status === 'not_checked' || isStatedExternally(row);
  const isLeftOut = !sources.lookUpRevocation && isUnasked && namesExternalSources(member.certificate);
  const nowMs = sources.now.getTime();
  const expiringThresholdDays = thresholdOf(row, sources.defaults);
  const byTimeMs = isLeftOut ? nowMs : dueAfter(member.certificate, { nowMs, expiringThresholdDays });
  const isRevokedNow = verdict.status === 'revoked';
  const againMs = isRevokedNow ? recheckAtMs(row, revocation, nowMs) : undefined;
  const dueAt = byTimeMs === undefined ? undefined : new Date(Math.min(byTimeMs, againMs ?? byTimeMs));
  const stated = isRevokedNow ? statedRevocationOf(revocation) : undefined;
  return { row, result: resultOf(verdict), isTrustMissing, purposes, stated, issuerWanted, dueAt, issuer };
}

function namesExternalSources(certificate: Certificate): boolean {
  const { crls, responders, issuers } = namedUrls(certificate);
  return crls.length + responders.length + issuers.length > 0;
}

function memberOf(path: FoundPath, { members, rows }: KnownMembers): { member: PathMember; row: ValidationRow } {
  const member = members.get(path.uuid);
  const row = rows.get(path.uuid);
  if (!row || !member) throw notFound('Certificate', path.uuid); // It was deleted after the path was found.
  return { member, row };
}

/**
 * Returns the issuer on the path, unless the certificate is already linked to a different issuer certificate with the
 * same name and key. Revocations remain linked to the original issuer, regardless of which one currently leads to a
 * root.
 */
function issuerToLink(
  { row, path }: { readonly row: ValidationRow; readonly path: FoundPath },
  members: ReadonlyMap<string, PathMember>,
): AssessedRow['issuer'] {
  const issuer = members.get(path.issuerUuids[0] ?? '');
  if (!issuer) return undefined;
  const linked = members.get(row.issuer_certificate_uuid ?? '');
  const kept = linked && isSameAuthority(linked.certificate, issuer.certificate) ? linked : issuer;
  return { uuid: kept.uuid, serialNumber: kept.certificate.serialNumber };
}

export const isSameAuthority = (a: Certificate, b: Certificate): boolean =>
  equalBytes(a.spki, b.spki) && equalBytes(a.subjectDer, b.subjectDer);

async function rowsOf(
  paths: readonly FoundPath[],
  end: ValidationRow,
  executor: Executor,
): Promise<Map<string, ValidationRow>> {
  const above = paths.slice(1).map(({ uuid }) => uuid);
  const found = above.length === 0 ? [] : await findForValidation(executor, above);
  return new Map([...found, end].map((row) => [row.uuid, row]));
}

async function revocationsOf(
  paths: readonly FoundPath[],
  known: KnownMembers,
  { executor, lookUpRevocation, maxAgeMs = Number.POSITIVE_INFINITY }: Sources,
): Promise<Map<string, RevocationOutcome>> {
  const members = [...known.members.values()];
  const profiles = await findProfilesOfCaCertificates(
    executor,
    members.map(({ uuid }) => uuid),
  );
  const ours = new Set(profiles.map((profile) => profile.ca_certificate_uuid));
  const outcomes = new Map<string, RevocationOutcome>();
  for (const path of paths) {
    const { member, row } = memberOf(path, known);
    const issuer = known.members.get(path.issuerUuids[0] ?? '');
    // All of an authority's certificates share its revocations, regardless of which certificate is on the path.
    const isIssuerOurs =
      issuer !== undefined &&
      members.some(({ uuid, certificate }) => ours.has(uuid) && isSameAuthority(certificate, issuer.certificate));
    const own = inventoryRevocation(row, { isIssuerOurs });
    const isStated = isStatedExternally(row) && !isIssuerOurs;
    const asked =
      (isStated || !own.isConclusive) && issuer
        ? await lookUpRevocation?.({
            certificate: member.certificate,
            issuers: path.issuerUuids.flatMap((each) => known.members.get(each)?.certificate ?? []),
            maxAgeMs: isStated ? Math.min(STATED_MAX_AGE_MS, maxAgeMs) : maxAgeMs,
          })
        : undefined;
    const unasked = own.isConclusive ? own.outcome : withFindings(own.outcome, member.certificate);
    outcomes.set(path.uuid, isStated ? resolveRevocation(row, asked) : (asked ?? unasked));
  }
  return outcomes;
}

/** The RA profile's threshold applies only if the profile itself enables validation. */
export const thresholdOf = (row: ValidationRow, { expiringThresholdDays }: ValidationDefaults): number =>
  (row.validation_enabled ? row.validation_expiring_threshold_days : null) ?? expiringThresholdDays;

function resultOf({ status, checks, message }: ValidationOutcome): ValidationResult {
  const entries = Object.entries(checks).map(
    ([check, { status: own, message: words }]) =>
      [check, { validationCheck: check, status: own, message: words }] as const,
  );
  // There is one entry for each check.
  const validationChecks = Object.fromEntries(entries) as ValidationResult['validationChecks'];
  return { resultStatus: status, validationChecks, ...(message === undefined ? {} : { message }) };
}
