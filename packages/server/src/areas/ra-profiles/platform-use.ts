// Which RA profiles the platform issues to itself under. Who does so stands above this area and registers here.
import type { AuthorityFacts } from '../authorities/index.ts';

/** Is it the profile that the platform uses, or makes when it is missing, for certificates of its own? */
export type PlatformUse = (profile: { readonly name: string }, authority: AuthorityFacts) => boolean;
