// Follows the event log: evaluates the triggers for each event, in the transaction that advances the follower's
// position.
import { ResourceEvent, resourceEventFacts } from '@signetry/contract';
import type { PublishedEvent } from '../../../platform/events/followers.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import { coreContext } from '../../../kernel/actor.ts';
import { newUuid } from '../../../kernel/ids.ts';
import type { Subjects } from '../definitions/subjects.ts';
import type { WorkflowSubject } from '../ports.ts';
import { ask, type EvaluationTarget } from './evaluate.ts';
import type { Scope, SetsOfEvent, TriggerSets } from './trigger-sets.ts';

interface FollowParts {
  readonly sets: TriggerSets;
  readonly subjects: Subjects;
  /** Called when there are pending runs. */
  readonly wake: () => void;
}

export function followEvents({ events, clock }: Platform, { sets, subjects, wake }: FollowParts): void {
  events.follow({
    name: 'workflows',
    wants: async (tx) => [...(await sets.current(tx)).keys()],
    handle: async (tx, published) => {
      const listened = await sets.current(tx);
      let runs = 0;
      for (const [name, ofEvent] of Map.groupBy(published, ({ event }) => event)) {
        const event = ResourceEvent.options.find((each) => each === name);
        const setsOfEvent = event && listened.get(event);
        const subject = event && subjects.find(resourceEventFacts[event].resource);
        if (!event || !setsOfEvent || !subject) continue;
        const questions = await targetsOf(tx, ofEvent, { subject, sets: setsOfEvent });
        const asked = {
          resource: subject.resource,
          objects: subject.evaluated(coreContext(newUuid())),
          now: clock.now(),
          skipsIgnoring: resourceEventFacts[event].overridingResources.includes('discoveries'),
        };
        runs += (await ask(tx, questions, asked)).runs;
      }
      if (runs > 0) return wake;
    },
  });
}

async function targetsOf(
  tx: Executor,
  events: readonly PublishedEvent[],
  { subject, sets }: { readonly subject: WorkflowSubject; readonly sets: SetsOfEvent },
): Promise<EvaluationTarget[]> {
  const uuids = events.flatMap(({ objectUuid }) => objectUuid ?? []);
  const scopes = sets.needsScope ? await subject.findScopes?.(tx, uuids) : undefined;
  return events.flatMap(({ uuid: eventUuid, objectUuid, data }) => {
    if (objectUuid === null) return [];
    const scope: Scope = {
      groupUuids: [],
      raProfileUuid: null,
      ...scopes?.get(objectUuid),
      discoveryUuid: textOf(data['discoveryUuid']),
    };
    const referenceUuid = textOf(data['discoveryCertificateUuid']) ?? null;
    return sets.find(scope).map((set) => ({ set, objectUuid, eventUuid, referenceUuid }));
  });
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
