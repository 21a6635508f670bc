// Inventory functions for locations: import the certificates found there, issue for CSRs created there, and renew the
// certificates that they hold.
import type { CertificateState, CertificateValidationStatus, RequestAttributeDto } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { found, isAppError, problemsOf, rejected, type AppError } from '../../kernel/errors.ts';
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
  type WithReservation,
} from '../certificates/index.ts';
import {
  answerOf,
  createRenewingWithKeys,
  findSuccessors,
  profileOf,
  type IssueAnswer,
  type IssueAttempt,
  type IssuingArea,
  type RenewingParts,
  type RenewingWithKeys,
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

export interface RequestForPlace {
  readonly raProfileUuid: string;
  readonly request: MakeRequest;
  readonly attributes: readonly RequestAttributeDto[];
  readonly customAttributes: readonly RequestAttributeDto[];
  readonly withReservation: WithReservation;
}

/** Creates the CSR: PKCS #10 as PEM, or Base64-encoded DER or PEM. Called only after all other checks have passed. */
export type MakeRequest = () => Promise<string>;

export interface IssueForPlaceAnswer extends IssueAnswer {
  /** Reason why it is unknown whether the authority issued the certificate. The outcome is determined later. */
  readonly undecided?: AppError;
}

/** Result of an import; `problem` is the reason why a certificate cannot be read. */
export type TakenIn = { readonly uuid: string } | { readonly problem: string };

export interface HeldCertificates extends RenewingWithKeys {
  /** Returns the given certificates that exist. */
  find(executor: Executor, uuids: readonly string[]): Promise<HeldCertificate[]>;
  require(uuid: string): Promise<HeldCertificate>;
  /** Returns the identifiers of certificates in the inventory, by fingerprint. */
  identify(fingerprints: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Returns the content in DER; throws if the certificate is not issued. */
  content(uuid: string): Promise<Uint8Array>;
  /** Imports certificates and returns results in the given order; existing certificates stay unchanged. */
  takeIn(ders: readonly Uint8Array[], note: string, context: RequestContext): Promise<TakenIn[]>;
  issue(request: RequestForPlace, context: RequestContext): Promise<IssueForPlaceAnswer>;
  /** Renews with the same key, or rekeys with a new one. */
  succeed(
    uuid: string,
    successor: Pick<RequestForPlace, 'request' | 'withReservation'>,
    context: RequestContext,
  ): Promise<IssueForPlaceAnswer>;
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
  readonly keys: RenewingParts['keys'];
  readonly names: NameSource;
}

export function createHeldCertificates(parts: HeldCertificateParts): HeldCertificates {
  const { platform, issuing, inventory, raProfiles, names } = parts;
  const { executor } = platform.database;
  const require = async (uuid: string): Promise<CertificateRow> =>
    found(await findCertificate(executor, uuid), 'Certificate', uuid);
  const read = (make: MakeRequest) => async (): Promise<RequestFacts> => {
    const [{ codes }, text] = [await names(), await make()];
    return readRequest(text, 'pkcs10', codes);
  };
  const pathOf = async (raProfileUuid: string) => {
    const { authorityUuid } = await raProfiles.forIssuingByUuid(raProfileUuid);
    return { authorityUuid, raProfileUuid };
  };

  async function takeInOne(der: Uint8Array, note: string, context: RequestContext): Promise<TakenIn> {
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
      const taken: TakenIn[] = [];
      for (const der of ders) taken.push(await takeInOne(der, note, context));
      inventory.importCommitted();
      return taken;
    },
    async issue({ raProfileUuid, request, ...rest }, context) {
      const input = { ...(await pathOf(raProfileUuid)), ...rest, request: read(request) };
      return forPlace(await issuing.issuance.attempt(input, context));
    },
    async succeed(uuid, { request, withReservation }, context) {
      const path = await pathOf(profileOf(await require(uuid)));
      const successor = { ...path, certificateUuid: uuid, request: read(request), withReservation };
      return forPlace(await issuing.renewer.succeedWith(successor, context));
    },
    successorsOf: (uuid) => findSuccessors(executor, uuid),
    ...createRenewingWithKeys({ ...parts, require, pathOf }),
    tell: (tx, { uuid, failed, message }, occasion) =>
      insertHistory(
        tx,
        [{ certificate_uuid: uuid, event: 'Update Location', status: failed ? 'FAILED' : 'SUCCESS', message }],
        occasion,
      ),
  };
}

/** Returns the answer for a location; throws if the issuance failed. */
const forPlace = (attempt: IssueAttempt): IssueForPlaceAnswer => {
  const { outcome, ...rest } = attempt;
  return outcome?.status === 'waiting' ? { ...rest, der: undefined, undecided: outcome.error } : answerOf(attempt);
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
