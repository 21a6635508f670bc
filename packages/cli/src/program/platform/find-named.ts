// One of several profiles, as a command names it.
import { CliFailure } from '../failures.ts';

interface Named {
  readonly uuid: string;
  readonly name: string;
}

/** Finds a profile by name or UUID. `label` says which kind, e.g. `RA`. */
export function findNamed<Profile extends Named>(label: string, profiles: readonly Profile[], given: string): Profile {
  const found =
    profiles.find(({ name }) => name === given) ?? profiles.find(({ uuid }) => uuid === given.toLowerCase());
  if (found) return found;
  const names = profiles.map(({ name }) => name).join(', ');
  throw new CliFailure(`There is no ${label} profile ${given}, or it is not visible to you.`, {
    help: [names === '' ? `There are no ${label} profiles.` : `${label} profiles: ${names}.`],
  });
}
