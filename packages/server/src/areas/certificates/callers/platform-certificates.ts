// What the platform itself does with certificates: its own HTTPS and OCSP responder certificates, issued through the
// ordinary path, and what it publishes of its authorities.
import { createBatcher } from '@signetry/connector-sdk';
import { writePem } from '@signetry/pki';
import { coreContext, type RequestContext } from '../../../kernel/actor.ts';
import { createExpiringCache } from '../../../kernel/expiring-cache.ts';
import { newUuid } from '../../../kernel/ids.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { Downloads } from '../inventory/download.ts';
import type { Issuance } from '../issuing/issuance.ts';
import type { NameSource } from '../core/ports.ts';
import { readRequest } from '../core/read-request.ts';
import type { IssuedEnd } from '../validation/chain.ts';
import * as store from '../core/store.ts';
import type { CertificateRow } from '../core/tables.ts';
import { findIssuerUuids } from './store-protocols.ts';
import { findStatuses, type InventoryStatus, type IssuerIdentity } from './store-status.ts';

export interface PlatformIssueInput {
  readonly authorityUuid: string;
  readonly raProfileUuid: string;
  /** PKCS#10 in DER. */
  readonly request: Uint8Array;
}

export interface FoundObject {
  readonly state: string;
  readonly serialNumber: string | null;
  readonly revocationReason: CertificateRow['revocation_reason'];
  readonly der: Uint8Array | undefined;
}

/** Chains change when authorities are certified anew. */
const ISSUERS_TTL_MS = 60_000;

export interface PlatformCertificates {
  /** Issues for a request of the platform itself. */
  issueForPlatform(
    input: PlatformIssueInput,
    context: RequestContext,
  ): Promise<{ readonly uuid: string; readonly der: Uint8Array | undefined }>;
  /** State, serial number, reason of revocation and content of a certificate object. */
  find(uuid: string): Promise<FoundObject | undefined>;
  /** The certificate and its issuers, leaf first, in DER. */
  chainOf(uuid: string): Promise<readonly Uint8Array[]>;
  /** What stands above an issued certificate, its issuer first, in DER; remembered for a while by issuer. */
  issuersOf(uuid: string): Promise<readonly Uint8Array[]>;
  /** Whether certificates that this CA issued may have several chains: authorities above them are cross-certified. */
  mayHaveSeveralChains(caDer: Uint8Array): Promise<boolean>;
  /** What stands above a certificate on each of its valid paths, in DER, the one through its own issuer first. */
  validChainsOf(end: IssuedEnd, limit: number): Promise<readonly (readonly Uint8Array[])[]>;
  /** Status of certificates by issuer and serial number, read from the database for every call. */
  findStatuses(issuer: IssuerIdentity, serialNumbers: readonly string[]): Promise<readonly InventoryStatus[]>;
}

export function createPlatformCertificates(options: {
  readonly platform: Platform;
  readonly issuance: Issuance;
  readonly names: NameSource;
  readonly inventory: Pick<Downloads, 'chain' | 'mayHaveSeveralChains' | 'validChains'>;
}): PlatformCertificates {
  const { issuance } = options;
  const { executor } = options.platform.database;

  async function find(uuid: string): Promise<FoundObject | undefined> {
    const row = await store.findOne(executor, uuid);
    if (!row) return undefined;
    return {
      state: row.state,
      serialNumber: row.serial_number,
      revocationReason: row.revocation_reason,
      der: row.fingerprint === null ? undefined : await store.contentOf(executor, row),
    };
  }

  async function chainOf(uuid: string): Promise<readonly Uint8Array[]> {
    const { certificates } = await options.inventory.chain(uuid, {
      withEndCertificate: true,
      context: coreContext(newUuid()),
    });
    return certificates.map(({ certificateContent = '' }) => Buffer.from(certificateContent, 'base64'));
  }

  const chains = createExpiringCache({ clock: options.platform.clock, ttlMs: ISSUERS_TTL_MS, load: chainOf });

  const { relaxed } = options.platform.database;
  const findIssuerUuid = createBatcher({
    scheduleFlush: relaxed.scheduleFlush,
    write: (uuids: readonly string[]) => findIssuerUuids(relaxed, uuids),
  });

  async function issuersOf(uuid: string): Promise<readonly Uint8Array[]> {
    const issuerUuid = await findIssuerUuid(uuid);
    return issuerUuid === undefined ? [] : chains.get(issuerUuid);
  }

  return {
    issueForPlatform: async ({ request, ...profile }, context) => {
      const { codes } = await options.names();
      const read = readRequest(writePem('CERTIFICATE REQUEST', request), 'pkcs10', codes);
      return issuance.issue({ ...profile, alsoInternal: true, request: read, attributes: [] }, context);
    },
    find,
    chainOf,
    issuersOf,
    mayHaveSeveralChains: options.inventory.mayHaveSeveralChains,
    validChainsOf: options.inventory.validChains,
    findStatuses: (authority, serialNumbers) => findStatuses(options.platform.database.hot, authority, serialNumbers),
  };
}
