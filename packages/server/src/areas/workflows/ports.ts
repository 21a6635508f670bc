// Interfaces that the rules engine requires from the areas whose objects it processes; connected in
// app/workflow-subjects.ts.
import type { Resource, ResourceEvent, SavedSearch } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { EvaluatedObjects } from '../../platform/database/filter/read-values.ts';
import type { FindNames } from '../../platform/objects/named-objects.ts';
import type { ExecutionItem } from './tables.ts';

/** Property whose values are objects. */
export interface SettableProperty {
  readonly objects: 'raProfiles' | 'groups' | 'users';
  /** Whether the property accepts multiple values. */
  readonly many: boolean;
}

/** Object data that determines which associated triggers are evaluated. */
export interface ObjectScope {
  readonly groupUuids: readonly string[];
  readonly raProfileUuid: string | null;
}

/** The caller that changes an object, and additional writes that belong to the change. */
export interface Change {
  readonly context: RequestContext;
  /** Runs additional writes in the change's transaction. */
  readonly within: (tx: Executor) => Promise<void>;
}

/** Filters of a list request. */
export type ObjectChoice = Pick<SavedSearch, 'filters' | 'text' | 'includeArchived'>;

/** Returns the search stored in one of the user's saved views. */
export type FindSavedSearch = (
  view: { readonly uuid: string; readonly resource: Resource },
  context: RequestContext,
) => Promise<SavedSearch>;

/** Resource whose objects conditions evaluate and executions change. */
export interface WorkflowSubject {
  readonly resource: Resource;
  /** Provides only the fields by which the caller can search. */
  readonly evaluated: (context: RequestContext) => EvaluatedObjects;
  /** Settable properties by identifier. */
  readonly settable: Readonly<Record<string, SettableProperty>>;
  /** Returns the names of the objects that are visible to the caller. */
  readonly findShown: (uuids: readonly string[], context: RequestContext) => Promise<ReadonlyMap<string, string>>;
  /**
   * Returns up to `limit` objects from the start of the caller's list, and their total number, counted up to `counted`.
   */
  readonly findChosen: (
    choice: ObjectChoice,
    context: RequestContext,
    most: { readonly limit: number; readonly counted: number },
  ) => Promise<{ readonly uuids: readonly string[]; readonly found: number }>;
  /** Present for resources whose objects belong to groups or have RA profiles. */
  readonly findScopes?: (executor: Executor, uuids: readonly string[]) => Promise<ReadonlyMap<string, ObjectScope>>;
  /**
   * Sets fields of an object with the caller's permissions; throws if a permission is missing or the object cannot be
   * changed.
   */
  readonly set?: (objectUuid: string, items: readonly ExecutionItem[], change: Change) => Promise<void>;
}

/** Returns the notification profiles that still exist. */
export type FindNotificationProfiles = FindNames;

/** Notification about an event, sent through notification profiles. */
export interface Message {
  /** Identifies the cause, so that a repeated cause does not send a second notification. */
  readonly cause: string;
  readonly profileUuids: readonly string[];
  readonly event: ResourceEvent;
  readonly resource: Resource;
  readonly objectUuid: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Queues a notification in the caller's transaction. */
export type SendMessage = (tx: Executor, message: Message) => Promise<void>;
