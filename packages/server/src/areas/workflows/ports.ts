// What the rules engine needs of the areas whose objects it is about, connected in app/areas.ts.
import type { ConditionItemDto, Resource } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import type { FindNames } from '../../platform/objects/named-objects.ts';

/** A property whose values are objects. */
export interface SettableProperty {
  readonly objects: 'raProfiles' | 'groups' | 'users';
  /** It takes several. */
  readonly many: boolean;
}

/** A resource whose objects conditions look at and executions change. */
export interface WorkflowSubject {
  readonly resource: Resource;
  /** Refuses conditions that the caller could not search by (400), and patterns that are none to the database (422). */
  assertConditions(items: readonly ConditionItemDto[], context: RequestContext): Promise<void> | void;
  /** By identifier. */
  readonly settable: Readonly<Record<string, SettableProperty>>;
}

/** Those of the notification profiles that exist. */
export type FindNotificationProfiles = FindNames;
