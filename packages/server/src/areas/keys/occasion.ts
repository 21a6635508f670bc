// Actor and time of a key operation, as recorded in the key history.
import { coreActor, type RequestContext } from '../../kernel/actor.ts';
import type { Platform } from '../../platform/platform.ts';
import type { KeyOccasion } from './store-events.ts';

/** Operations without a user are recorded under the platform's own name. */
export const occasionOf = ({ clock }: Pick<Platform, 'clock'>, { actor }: RequestContext): KeyOccasion => ({
  at: clock.now(),
  by: actor.username ?? coreActor.username ?? 'signetry',
});
