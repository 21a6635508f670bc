// Interface of one kind of discovery; jobs, results and pages are shared by all kinds.
import type { BaseAttributeDto, MetadataAttribute, RequestAttributeDto } from '@signetry/contract';
import type { ConnectorContext } from '../connector.ts';
import type { ConnectorStorage } from '../storage/storage.ts';

export type DiscoveryState = 'inProgress' | 'completed' | 'warning' | 'failed';
/** Counts by name, e.g. targets by outcome. */
export type Counts = Readonly<Record<string, number>>;

/** A certificate at one of the places where it was seen. Sightings are stored as JSON. */
export interface SeenCertificate<Sighting> {
  /** SHA-256, in hex. */
  readonly fingerprint: string;
  readonly der: Uint8Array;
  readonly sighting: Sighting;
}

/** A unit of work that counts entirely or not at all. */
export interface DiscoveryStep<Checkpoint, Sighting> {
  /** Where the discovery resumes once everything up to this step is stored. */
  readonly checkpoint: Checkpoint;
  /** Added to the counts of the discovery. */
  readonly counts: Counts;
  readonly certificates: readonly SeenCertificate<Sighting>[];
  /** What could not be read, as text for users; the first 100 of a discovery are stored. */
  readonly problems?: readonly string[];
  /** Writes to tables of the kind, in the transaction of the step. */
  readonly write?: (tx: ConnectorStorage) => Promise<void>;
  /** Bytes of memory that `write` holds until it runs. */
  readonly octets?: number;
}

/** A running discovery. */
export interface DiscoveryJob<Wish, Checkpoint, Sighting> {
  readonly uuid: string;
  readonly wish: Wish;
  /** Everything before it has been stored, by this process or an earlier one. */
  readonly checkpoint: Checkpoint;
  /** Secrets that were sealed with the discovery. */
  readonly secrets: Uint8Array | undefined;
  /** Aborted when the discovery was deleted, belongs to a different process, or cannot be stored. */
  readonly signal: AbortSignal;
  /** Await before starting a step, so that results do not pile up; undefined if it can start immediately. */
  room(number: number): Promise<void> | undefined;
  /**
   * Reports a finished step. Steps are numbered from 0 in each run without gaps. They can finish in any order; they are
   * stored in numerical order.
   */
  done(number: number, step: DiscoveryStep<Checkpoint, Sighting>): void;
  /** Waits until all steps so far are stored; returns the counts of the discovery, including earlier runs. */
  stored(): Promise<Counts>;
  /** Stores the steps before the first missing one and discards those after it; returns the number of the next step. */
  cut(): Promise<number>;
}

/** Outcome of a discovery. */
export interface Conclusion {
  readonly status: Exclude<DiscoveryState, 'inProgress'>;
  /** Text for users. */
  readonly reason: string | null;
  /** Writes data for the kind's next discovery, in the transaction that ends this one. */
  readonly write?: (tx: ConnectorStorage) => Promise<void>;
}

/** A checked request. Both parts are stored as JSON. */
export interface AcceptedWish<Wish, Checkpoint> {
  readonly wish: Wish;
  /** Where the discovery starts. */
  readonly checkpoint: Checkpoint;
  /** Stored sealed until the discovery ends. */
  readonly secrets?: Uint8Array | undefined;
}

export interface DiscoveryFacts<Wish, Checkpoint> {
  readonly wish: Wish;
  readonly checkpoint: Checkpoint;
  readonly counts: Counts;
  readonly problems: readonly string[];
  readonly reason: string | null;
}

export interface FoundFacts<Sighting> {
  /** Number of times it was seen; only the first sightings are stored. */
  readonly seen: number;
  readonly sightings: readonly Sighting[];
}

export interface DiscoveryKind<Wish, Checkpoint, Sighting> {
  attributes(): BaseAttributeDto[] | Promise<BaseAttributeDto[]>;
  /** Rejects the request with all problems. Called again with the same values when a call is repeated. */
  accept(
    attributes: readonly RequestAttributeDto[],
  ): AcceptedWish<Wish, Checkpoint> | Promise<AcceptedWish<Wish, Checkpoint>>;
  /** Errors are logged, and the discovery resumes from its checkpoint. */
  run(job: DiscoveryJob<Wish, Checkpoint, Sighting>): Promise<Conclusion>;
  metadata(discovery: DiscoveryFacts<Wish, Checkpoint>): MetadataAttribute[];
  certificateMetadata(found: FoundFacts<Sighting>): MetadataAttribute[];
}

export type CreateKind<Wish, Checkpoint, Sighting> = (
  context: ConnectorContext,
) => DiscoveryKind<Wish, Checkpoint, Sighting>;
