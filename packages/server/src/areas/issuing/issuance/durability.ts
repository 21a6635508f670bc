// Decides, once per certificate, whether a reservation must be in the database before the authority signs; the other
// files follow this decision. See ADR 82 and 84 for reasons and figures.
import type { CompliancePort } from '../../certificates/index.ts';
import type { Connectors } from '../../connectors/index.ts';
import type { IssuingProfile } from '../../ra-profiles/index.ts';

export type Durability =
  /** The reservation is on disk before the authority is called. */
  | 'reservedFirst'
  /**
   * The reservation is committed while the authority prepares, before it signs. The platform does not wait for the
   * flush to disk: recording the certificate, which uses the same log, makes the reservation durable.
   */
  | 'reservedMeanwhile'
  /**
   * Nothing is reserved. The caller has committed to repeating the request after a crash, and the reservation is
   * written together with the certificate.
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
  /** Whether the caller commits to repeating the request after a crash. */
  readonly isAskedAgain: boolean;
  /** Whether the reservation has rows in addition to those of every reservation. */
  readonly hasMore: boolean;
}

/** Maximum time that PostgreSQL takes to write a commit to disk if no client waits for it. */
const ON_DISK_AFTER_MS = 1_000;

export async function durabilityOf(
  { connectors, compliance, waitMs }: DurabilityParts,
  { profile, waitsForApproval, isAskedAgain, hasMore }: DurabilityFacts,
): Promise<Durability> {
  // A caller that stops waiting receives an identifier, so the reservation must be on disk by then.
  if (waitsForApproval || waitMs < ON_DISK_AFTER_MS) return 'reservedFirst';
  // A built-in authority has no external effect before its response is recorded; any other may act immediately.
  const { isBuiltIn } = await connectors.facts(profile.connectorUuid);
  if (!isBuiltIn) return 'reservedFirst';
  // Additional rows do not fit into the single statement that writes the certificate, and rules run against stored
  // requests.
  if (!isAskedAgain || hasMore || (await compliance.appliesTo(profile.uuid))) return 'reservedMeanwhile';
  return 'writtenAtOnce';
}
