// Order of issuance: journal entry, commit, signature, commit, response. Nothing is signed without a record or before
// the caller permits it, and a repeated call returns the same certificate. If the key is in memory and the caller keeps
// its records in the same database, the caller's commit is the second one: a result that the caller did not record was
// never released, and its entry is signed again.
import {
  ConnectorError,
  isConnectorError,
  rejected,
  type ConnectorContext,
  type WriteDurability,
} from '@signetry/connector-sdk';
import { equalBytes, generateSerialNumber } from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import { certificateOf, signWith, type SigningAuthority } from '../authorities/signing-authority.ts';
import type { CertificatePlan } from './certificate-plan.ts';
import type { ClockGuard } from './clock-guard.ts';
import type { IssuanceJournal, IssuanceOperation, JournalEntry } from './issuance-journal.ts';

export interface IssuanceCall {
  readonly authority: Pick<SigningAuthority, 'uuid' | 'key' | 'algorithm'>;
  readonly operation: IssuanceOperation;
  readonly idempotencyKey: string | undefined;
  readonly requestDigest: Uint8Array;
  /** Nothing is signed before this resolves, or if it rejects. */
  readonly committed?: Promise<void> | undefined;
  /** Plans the certificate. Throws to reject the request. */
  plan(now: Date): CertificatePlan | Promise<CertificatePlan>;
}

export interface IssuedCertificate {
  readonly der: Uint8Array;
  readonly serial: Uint8Array;
}

export type SignOnce = (call: IssuanceCall) => Promise<IssuedCertificate>;

export interface SignOnceParts {
  readonly journal: IssuanceJournal;
  readonly guard: ClockGuard;
  readonly randomBytes: ConnectorContext['randomBytes'];
  readonly log: ConnectorContext['log'];
  /** True if the caller's record of the result is committed after or together with the signature. */
  readonly isSharedWithCaller: boolean;
}

type NewEntry = Pick<JournalEntry, 'id' | 'tbs' | 'serial'>;

/** Identical 126-bit random numbers mean that the generator is broken, so give up after a few attempts. */
const MAX_SERIAL_TRIES = 3;

/** Returns a function that performs each call once and returns the same certificate for a repeated call. */
export function createSignOnce(parts: SignOnceParts): SignOnce {
  const signer = new Signer(parts);
  return (call) => signer.sign(call);
}

class Signer {
  private readonly parts: SignOnceParts;
  /** Running calls by key: a repeated call waits for the first one instead of signing the same data again. */
  private readonly running = new Map<string, Promise<IssuedCertificate>>();

  constructor(parts: SignOnceParts) {
    this.parts = parts;
  }

  async sign(call: IssuanceCall): Promise<IssuedCertificate> {
    if (call.idempotencyKey === undefined) return this.carryOut(call);
    const slot = `${call.authority.uuid} ${call.idempotencyKey}`;
    const first = this.running.get(slot);
    if (first) {
      await first.catch(() => undefined);
      return this.carryOut(call);
    }
    const started = this.carryOut(call).finally(() => this.running.delete(slot));
    this.running.set(slot, started);
    return started;
  }

  private async carryOut(call: IssuanceCall): Promise<IssuedCertificate> {
    try {
      return await this.issueNew(call);
    } catch (error) {
      // The profile may have changed since the first call; the recorded decision remains valid.
      if (!isConnectorError(error) || error.status !== 422) throw error;
      const earlier = await this.findEarlier(call);
      if (!earlier) throw error;
      return this.replay(call, earlier);
    }
  }

  private async issueNew(call: IssuanceCall): Promise<IssuedCertificate> {
    const { journal, guard, randomBytes } = this.parts;
    const now = await guard.now();
    const plan = await call.plan(now);
    const durability = this.durabilityOf(call);
    // Waiting for the commit of the entry also makes the caller's earlier writes durable.
    if (durability === 'atOnce') await call.committed;
    for (let attempt = 0; attempt < MAX_SERIAL_TRIES; attempt += 1) {
      const serial = generateSerialNumber(randomBytes);
      const tbs = plan.tbsFor(serial);
      const reserved = journal.reserve({
        authorityUuid: call.authority.uuid,
        serial,
        idempotencyKey: call.idempotencyKey,
        operation: call.operation,
        requestDigest: call.requestDigest,
        keyFingerprint: nodeCrypto.sha256(plan.publicKey.spki),
        namesOverridden: plan.namesOverridden,
        expiresAt: new Date(plan.notAfterMs),
        preparedAt: now,
        tbsSha256: nodeCrypto.sha256(tbs),
        tbs,
        durability,
      });
      const [id] = await Promise.all([reserved, call.committed]);
      if (id !== undefined) {
        guard.recorded(now);
        return this.completeNew(call, { id, tbs, serial });
      }
      const earlier = await this.findEarlier(call);
      if (earlier) return this.replay(call, earlier);
    }
    throw new ConnectorError(500, 'The random number generator returned duplicate serial numbers; nothing was signed.');
  }

  /** Until the caller has recorded the result, it exists only in this process and in the shared database. */
  private durabilityOf({ authority }: IssuanceCall): WriteDurability {
    return this.parts.isSharedWithCaller && authority.key.isInMemory ? 'withAnswer' : 'atOnce';
  }

  /** No other process can have signed a new entry, so the response need not wait for the commit of its signature. */
  private async completeNew(call: IssuanceCall, entry: NewEntry): Promise<IssuedCertificate> {
    const { journal, log } = this.parts;
    if (this.durabilityOf(call) === 'atOnce') return this.complete(call, entry);
    const signature = await signWith(call.authority, entry.tbs);
    journal
      .recordSignature({ id: entry.id, signature, durability: 'withAnswer' })
      .catch((error: unknown) => log.error({ error, entry: entry.id }, 'Cannot record a signature'));
    return { der: certificateOf(call.authority, { tbs: entry.tbs, signature }), serial: entry.serial };
  }

  private async complete({ authority }: IssuanceCall, entry: NewEntry): Promise<IssuedCertificate> {
    const own = await signWith(authority, entry.tbs);
    const signature = await this.parts.journal.recordSignature({ id: entry.id, signature: own, durability: 'atOnce' });
    return { der: certificateOf(authority, { tbs: entry.tbs, signature }), serial: entry.serial };
  }

  private async findEarlier({ authority, idempotencyKey }: IssuanceCall): Promise<JournalEntry | undefined> {
    return idempotencyKey === undefined ? undefined : this.parts.journal.findByKey(authority.uuid, idempotencyKey);
  }

  private async replay(call: IssuanceCall, entry: JournalEntry): Promise<IssuedCertificate> {
    await call.committed;
    if (!equalBytes(entry.requestDigest, call.requestDigest)) {
      throw rejected(`The idempotency key ${call.idempotencyKey} was already used for a different request.`);
    }
    const { tbs, signature, serial } = entry;
    if (!signature) return this.complete(call, entry);
    return { der: certificateOf(call.authority, { tbs, signature }), serial };
  }
}
