// End entity profiles as specified in the CA form. Each line contains a profile's name and its certificate profiles.
import { createHash } from 'node:crypto';
import { notFound } from '@signetry/connector-sdk';
import type { Problems } from '../problems.ts';
import { splitLines } from '../profiles/text-lines.ts';
import { LEGACY } from './legacy-attributes.ts';
import { CERTIFICATE_PROFILES, isCertificateProfile, type CertificateProfileName } from './certificate-profiles.ts';

export interface EndEntityProfile {
  /** Derived from the name, so that it does not change when other profiles are added or removed. */
  readonly id: number;
  readonly name: string;
  /** At least one; the first is the default for RA profiles that do not specify one. */
  readonly certificateProfiles: readonly CertificateProfileName[];
}

/** Default for a CA whose form does not specify any. */
export const DEFAULT_END_ENTITY_PROFILES = `default: ${CERTIFICATE_PROFILES.join(', ')}`;

/** Returns a positive 31-bit number for a name. */
export const idOf = (name: string): number => createHash('sha256').update(name).digest().readUInt32BE(0) >>> 1;

export function readEndEntityProfiles(text: string, problems: Problems): readonly EndEntityProfile[] {
  const profiles = splitLines(text).flatMap((line) => readLine(line, problems) ?? []);
  const names = new Set<string>();
  for (const { name } of profiles) {
    if (names.has(name)) problems.add(`The end entity profile "${name}" is specified twice.`);
    names.add(name);
  }
  if (profiles.length === 0) problems.add(`${LEGACY.endEntityProfiles}: specify at least one end entity profile.`);
  return profiles;
}

function readLine(line: string, problems: Problems): EndEntityProfile | undefined {
  const [, name = '', list = ''] = /^([^:]*):(.*)$/.exec(line) ?? [];
  const certificateProfiles = list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  if (!/^[\w .-]{1,100}$/.test(name.trim()) || certificateProfiles.length === 0) {
    problems.add(
      `"${line.slice(0, 100)}" (${LEGACY.endEntityProfiles}) must consist of a name and certificate profiles, such as "servers: SERVER, CLIENT".`,
    );
    return undefined;
  }
  for (const unknown of certificateProfiles.filter((entry) => !isCertificateProfile(entry)))
    problems.add(
      `Unknown certificate profile "${unknown.slice(0, 100)}". Available: ${CERTIFICATE_PROFILES.join(', ')}.`,
    );
  return {
    id: idOf(name.trim()),
    name: name.trim(),
    certificateProfiles: certificateProfiles.filter(isCertificateProfile),
  };
}

/** Returns the profile with this identifier or name. */
export function requireProfile(profiles: readonly EndEntityProfile[], key: number | string): EndEntityProfile {
  const profile = profiles.find(({ id, name }) => id === key || name === key);
  if (!profile) throw notFound('End entity profile', String(key).slice(0, 100));
  return profile;
}
