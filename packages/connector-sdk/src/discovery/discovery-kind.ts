// What one kind of discovery says of itself; jobs, results and pages are the same for all of them.
import type { BaseAttributeDto, MetadataAttribute, RequestAttributeDto } from '@signetry/contract';
import type { ConnectorContext } from '../connector.ts';
import type { ConnectorStorage } from '../storage/storage.ts';

export type DiscoveryState = 'inProgress' | 'completed' | 'warning' | 'failed';
/** How many of what, e.g. targets by how they ended. */
export type Counts = Readonly<Record<string, number>>;

/** A certificate at one of the places where it was seen. A sighting is kept as JSON. */
export interface SeenCertificate<Sighting> {
  /** SHA-256, in hexadecimal. */
  readonly fingerprint: string;
  readonly der: Uint8Array;
  readonly sighting: Sighting;
}

/** A piece of the work that counts as a whole or not at all. */
export interface DiscoveryStep<Checkpoint, Sighting> {
  /** From where the discovery goes on when everything up to here is stored. */
  readonly checkpoint: Checkpoint;
  /** Added to those of the discovery. */
  readonly counts: Counts;
  readonly certificates: readonly SeenCertificate<Sighting>[];
  /** What could not be read, for people: the first hundred of a discovery are kept. */
  readonly problems?: readonly string[];
  /** What the kind keeps in tables of its own, in the transaction of the step. */
  readonly write?: (tx: ConnectorStorage) => Promise<void>;
  /** Octets that `write` holds until it runs. */
  readonly octets?: number;
}

/** A discovery while it is carried out. */
export interface DiscoveryJob<Wish, Checkpoint, Sighting> {
  readonly uuid: string;
  readonly wish: Wish;
  /** Everything before it is stored, by this process or an earlier one. */
  readonly checkpoint: Checkpoint;
  /** What was sealed with it. */
  readonly secrets: Uint8Array | undefined;
  /** Aborted when the discovery was deleted, is another process's, or cannot be stored. */
  readonly signal: AbortSignal;
  /** Waited for before a step begins, so that results do not pile up; undefined where it may at once. */
  room(number: number): Promise<void> | undefined;
  /** Steps are numbered from 0 in each run without gaps, and may end in any order; they are stored in theirs. */
  done(number: number, step: DiscoveryStep<Checkpoint, Sighting>): void;
  /** Waits until all steps so far are stored; the counts of the discovery, earlier runs included. */
  stored(): Promise<Counts>;
  /** Stores what is in order, and gives up what is behind the first step that is missing: the next one's number. */
  cut(): Promise<number>;
}

/** How a discovery ended. */
export interface Conclusion {
  readonly status: Exclude<DiscoveryState, 'inProgress'>;
  /** For people. */
  readonly reason: string | null;
  /** What the kind keeps for the next discovery, in the transaction of the end. */
  readonly write?: (tx: ConnectorStorage) => Promise<void>;
}

/** What was asked for, once it was checked. Both parts are kept as JSON. */
export interface AcceptedWish<Wish, Checkpoint> {
  readonly wish: Wish;
  /** Where the discovery begins. */
  readonly checkpoint: Checkpoint;
  /** Kept sealed until the discovery has ended. */
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
  /** How often it was seen; the sightings are the first of them. */
  readonly seen: number;
  readonly sightings: readonly Sighting[];
}

export interface DiscoveryKind<Wish, Checkpoint, Sighting> {
  attributes(): BaseAttributeDto[] | Promise<BaseAttributeDto[]>;
  /** Refuses with everything that is wrong. Called again with the same values when a call is repeated. */
  accept(
    attributes: readonly RequestAttributeDto[],
  ): AcceptedWish<Wish, Checkpoint> | Promise<AcceptedWish<Wish, Checkpoint>>;
  /** What it throws is logged, and the discovery is taken up again from its checkpoint. */
  run(job: DiscoveryJob<Wish, Checkpoint, Sighting>): Promise<Conclusion>;
  metadata(discovery: DiscoveryFacts<Wish, Checkpoint>): MetadataAttribute[];
  certificateMetadata(found: FoundFacts<Sighting>): MetadataAttribute[];
}

export type CreateKind<Wish, Checkpoint, Sighting> = (
  context: ConnectorContext,
) => DiscoveryKind<Wish, Checkpoint, Sighting>;
