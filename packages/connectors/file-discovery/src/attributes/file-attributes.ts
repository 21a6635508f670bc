// The form of a file discovery: directories, file names, passwords and limits.
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
  rejectIf,
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
  'No directory of this machine is configured. The operator specifies the directories that can be searched, e.g. --discovery-directories web=/etc/nginx';

const INTRODUCTION = `Searches directories on the machine that runs this connector.\n\n* It reads PEM (with or without surrounding text), DER, PKCS #7, PKCS #12 and Java key stores (JKS).\n* **Private keys** are neither stored nor shown. For each certificate, the result states whether its file also contains the key.\n* The operator of the connector decides which directories can be searched (\`--discovery-directories\`).`;

const DEFAULTS = { maxFileKib: 4_096, maxDepth: 20, maxFiles: 100_000, maxMinutes: 60 };
const OPENING = 'Protected files';
const BOUNDS = 'Limits';
/** Kind of the credentials whose passwords are tried. */
const CREDENTIAL_KIND = 'Basic';

/** Returns the form. `names` contains the directory names assigned by the operator. */
export const fileAttributes = (names: readonly string[]): BaseAttributeDto[] => [
  infoAttribute({ uuid: uuid(1), name: 'info_files', label: 'Files on this machine', text: INTRODUCTION }),
  dataAttribute({
    uuid: uuid(2),
    name: FILES.directories,
    label: 'Directories',
    description: `Including all subdirectories.${names.length === 0 ? ` ${NONE_CONFIGURED}.` : ''}`,
    contentType: 'string',
    required: true,
    choices: names,
    multiSelect: true,
  }),
  dataAttribute({
    uuid: uuid(3),
    name: FILES.patterns,
    label: 'File names',
    description: 'Patterns with * and ?, separated by commas, not case-sensitive. A single * matches every file.',
    contentType: 'string',
    content: DEFAULT_PATTERNS.join(', '),
  }),
  dataAttribute({
    uuid: uuid(4),
    name: FILES.password,
    label: 'Password',
    description: 'For key stores and protected keys. Stored encrypted until the discovery has ended.',
    group: OPENING,
    contentType: 'secret',
  }),
  dataAttribute({
    uuid: uuid(5),
    name: FILES.credentials,
    label: 'Passwords from credentials',
    description: `Credentials of the kind ${CREDENTIAL_KIND}. Their passwords are tried in turn, at most ${MAX_PASSWORDS}.`,
    group: OPENING,
    contentType: 'credential',
    choices: [],
    multiSelect: true,
    callback: credentialsOfKind(CREDENTIAL_KIND),
  }),
  boundAttribute(6, {
    name: FILES.maxFileKib,
    label: 'Maximum file size (KiB)',
    max: 65_536,
    initial: DEFAULTS.maxFileKib,
  }),
  boundAttribute(7, {
    name: FILES.maxDepth,
    label: 'Maximum directory depth',
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

/** Requested discovery, as stored. */
export interface FileSpec {
  /** Directory names assigned by the operator. */
  readonly directories: readonly string[];
  readonly patterns: readonly string[];
  readonly maxFileKib: number;
  readonly maxDepth: number;
  readonly maxFiles: number;
  readonly maxMinutes: number;
}

/** Reads the request. Rejects invalid values, listing every problem. */
export function readFileSpec(
  attributes: readonly RequestAttributeDto[],
  names: readonly string[],
): { readonly wish: FileSpec; readonly passwords: readonly string[] } {
  if (names.length === 0) throw rejected(`${NONE_CONFIGURED}.`);
  rejectIf(validateAttributes(fileAttributes(names), attributes));
  const directories = [...new Set(readStrings(attributes, FILES.directories))];
  const patterns = parsePatterns(readString(attributes, FILES.patterns) ?? DEFAULT_PATTERNS.join());
  const passwords = passwordsIn(attributes);
  rejectIf([
    ...(directories.length === 0 ? ['Directories: at least one is required.'] : []),
    ...(patterns.length === 0 ? ['File names: at least one pattern is required; * matches every file.'] : []),
    ...patternProblems(patterns).map((problem) => `File names: ${problem}`),
    ...(passwords.length > MAX_PASSWORDS
      ? [`Passwords: ${passwords.length} were specified; the maximum is ${MAX_PASSWORDS}.`]
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
    if (!credential.success) throw rejected(`Attribute "${FILES.credentials}" must contain credentials.`);
    return readSecret(credential.data.attributes, 'password');
  });
  return [
    ...new Set([own, ...ofCredentials].filter((password) => password !== undefined && password !== '')),
  ] as string[];
}
