// What every area gets from the layers below it. No domain terms here.
import type { Resource, RetentionSettings, SearchFieldDataByGroupDto } from '@signetry/contract';
import type { FastifyInstance } from 'fastify';
import type { RequestContext } from '../kernel/actor.ts';
import type { Belonging } from '../kernel/belonging.ts';
import type { Clock } from '../kernel/clock.ts';
import type { FaultPoints } from '../kernel/fault-points.ts';
import type { SealedColumn } from './crypto/sealed-column.ts';
import type { Sealer } from './crypto/sealing.ts';
import type { Database, Executor } from './database/database.ts';
import type { Events } from './events/outbox.ts';
import type { Route } from './http/routes.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { RateLimits } from './limits/rate-limits.ts';
import type { Logger } from './logging/logger.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { EgressGate } from './net/egress.ts';
import type { FindNames } from './objects/named-objects.ts';

export interface Platform {
  readonly database: Database;
  readonly jobs: Jobs;
  readonly events: Events;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly egress: EgressGate;
  /** Rate limits by address and account. */
  readonly limits: RateLimits;
  /** Identity of this node, kept in its data directory. */
  readonly nodeId: string;
  /** Address under which clients reach the platform, without a trailing slash. */
  readonly publicUrl: () => string;
  /** What certificates name for CRLs, OCSP and CA certificates, without a trailing slash; http wherever possible. */
  readonly revocationUrl: () => string;
  /** Fires when a stop has waited long enough for remote parties: every call to one is aborted then. */
  readonly giveUp: AbortSignal;
  /** Where a fault suite may kill the process. */
  readonly faultPoint: FaultPoints;
}

export type ObjectNames = Readonly<Partial<Record<Resource, FindNames>>>;

/**
 * Finds an object for somebody who wants to change its custom attributes; throws when it is gone, or when the caller
 * has the permission on the object but not on what is above it.
 */
export type FindValueHolder = (
  uuid: string,
  context: RequestContext,
) => Promise<{ readonly uuid: string; readonly name: string }>;

export type ValueHolders = Readonly<Partial<Record<Resource, FindValueHolder>>>;

/** Who the objects belong to; those that are not there are left out. */
export type FindBelongings = (executor: Executor, uuids: readonly string[]) => Promise<readonly Belonging[]>;

export type Belongings = Readonly<Partial<Record<Resource, FindBelongings>>>;

/** What an area gives back to the composition root. */
/** By resource: the fields that rules can use, or that they can set; objects are offered with identifier and name. */
export type RuleFields = Partial<
  Record<
    Resource,
    (context: RequestContext, form: { readonly settable: boolean }) => Promise<SearchFieldDataByGroupDto[]>
  >
>;

/** A kept value that is not what it follows from; null where there is, or should be, none. */
export interface WrongDerived {
  readonly what: string;
  readonly kept: string | null;
  readonly right: string | null;
}

/** Data that is kept although it follows from other data. */
export interface DerivedData {
  /** In words, plural, as in "counters of certificates". */
  readonly name: string;
  readonly findWrong: () => Promise<readonly WrongDerived[]>;
  /** Returns what was wrong. */
  readonly repair: () => Promise<readonly WrongDerived[]>;
}

/** What an area keeps for a time that settings say, or for good. */
export interface RetentionPolicy {
  readonly setting: keyof RetentionSettings;
  /** In words, plural, as in "runs of scheduled jobs". */
  readonly what: string;
  /** Those that no longer grow where the setting is a number of days. */
  readonly tables: readonly string[];
  /** Removes at most so many of the oldest, of what ended before; returns how many: none once there are no more. */
  readonly remove: (
    tx: Executor,
    old: { readonly before: Date; readonly limit: number; readonly context: RequestContext },
  ) => Promise<number>;
}

export interface Area {
  readonly routes?: readonly Route[];
  /** Endpoints outside the interface, e.g. CRL download. */
  readonly http?: (server: FastifyInstance) => void;
  /**
   * Where the area keeps sealed values, so that a rotation of the sealing key finds them; complete once the area was
   * started.
   */
  readonly sealedColumns?: () => readonly SealedColumn[];
  /** Names of the objects that permissions can be given on one by one, by their resource. */
  readonly objectNames?: ObjectNames;
  /** Objects with custom attributes that are not among `objectNames`, or whose parents decide as well. */
  readonly valueHolders?: ValueHolders;
  /** Owners and groups of the objects, of resources that have these. */
  readonly belongings?: Belongings;
  /** Fields that rules compare and set, of resources whose fields have values that the area knows. */
  readonly ruleFields?: RuleFields;
  /** What the area keeps although it follows from other data. */
  readonly derivedData?: readonly DerivedData[];
  /** How the area removes what is old. */
  readonly retentionPolicies?: readonly RetentionPolicy[];
  /** Starts background work, after every area was created and migrations ran. */
  readonly start?: () => Promise<void>;
  readonly stop?: () => Promise<void>;
  /** Ends answers that last: the listeners are about to wait for those under way. */
  readonly leave?: () => void;
}
