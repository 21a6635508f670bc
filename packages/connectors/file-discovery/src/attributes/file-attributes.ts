// The form of a discovery in files: where, which ones, what opens them, and how much is read.
import {
  credentialsOfKind,
  dataAttribute,
  infoAttribute,
  inRange,
  readAll,
  readInteger,
  readSecret,
  readString,
  readStrings,
  refuseIf,
  rejected,
  validateAttributes,
} from '@signetry/connector-sdk';
import { CredentialAttributeContentData, type BaseAttributeDto, type RequestAttributeDto } from '@signetry/contract';
import { DEFAULT_PATTERNS, parsePatterns, patternProblems } from '../files/name-patterns.ts';
import { MAX_PASSWORDS } from '../files/read-certificates.ts';
import { formUuid as uuid } from './attribute-uuids.ts';

export const FILES = {
  directories: 'data_directories',
  patterns: 'data_fileNames',
  password: 'data_password',
  credentials: 'data_credentials',
  maxFileKib: 'data_maxFileKib',
  maxDepth: 'data_maxDepth',
  maxFiles: 'data_maxFiles',
  maxMinutes: 'data_maxMinutes',
} as const;

const NONE_CONFIGURED =
  'No directory of this machine is configured. The operator names those that may be searched, e.g. --discovery-directories web=/etc/nginx';

const INTRODUCTION = `Searches directories of the machine on which this connector runs.

* It reads PEM with whatever is around it, DER, PKCS#7, PKCS#12 and Java key stores (JKS).
* **Private keys** are neither kept nor shown; of each certificate it is told whether its file has the key too.
* Which directories may be searched is decided by whoever runs the connector (\`--discovery-directories\`).`;

const DEFAULTS = { maxFileKib: 4_096, maxDepth: 20, maxFiles: 100_000, maxMinutes: 60 };
const OPENING = 'Protected files';
const BOUNDS = 'Bounds';
/** Kind of credential whose password is tried. */
const CREDENTIAL_KIND = 'Basic';

/** `names`: those that the operator gave to directories. */
export const fileAttributes = (names: readonly string[]): BaseAttributeDto[] => [
  infoAttribute({ uuid: uuid(1), name: 'info_files', label: 'Files of this machine', text: INTRODUCTION }),
  dataAttribute({
    uuid: uuid(2),
    name: FILES.directories,
    label: 'Directories',
    description: `With all directories below them.${names.length === 0 ? ` ${NONE_CONFIGURED}.` : ''}`,
    contentType: 'string',
    required: true,
    choices: names,
    multiSelect: true,
  }),
  dataAttribute({
    uuid: uuid(3),
    name: FILES.patterns,
    label: 'File names',
    description: 'Patterns with * and ?, separated by commas, in upper or lower case. * alone takes every file.',
    contentType: 'string',
    content: DEFAULT_PATTERNS.join(', '),
  }),
  dataAttribute({
    uuid: uuid(4),
    name: FILES.password,
    label: 'Password',
    description: 'For key stores and protected keys. Kept sealed until the discovery has ended.',
    group: OPENING,
    contentType: 'secret',
  }),
  dataAttribute({
    uuid: uuid(5),
    name: FILES.credentials,
    label: 'Passwords of credentials',
    description: `Credentials of the kind ${CREDENTIAL_KIND}, whose passwords are tried in turn; ${MAX_PASSWORDS} at most.`,
    group: OPENING,
    contentType: 'credential',
    choices: [],
    multiSelect: true,
    callback: credentialsOfKind(CREDENTIAL_KIND),
  }),
  boundAttribute(6, {
    name: FILES.maxFileKib,
    label: 'Largest file in KiB',
    max: 65_536,
    initial: DEFAULTS.maxFileKib,
  }),
  boundAttribute(7, {
    name: FILES.maxDepth,
    label: 'Directories below one another',
    max: 100,
    initial: DEFAULTS.maxDepth,
  }),
  boundAttribute(8, { name: FILES.maxFiles, label: 'Files', max: 10_000_000, initial: DEFAULTS.maxFiles }),
  boundAttribute(9, { name: FILES.maxMinutes, label: 'Minutes', max: 1_440, initial: DEFAULTS.maxMinutes }),
];

function boundAttribute(
  number: number,
  { name, label, max, initial }: { name: string; label: string; max: number; initial: number },
): BaseAttributeDto {
  return dataAttribute({
    uuid: uuid(number),
    name,
    label,
    group: BOUNDS,
    contentType: 'integer',
    content: initial,
    constraints: [inRange({ from: 1, to: max })],
  });
}

/** What was asked for, as it is kept. */
export interface FileWish {
  /** Names that the operator gave to directories. */
  readonly directories: readonly string[];
  readonly patterns: readonly string[];
  readonly maxFileKib: number;
  readonly maxDepth: number;
  readonly maxFiles: number;
  readonly maxMinutes: number;
}

/** Refuses with everything that is wrong. */
export function readFileWish(
  attributes: readonly RequestAttributeDto[],
  names: readonly string[],
): { readonly wish: FileWish; readonly passwords: readonly string[] } {
  if (names.length === 0) throw rejected(`${NONE_CONFIGURED}.`);
  refuseIf(validateAttributes(fileAttributes(names), attributes));
  const directories = [...new Set(readStrings(attributes, FILES.directories))];
  const patterns = parsePatterns(readString(attributes, FILES.patterns) ?? DEFAULT_PATTERNS.join());
  const passwords = passwordsIn(attributes);
  refuseIf([
    ...(directories.length === 0 ? ['Directories: there is none.'] : []),
    ...(patterns.length === 0 ? ['File names: there is none; * takes every file.'] : []),
    ...patternProblems(patterns).map((problem) => `File names: ${problem}`),
    ...(passwords.length > MAX_PASSWORDS
      ? [`Passwords: there are ${passwords.length}; at most ${MAX_PASSWORDS} are tried.`]
      : []),
  ]);
  const number = (name: keyof typeof DEFAULTS): number => readInteger(attributes, FILES[name]) ?? DEFAULTS[name];
  const wish = {
    directories,
    patterns,
    maxFileKib: number('maxFileKib'),
    maxDepth: number('maxDepth'),
    maxFiles: number('maxFiles'),
    maxMinutes: number('maxMinutes'),
  };
  return { wish, passwords };
}

function passwordsIn(attributes: readonly RequestAttributeDto[]): string[] {
  const own = readSecret(attributes, FILES.password);
  const ofCredentials = readAll(attributes, FILES.credentials).map((data) => {
    const credential = CredentialAttributeContentData.safeParse(data);
    if (!credential.success) throw rejected(`Attribute "${FILES.credentials}" must be credentials.`);
    return readSecret(credential.data.attributes, 'password');
  });
  return [
    ...new Set([own, ...ofCredentials].filter((password) => password !== undefined && password !== '')),
  ] as string[];
}
