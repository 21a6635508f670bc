// Reads a certificate with its chain and reaches the verdicts about them; writes nothing.
import type { CertificateValidationResultDto } from '@signetry/contract';
import { nodeCrypto } from '@signetry/pki/node';
import { notFound } from '../../kernel/errors.ts';
import type { Executor } from '../../platform/database/database.ts';
import { buildChain, type Chain } from './chain.ts';
import type { Issuers } from './issuers.ts';
import { readCertificate } from './read-certificate.ts';
import { inventoryRevocation, type LookUpRevocation } from './revocation-check.ts';
import { findForValidation, findProfilesOfCaCertificates, type ValidationRow } from './store-inventory.ts';
import { validateChain, type Link, type Verdict } from './validation.ts';

/** Where neither RA profile nor settings say otherwise. */
const EXPIRING_THRESHOLD_DAYS = 30;

export interface Sources {
  readonly executor: Executor;
  readonly issuers: Pick<Issuers, 'of'>;
  readonly now: Date;
  readonly lookUpRevocation?: LookUpRevocation | undefined;
}

export type ValidationResult = Omit<CertificateValidationResultDto, 'validationTimestamp'>;

/** A verdict with the row that it was reached with. */
export interface Assessed {
  readonly row: ValidationRow;
  readonly result: ValidationResult;
  /** The next of the chain, where there is one. */
  readonly issuer: { readonly uuid: string; readonly serialNumber: string } | undefined;
}

export type Assessment =
  | { readonly kind: 'judged'; readonly chain: readonly [Assessed, ...Assessed[]] }
  /** `toStore` is absent where what is stored stands. */
  | { readonly kind: 'notValidated'; readonly result: ValidationResult; readonly toStore: Assessed | undefined };

/** The end certificate first. */
export async function assessChain(uuid: string, sources: Sources): Promise<Assessment> {
  const [row] = await findForValidation(sources.executor, [uuid]);
  if (!row) throw notFound('Certificate', uuid);
  const reason = whyNot(row);
  if (reason !== undefined || row.der === null) return notValidated(row, reason ?? NOT_ISSUED);
  const chain = await buildChain({ uuid, certificate: readCertificate(row.der).certificate }, sources.issuers);
  const rows = await rowsOf(chain, row, sources.executor);
  const links = await linksOf(chain, rows, sources);
  const verdicts = validateChain(links, { isComplete: chain.isComplete, now: sources.now, verify: nodeCrypto.verify });
  const [first, ...others] = verdicts.map((verdict, index): Assessed => {
    const issuer = chain.members[index + 1];
    return {
      row: rows[index] ?? row,
      result: resultOf(verdict),
      issuer: issuer && { uuid: issuer.uuid, serialNumber: issuer.certificate.serialNumber },
    };
  });
  if (!first) throw new Error('A chain has its end certificate.');
  return { kind: 'judged', chain: [first, ...others] };
}

const NOT_ISSUED = 'The certificate is not issued.';

function whyNot(row: ValidationRow): string | undefined {
  if (row.archived) return 'The certificate is archived; archived certificates are not validated.';
  if (row.state === 'failed') return NOT_ISSUED; // what it may hold is kept as evidence
  if (row.validation_enabled === false)
    return `Validation is switched off by the RA profile ${row.profile_name ?? ''}.`;
  return undefined;
}

/** A verdict of earlier does not outlive the switching off, but a revocation that was made here does. */
function notValidated(row: ValidationRow, message: string): Assessment {
  const result: ValidationResult = { resultStatus: 'not_checked', message };
  const isSwitchedOff = row.validation_enabled === false && !row.archived && row.state === 'issued';
  const toStore =
    isSwitchedOff && row.validation_status !== 'not_checked' ? { row, result, issuer: undefined } : undefined;
  return { kind: 'notValidated', result, toStore };
}

/** Rows in the order of the chain. */
async function rowsOf(chain: Chain, end: ValidationRow, executor: Executor): Promise<ValidationRow[]> {
  const above = chain.members.slice(1).map((member) => member.uuid);
  const found = new Map((await findForValidation(executor, above)).map((row) => [row.uuid, row]));
  return [
    end,
    ...above.map((uuid) => {
      const row = found.get(uuid);
      if (!row) throw notFound('Certificate', uuid); // deleted since the chain was built
      return row;
    }),
  ];
}

async function linksOf(chain: Chain, rows: readonly ValidationRow[], sources: Sources): Promise<Link[]> {
  const uuids = chain.members.map((member) => member.uuid);
  const profiles = await findProfilesOfCaCertificates(sources.executor, uuids);
  const ours = new Set(profiles.map((profile) => profile.ca_certificate_uuid));
  const links: Link[] = [];
  for (const [index, row] of rows.entries()) {
    const { certificate } = chain.members[index] ?? chain.members[0];
    const issuer = chain.members[index + 1];
    const known = inventoryRevocation(row, { isIssuerOurs: issuer !== undefined && ours.has(issuer.uuid) });
    const { lookUpRevocation } = sources;
    const asked =
      !known.isConclusive && issuer && (await lookUpRevocation?.({ certificate, issuer: issuer.certificate }));
    const revocation = asked || known.outcome;
    links.push({ certificate, trustedCa: row.trusted_ca, revocation, expiringThresholdDays: thresholdOf(row) });
  }
  return links;
}

/** Settings of the RA profile count where it switches validation on itself. */
const thresholdOf = (row: ValidationRow): number =>
  (row.validation_enabled ? row.validation_expiring_threshold_days : null) ?? EXPIRING_THRESHOLD_DAYS;

function resultOf({ status, checks, message }: Verdict): ValidationResult {
  const entries = Object.entries(checks).map(
    ([check, outcome]) => [check, { validationCheck: check, ...outcome }] as const,
  );
  const validationChecks = Object.fromEntries(entries) as ValidationResult['validationChecks']; // one entry for each check of the record
  return { resultStatus: status, validationChecks, ...(message === undefined ? {} : { message }) };
}
