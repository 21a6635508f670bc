// End entity profiles, as the form of a CA has them: a line for each, with its name and its certificate profiles.
import { createHash } from 'node:crypto';
import { notFound } from '@signetry/connector-sdk';
import type { Problems } from '../problems.ts';
import { splitLines } from '../profiles/text-lines.ts';
import { LEGACY } from './legacy-attributes.ts';
import { CERTIFICATE_PROFILES, isCertificateProfile, type CertificateProfileName } from './certificate-profiles.ts';

export interface EndEntityProfile {
  /** Follows from the name, so that it stays when others come and go. */
  readonly id: number;
  readonly name: string;
  /** At least one; the first is that of RA profiles that name none. */
  readonly certificateProfiles: readonly CertificateProfileName[];
}

/** Of a CA whose form names none. */
export const DEFAULT_END_ENTITY_PROFILES = `default: ${CERTIFICATE_PROFILES.join(', ')}`;

/** A positive number of 31 bits for a name. */
export const idOf = (name: string): number => createHash('sha256').update(name).digest().readUInt32BE(0) >>> 1;

export function readEndEntityProfiles(text: string, problems: Problems): readonly EndEntityProfile[] {
  const profiles = splitLines(text).flatMap((line) => readLine(line, problems) ?? []);
  const names = new Set<string>();
  for (const { name } of profiles) {
    if (names.has(name)) problems.add(`The end entity profile "${name}" is there twice.`);
    names.add(name);
  }
  if (profiles.length === 0) problems.add(`${LEGACY.endEntityProfiles}: at least one end entity profile is needed.`);
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
      `"${line.slice(0, 100)}" (${LEGACY.endEntityProfiles}) is not a name and certificate profiles, such as "servers: SERVER, CLIENT".`,
    );
    return undefined;
  }
  for (const unknown of certificateProfiles.filter((entry) => !isCertificateProfile(entry)))
    problems.add(
      `There is no certificate profile "${unknown.slice(0, 100)}"; there are ${CERTIFICATE_PROFILES.join(', ')}.`,
    );
  return {
    id: idOf(name.trim()),
    name: name.trim(),
    certificateProfiles: certificateProfiles.filter(isCertificateProfile),
  };
}

/** By identifier or by name. */
export function requireProfile(profiles: readonly EndEntityProfile[], key: number | string): EndEntityProfile {
  const profile = profiles.find(({ id, name }) => id === key || name === key);
  if (!profile) throw notFound('End entity profile', String(key).slice(0, 100));
  return profile;
}
