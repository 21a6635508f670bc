// Inventory functions for locations: import the certificates found there, issue for CSRs created there, and renew the
// certificates that they hold.
import type { CertificateState, CertificateValidationStatus, RequestAttributeDto } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { requireFound, isAppError, problemsOf, rejected, type AppError } from '../../kernel/errors.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { Platform } from '../../platform/platform.ts';
import type { RaProfiles } from '../ra-profiles/index.ts';
import {
  certificateName,
  findCertificate,
  findContent,
  insertHistory,
  readRequest,
  shownState,
  type CertificateRow,
  type NameSource,
  type RequestFacts,
  type ReservationHook,
} from '../certificates/index.ts';
import {
  responseFor,
  createKeyedRenewals,
  findSuccessors,
  profileOf,
  type IssueResponse,
  type IssueAttempt,
  type IssuingArea,
  type KeyedRenewalParts,
  type KeyedRenewals,
} from '../issuing/index.ts';
import { findKnown } from './importing/store.ts';
import type { Inventory } from './inventory.ts';
import { findRows } from './certificate/store-changes.ts';

export interface HeldCertificate {
  readonly uuid: string;
  /** Display name. */
  readonly title: string;
  readonly commonName: string;
  readonly serialNumber: string;
  readonly state: CertificateState;
  readonly validationStatus: CertificateValidationStatus;
  readonly archived: boolean;
  readonly raProfileUuid: string | null;
  /** SHA-256 in hexadecimal; null until the certificate is issued. */
  readonly fingerprint: string | null;
  readonly publicKeyAlgorithm: string;
}

export interface LocationRequest {
  readonly raProfileUuid: string;
  readonly request: CreateRequest;
  readonly attributes: readonly RequestAttributeDto[];
  readonly customAttributes: readonly RequestAttributeDto[];
  readonly withReservation: ReservationHook;
}

/** Creates the CSR: PKCS #10 as PEM, or Base64-encoded DER or PEM. Called only after all other checks have passed. */
export type CreateRequest = () => Promise<string>;

export interface LocationIssueResponse extends IssueResponse {
  /** Reason why it is unknown whether the authority issued the certificate. The outcome is determined later. */
  readonly undecided?: AppError;
}

/** Result of an import; `problem` is the reason why a certificate cannot be read. */
export type ImportResult = { readonly uuid: string } | { readonly problem: string };

export interface HeldCertificates extends KeyedRenewals {
  /** Returns the given certificates that exist. */
  find(executor: Executor, uuids: readonly string[]): Promise<HeldCertificate[]>;
  require(uuid: string): Promise<HeldCertificate>;
  /** Returns the identifiers of certificates in the inventory, by fingerprint. */
  identify(fingerprints: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Returns the content in DER; throws if the certificate is not issued. */
  content(uuid: string): Promise<Uint8Array>;
  /** Imports certificates and returns results in the given order; existing certificates stay unchanged. */
  takeIn(ders: readonly Uint8Array[], note: string, context: RequestContext): Promise<ImportResult[]>;
  issue(request: LocationRequest, context: RequestContext): Promise<LocationIssueResponse>;
  /** Renews with the same key, or rekeys with a new one. */
  succeed(
    uuid: string,
    successor: Pick<LocationRequest, 'request' | 'withReservation'>,
    context: RequestContext,
  ): Promise<LocationIssueResponse>;
  /** Returns the certificates issued or requested as successors of this certificate. */
  successorsOf(uuid: string): Promise<readonly string[]>;
  /** Adds a history entry about a location. */
  tell(
    tx: Executor,
    entry: { readonly uuid: string; readonly failed: boolean; readonly message: string },
    occasion: { readonly at: Date; readonly by: string },
  ): Promise<void>;
}

export interface HeldCertificateParts {
  readonly platform: Platform;
  readonly issuing: Pick<IssuingArea, 'issuance' | 'renewer'>;
  readonly inventory: Pick<Inventory, 'importCertificate' | 'importCommitted'>;
  readonly raProfiles: Pick<RaProfiles, 'forIssuingByUuid'>;
  readonly keys: KeyedRenewalParts['keys'];
  readonly names: NameSource;
}

export function createHeldCertificates(parts: HeldCertificateParts): HeldCertificates {
  const { platform, issuing, inventory, raProfiles, names } = parts;
  const { executor } = platform.database;
  const require = async (uuid: string): Promise<CertificateRow> =>
    requireFound(await findCertificate(executor, uuid), 'Certificate', uuid);
  const read = (make: CreateRequest) => async (): Promise<RequestFacts> => {
    const [{ codes }, text] = [await names(), await make()];
    return readRequest(text, 'pkcs10', codes);
  };
  const pathOf = async (raProfileUuid: string) => {
    const { authorityUuid } = await raProfiles.forIssuingByUuid(raProfileUuid);
    return { authorityUuid, raProfileUuid };
  };

  async function importOne(der: Uint8Array, note: string, context: RequestContext): Promise<ImportResult> {
    try {
      const options = { note };
      return await platform.database.transaction((tx) => inventory.importCertificate(tx, der, { options, context }));
    } catch (error) {
      if (!isAppError(error)) throw error;
      return { problem: problemsOf(error).join('; ') };
    }
  }

  return {
    find: async (from, uuids) => (await findRows(from, uuids)).map(presentHeld),
    require: async (uuid) => presentHeld(await require(uuid)),
    identify: async (fingerprints) =>
      new Map((await findKnown(executor, fingerprints)).map(({ uuid, fingerprint }) => [fingerprint, uuid])),
    content: async (uuid) => {
      const row = await require(uuid);
      if (row.fingerprint === null) throw rejected(`Certificate ${certificateName(row)} is not issued yet.`);
      return findContent(executor, row);
    },
    async takeIn(ders, note, context) {
      const taken: ImportResult[] = [];
      for (const der of ders) taken.push(await importOne(der, note, context));
      inventory.importCommitted();
      return taken;
    },
    async issue({ raProfileUuid, request, ...rest }, context) {
      const input = { ...(await pathOf(raProfileUuid)), ...rest, request: read(request) };
      return responseForLocation(await issuing.issuance.attempt(input, context));
    },
    async succeed(uuid, { request, withReservation }, context) {
      const path = await pathOf(profileOf(await require(uuid)));
      const successor = { ...path, certificateUuid: uuid, request: read(request), withReservation };
      return responseForLocation(await issuing.renewer.succeedWith(successor, context));
    },
    successorsOf: (uuid) => findSuccessors(executor, uuid),
    ...createKeyedRenewals({ ...parts, require, pathOf }),
    tell: (tx, { uuid, failed, message }, occasion) =>
      insertHistory(
        tx,
        [{ certificate_uuid: uuid, event: 'Update Location', status: failed ? 'FAILED' : 'SUCCESS', message }],
        occasion,
      ),
  };
}

/** Returns the answer for a location; throws if the issuance failed. */
const responseForLocation = (attempt: IssueAttempt): LocationIssueResponse => {
  const { outcome, ...rest } = attempt;
  return outcome?.status === 'waiting' ? { ...rest, der: undefined, undecided: outcome.error } : responseFor(attempt);
};

const presentHeld = (row: CertificateRow): HeldCertificate => ({
  uuid: row.uuid,
  title: certificateName(row),
  commonName: row.common_name,
  serialNumber: row.serial_number ?? '',
  state: shownState(row),
  validationStatus: row.validation_status,
  archived: row.archived,
  raProfileUuid: row.ra_profile_uuid,
  fingerprint: row.fingerprint,
  publicKeyAlgorithm: row.public_key_algorithm,
});
