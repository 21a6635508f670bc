// Whether a reservation must be in the database before the authority signs. Decided here, once per certificate; the
// other files follow the decision. ADR 82 and 84 give the reasons and figures.
import type { CompliancePort } from '../../certificates/index.ts';
import type { Connectors } from '../../connectors/index.ts';
import type { IssuingProfile } from '../../ra-profiles/index.ts';

export type Durability =
  /** The reservation is on disk before the authority is asked. */
  | 'reservedFirst'
  /**
   * The reservation is committed while the authority prepares, and before it signs. Nobody waits until it is on disk:
   * the record of the certificate, which is in the same log, makes it durable.
   */
  | 'reservedMeanwhile'
  /**
   * Nothing is reserved. The caller has committed that it asks again after a crash, and the reservation is written
   * with the certificate.
   */
  | 'writtenAtOnce';

export interface DurabilityParts {
  readonly connectors: Pick<Connectors, 'facts'>;
  readonly compliance: Pick<CompliancePort, 'appliesTo'>;
  /** How long a caller waits for the authority. */
  readonly waitMs: number;
}

export interface DurabilityFacts {
  readonly profile: Pick<IssuingProfile, 'uuid' | 'connectorUuid'>;
  readonly waitsForApproval: boolean;
  /** The caller commits that it asks again after a crash. */
  readonly isAskedAgain: boolean;
  /** The reservation has rows beside those that every reservation has. */
  readonly hasMore: boolean;
}

/** What PostgreSQL needs at most until a commit that nobody waited for is on disk. */
const ON_DISK_AFTER_MS = 1_000;

export async function durabilityOf(
  { connectors, compliance, waitMs }: DurabilityParts,
  { profile, waitsForApproval, isAskedAgain, hasMore }: DurabilityFacts,
): Promise<Durability> {
  // A caller that stops waiting is given an identifier, so the reservation must be on disk by then.
  if (waitsForApproval || waitMs < ON_DISK_AFTER_MS) return 'reservedFirst';
  // A built-in authority has no effect outside before its response is recorded; any other may act at once.
  const { isBuiltIn } = await connectors.facts(profile.connectorUuid);
  if (!isBuiltIn) return 'reservedFirst';
  // Further rows do not fit into the one statement that writes the certificate, and rules judge what is stored.
  if (!isAskedAgain || hasMore || (await compliance.appliesTo(profile.uuid))) return 'reservedMeanwhile';
  return 'writtenAtOnce';
}
