// Evaluates ignore triggers, which leave discovered certificates out of the inventory.
import type { Executor } from '../../../platform/database/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import { coreContext } from '../../../kernel/actor.ts';
import { newUuid } from '../../../kernel/ids.ts';
import type { Subjects } from '../definitions/subjects.ts';
import { findIgnored } from './evaluate.ts';
import type { TriggerSets } from './trigger-sets.ts';

/** A certificate and its record in the discovery results. */
interface Found {
  readonly uuid: string;
  readonly recordUuid: string | null;
}

export type FindIgnored = (
  tx: Executor,
  asked: { readonly discoveryUuid: string; readonly found: readonly Found[] },
) => Promise<ReadonlySet<string>>;

export const createIgnoring =
  ({ clock }: Platform, { sets, subjects }: { readonly sets: TriggerSets; readonly subjects: Subjects }): FindIgnored =>
  async (tx, { discoveryUuid, found }) => {
    const listened = (await sets.current(tx)).get('certificate_discovered');
    const subject = subjects.find('certificates');
    if (!listened || !subject || found.length === 0) return new Set();
    const asked = listened.find({ groupUuids: [], raProfileUuid: null, discoveryUuid });
    const questions = found.flatMap(({ uuid, recordUuid }) =>
      asked.map((set) => ({ set, objectUuid: uuid, eventUuid: null, referenceUuid: recordUuid, isLeftOut: true })),
    );
    const objects = subject.evaluated(coreContext(newUuid()));
    return findIgnored(tx, questions, { resource: subject.resource, objects, now: clock.now() });
  };
