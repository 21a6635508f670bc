// Who does something with a key, and when, as its history shows it.
import { coreActor, type RequestContext } from '../../kernel/actor.ts';
import type { Platform } from '../../platform/platform.ts';
import type { KeyOccasion } from './store-events.ts';

/** What the platform does by itself is done in its own name. */
export const occasionOf = ({ clock }: Pick<Platform, 'clock'>, { actor }: RequestContext): KeyOccasion => ({
  at: clock.now(),
  by: actor.username ?? coreActor.username ?? 'signetry',
});
