// Services that every area receives from the layers below it. Contains no domain terms.
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
  /** Rate limits per IP address and account. */
  readonly limits: RateLimits;
  /** Identity of this node, stored in its data directory. */
  readonly nodeId: string;
  /** URL at which clients reach the platform, without a trailing slash. */
  readonly publicUrl: () => string;
  /**
   * Base URL for CRLs, OCSP and CA certificates that is included in certificates, without a trailing slash; http
   * wherever possible.
   */
  readonly revocationUrl: () => string;
  /** Fires when shutdown has waited long enough for remote parties; all calls to them are then aborted. */
  readonly giveUp: AbortSignal;
  /** Points at which a fault suite can kill the process. */
  readonly faultPoint: FaultPoints;
}

export type ObjectNames = Readonly<Partial<Record<Resource, FindNames>>>;

/**
 * Finds an object whose custom attributes a caller wants to change; throws if it does not exist, or if the caller has
 * the permission on the object but not on its parents.
 */
export type FindValueHolder = (
  uuid: string,
  context: RequestContext,
) => Promise<{ readonly uuid: string; readonly name: string }>;

export type ValueHolders = Readonly<Partial<Record<Resource, FindValueHolder>>>;

/** Returns owners and groups of the objects; objects that do not exist are omitted. */
export type FindBelongings = (executor: Executor, uuids: readonly string[]) => Promise<readonly Belonging[]>;

export type Belongings = Readonly<Partial<Record<Resource, FindBelongings>>>;

/** Parts that an area returns to the composition root. */
/** Fields that rules can use or set, by resource; objects are offered with their identifier and name. */
export type RuleFields = Partial<
  Record<
    Resource,
    (context: RequestContext, form: { readonly settable: boolean }) => Promise<SearchFieldDataByGroupDto[]>
  >
>;

/**
 * A stored value that differs from the value derived from its source. A value is null if it does not exist, or should
 * not exist.
 */
export interface DerivedMismatch {
  readonly what: string;
  readonly kept: string | null;
  readonly right: string | null;
}

/** Stored data that is derived from other data. */
export interface DerivedData {
  /** Plural noun, as in "counters of certificates". */
  readonly name: string;
  readonly findWrong: () => Promise<readonly DerivedMismatch[]>;
  /** Corrects the values, and returns those that were wrong. */
  readonly repair: () => Promise<readonly DerivedMismatch[]>;
}

/** Data that an area retains for a configured time, or forever. */
export interface RetentionPolicy {
  readonly setting: keyof RetentionSettings;
  /** Plural noun, as in "runs of scheduled jobs". */
  readonly what: string;
  /** Tables that stop growing if the setting is a number of days. */
  readonly tables: readonly string[];
  /**
   * Removes up to this many of the oldest entries that ended before a given time. Returns the number removed, or 0 if
   * there are no more.
   */
  readonly remove: (
    tx: Executor,
    old: { readonly before: Date; readonly limit: number; readonly context: RequestContext },
  ) => Promise<number>;
}

export interface Area {
  readonly routes?: readonly Route[];
  /** Endpoints outside the API, e.g. CRL download. */
  readonly http?: (server: FastifyInstance) => void;
  /**
   * Columns in which the area stores sealed values, so that a sealing key rotation finds them; complete once the area
   * has started.
   */
  readonly sealedColumns?: () => readonly SealedColumn[];
  /** Names of objects on which permissions can be granted individually, by resource. */
  readonly objectNames?: ObjectNames;
  /** Objects with custom attributes that are not in `objectNames`, or to which access also depends on their parents. */
  readonly valueHolders?: ValueHolders;
  /** Owners and groups of objects, for resources whose objects have them. */
  readonly belongings?: Belongings;
  /** Fields that rules compare and set, for resources whose field values the area knows. */
  readonly ruleFields?: RuleFields;
  /** Data that the area stores although it is derived from other data. */
  readonly derivedData?: readonly DerivedData[];
  /** Retention policies of the area's data. */
  readonly retentionPolicies?: readonly RetentionPolicy[];
  /** Starts background work, after all areas have been created and migrations have run. */
  readonly start?: () => Promise<void>;
  readonly stop?: () => Promise<void>;
  /** Ends long-lived responses. Called just before the listeners start waiting for responses in progress. */
  readonly leave?: () => void;
}
