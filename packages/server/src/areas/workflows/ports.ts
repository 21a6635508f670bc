// What the rules engine needs of the areas whose objects it is about, connected in app/workflow-subjects.ts.
import type { Resource, ResourceEvent, SavedSearch } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { EvaluatedObjects } from '../../platform/database/filter/read-values.ts';
import type { FindNames } from '../../platform/objects/named-objects.ts';
import type { ExecutionItem } from './tables.ts';

/** A property whose values are objects. */
export interface SettableProperty {
  readonly objects: 'raProfiles' | 'groups' | 'users';
  /** It takes several. */
  readonly many: boolean;
}

/** What decides whose triggers are asked about an object. */
export interface ObjectScope {
  readonly groupUuids: readonly string[];
  readonly raProfileUuid: string | null;
}

/** Who changes an object, and what belongs to the change. */
export interface Change {
  readonly context: RequestContext;
  /** What it writes is in the transaction of the change. */
  readonly within: (tx: Executor) => Promise<void>;
}

/** What a list is asked for. */
export type ObjectChoice = Pick<SavedSearch, 'filters' | 'text' | 'includeArchived'>;

/** What a user saved of a list, by a view of theirs. */
export type FindSavedSearch = (
  view: { readonly uuid: string; readonly resource: Resource },
  context: RequestContext,
) => Promise<SavedSearch>;

/** A resource whose objects conditions look at and executions change. */
export interface WorkflowSubject {
  readonly resource: Resource;
  /** With the fields that the caller may search by. */
  readonly evaluated: (context: RequestContext) => EvaluatedObjects;
  /** By identifier. */
  readonly settable: Readonly<Record<string, SettableProperty>>;
  /** Names of those of the objects that the caller may look at. */
  readonly findShown: (uuids: readonly string[], context: RequestContext) => Promise<ReadonlyMap<string, string>>;
  /** The first objects that the caller's list shows, at most `limit`, and how many it shows, up to `counted`. */
  readonly findChosen: (
    choice: ObjectChoice,
    context: RequestContext,
    most: { readonly limit: number; readonly counted: number },
  ) => Promise<{ readonly uuids: readonly string[]; readonly found: number }>;
  /** Of resources whose objects are in groups or have RA profiles. */
  readonly findScopes?: (executor: Executor, uuids: readonly string[]) => Promise<ReadonlyMap<string, ObjectScope>>;
  /** Sets fields of an object as the caller may; throws when they may not, or the object cannot be changed. */
  readonly set?: (objectUuid: string, items: readonly ExecutionItem[], change: Change) => Promise<void>;
}

/** Those of the notification profiles that exist. */
export type FindNotificationProfiles = FindNames;

/** A message by notification profiles about something that happened. */
export interface Message {
  /** The same cause twice is one message. */
  readonly cause: string;
  readonly profileUuids: readonly string[];
  readonly event: ResourceEvent;
  readonly resource: Resource;
  readonly objectUuid: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** In the caller's transaction. */
export type SendMessage = (tx: Executor, message: Message) => Promise<void>;
