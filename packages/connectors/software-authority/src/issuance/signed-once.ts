// The order that keeps a CA honest: entry in the journal, commit, signature, commit, answer. And its other half: the same call
// again yields the same certificate.
import { ConnectorError, isConnectorError, rejected, type ConnectorContext } from '@signetry/connector-sdk';
import { equalBytes, generateSerialNumber } from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import { certificateOf, signWith, type SigningAuthority } from '../authorities/signing-authority.ts';
import type { CertificatePlan } from './certificate-plan.ts';
import type { ClockGuard } from './clock-guard.ts';
import type { IssuanceJournal, IssuanceOperation, JournalEntry } from './issuance-journal.ts';

export interface IssuanceCall {
  readonly authority: Pick<SigningAuthority, 'uuid' | 'privateKey' | 'algorithm'>;
  readonly operation: IssuanceOperation;
  readonly idempotencyKey: string | undefined;
  readonly requestDigest: Uint8Array;
  /** Decides about the certificate; refuses by throwing. */
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
}

/** Two equal numbers of 126 random bits mean a broken generator: after some tries it is better to stop. */
const MAX_SERIAL_TRIES = 3;

export function createSignOnce({ journal, guard, randomBytes }: SignOnceParts): SignOnce {
  /** Calls under way by their key: equal ones wait for the first instead of signing the same octets again. */
  const underWay = new Map<string, Promise<IssuedCertificate>>();

  async function carryOut(call: IssuanceCall): Promise<IssuedCertificate> {
    try {
      return await issueNew(call);
    } catch (error) {
      // The profile may have changed since the first call; what was promised then still holds.
      if (!isConnectorError(error) || error.status !== 422) throw error;
      const earlier = await findEarlier(call);
      if (!earlier) throw error;
      return replay(call, earlier);
    }
  }

  async function issueNew(call: IssuanceCall): Promise<IssuedCertificate> {
    const now = await guard.now();
    const plan = await call.plan(now);
    for (let attempt = 0; attempt < MAX_SERIAL_TRIES; attempt += 1) {
      const serial = generateSerialNumber(randomBytes);
      const tbs = plan.tbsFor(serial);
      const id = await journal.reserve({
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
      });
      if (id !== undefined) {
        guard.recorded(now);
        return complete(call, { id, tbs, serial });
      }
      const earlier = await findEarlier(call);
      if (earlier) return replay(call, earlier);
    }
    throw new ConnectorError(500, 'The random number generator repeats serial numbers; nothing was signed.');
  }

  async function complete(
    { authority }: IssuanceCall,
    entry: Pick<JournalEntry, 'id' | 'tbs' | 'serial'>,
  ): Promise<IssuedCertificate> {
    const own = await signWith(authority, entry.tbs);
    const signature = await journal.recordSignature({ id: entry.id, signature: own });
    return { der: certificateOf(authority, { tbs: entry.tbs, signature }), serial: entry.serial };
  }

  const findEarlier = async ({ authority, idempotencyKey }: IssuanceCall): Promise<JournalEntry | undefined> =>
    idempotencyKey === undefined ? undefined : journal.findByKey(authority.uuid, idempotencyKey);

  async function replay(call: IssuanceCall, entry: JournalEntry): Promise<IssuedCertificate> {
    if (!equalBytes(entry.requestDigest, call.requestDigest)) {
      throw rejected(`The idempotency key ${call.idempotencyKey} was used for another request.`);
    }
    const { tbs, signature, serial } = entry;
    if (!signature) return complete(call, entry);
    return { der: certificateOf(call.authority, { tbs, signature }), serial };
  }

  return async (call) => {
    if (call.idempotencyKey === undefined) return carryOut(call);
    const slot = `${call.authority.uuid} ${call.idempotencyKey}`;
    const first = underWay.get(slot);
    if (first) {
      await first.catch(() => undefined);
      return carryOut(call);
    }
    const started = carryOut(call).finally(() => underWay.delete(slot));
    underWay.set(slot, started);
    return started;
  };
}
