// Interface of one kind of discovery; jobs, results and pages are shared by all kinds.
import type { BaseAttributeDto, MetadataAttribute, RequestAttributeDto } from '@signetry/contract';
import type { ConnectorContext } from '../connector.ts';
import type { ConnectorStorage } from '../storage/storage.ts';

export type DiscoveryState = 'inProgress' | 'completed' | 'warning' | 'failed';
/** Counts by name, e.g. targets by outcome. */
export type Counts = Readonly<Record<string, number>>;

/** A certificate and one of the places where it was seen. Sightings are stored as JSON. */
export interface SeenCertificate<Sighting> {
  /** SHA-256, in hex. */
  readonly fingerprint: string;
  readonly der: Uint8Array;
  readonly sighting: Sighting;
}

/** A unit of work that is counted either entirely or not at all. */
export interface DiscoveryStep<Checkpoint, Sighting> {
  /** Where the discovery resumes once everything up to this step is stored. */
  readonly checkpoint: Checkpoint;
  /** Added to the discovery's counts. */
  readonly counts: Counts;
  readonly certificates: readonly SeenCertificate<Sighting>[];
  /** Descriptions, for users, of data that could not be read. The first 100 per discovery are stored. */
  readonly problems?: readonly string[];
  /** Writes to the kind's tables, in the step's transaction. */
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
  /** Await this before starting a step, so that results do not pile up; undefined if the step can start immediately. */
  room(number: number): Promise<void> | undefined;
  /**
   * Reports a finished step. Within each run, steps are numbered from 0 without gaps. They can finish in any order but
   * are stored in numerical order.
   */
  done(number: number, step: DiscoveryStep<Checkpoint, Sighting>): void;
  /** Waits until all steps so far are stored; returns the discovery's counts, including earlier runs. */
  stored(): Promise<Counts>;
  /** Returns the stored problems, including those of earlier runs. */
  problems(): readonly string[];
  /** Stores the steps before the first missing one and discards those after it; returns the number of the next step. */
  cut(): Promise<number>;
}

/** Outcome of a discovery. */
export interface DiscoveryOutcome {
  readonly status: Exclude<DiscoveryState, 'inProgress'>;
  /** Text for users. */
  readonly reason: string | null;
  /** Writes data for the kind's next discovery, in the transaction that ends this one. */
  readonly write?: (tx: ConnectorStorage) => Promise<void>;
}

/** A checked request. Both parts are stored as JSON. */
export interface AcceptedSpec<Wish, Checkpoint> {
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
  /** Number of times the certificate was seen; only the first sightings are stored. */
  readonly seen: number;
  readonly sightings: readonly Sighting[];
}

export interface DiscoveryKind<Wish, Checkpoint, Sighting> {
  attributes(): BaseAttributeDto[] | Promise<BaseAttributeDto[]>;
  /**
   * Checks a request, or rejects it with a list of all problems. Called again with the same values when a call is
   * repeated.
   */
  accept(
    attributes: readonly RequestAttributeDto[],
  ): AcceptedSpec<Wish, Checkpoint> | Promise<AcceptedSpec<Wish, Checkpoint>>;
  /** Runs the discovery. Errors are logged, and the discovery then resumes from its checkpoint. */
  run(job: DiscoveryJob<Wish, Checkpoint, Sighting>): Promise<DiscoveryOutcome>;
  metadata(discovery: DiscoveryFacts<Wish, Checkpoint>): MetadataAttribute[];
  certificateMetadata(found: FoundFacts<Sighting>): MetadataAttribute[];
}

export type CreateKind<Wish, Checkpoint, Sighting> = (
  context: ConnectorContext,
) => DiscoveryKind<Wish, Checkpoint, Sighting>;
