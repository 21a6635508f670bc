// Finds the profile that a command refers to.
import { CliFailure } from '../failures.ts';

interface NamedObject {
  readonly uuid: string;
  readonly name: string;
}

/** Finds a profile by name or UUID. `label` is the kind of profile, e.g. `RA`. */
export function findNamed<Profile extends NamedObject>(
  label: string,
  profiles: readonly Profile[],
  given: string,
): Profile {
  const found =
    profiles.find(({ name }) => name === given) ?? profiles.find(({ uuid }) => uuid === given.toLowerCase());
  if (found) return found;
  const names = profiles.map(({ name }) => name).join(', ');
  throw new CliFailure(`${label} profile "${given}" not found, or not visible to you.`, {
    help: [names === '' ? `No ${label} profiles exist.` : `${label} profiles: ${names}.`],
  });
}
