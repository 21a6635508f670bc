// Which keys a caller sees in lists: those of tokens that the caller has `members` on, those that the caller owns, and
// those in groups that the caller has `members` on.
import type { ObjectFilter, RequestContext } from '../../kernel/actor.ts';
import { visibleOf, type VisibleObjects } from '../../kernel/visible-objects.ts';

export interface KeyFilter extends Omit<VisibleObjects, 'containers'> {
  /** Tokens whose keys are shown; those of none where it is all but some. */
  readonly tokens: ObjectFilter;
}

export function visibleKeys(context: RequestContext): KeyFilter {
  const { containers, ...others } = visibleOf(context, { resource: 'keys', within: 'tokens', action: 'list' });
  return { ...others, tokens: containers };
}
