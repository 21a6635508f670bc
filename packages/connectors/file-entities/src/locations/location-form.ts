// The form of a location: the files from which a server reads its key and certificates, and the command that reloads
// them.
import {
  dataAttribute,
  infoAttribute,
  readString,
  rejectIf,
  rejected,
  validateAttributes,
} from '@signetry/connector-sdk';
import type { BaseAttributeDto, RequestAttributeDto } from '@signetry/contract';
import { parseCertificate, readPem, type Certificate } from '@signetry/pki';
import { locationUuid as uuid } from '../attributes/attribute-uuids.ts';
import { readOrReject } from '../problems.ts';

export const LOCATION = {
  keyFile: 'data_keyFile',
  certificateFile: 'data_certificateFile',
  chainFile: 'data_chainFile',
  fullChainFile: 'data_fullChainFile',
  issuers: 'data_issuerCertificates',
  owner: 'data_owner',
  group: 'data_group',
  keyMode: 'data_keyMode',
  certificateMode: 'data_certificateMode',
  reloadCommand: 'data_reloadCommand',
  onRemoval: 'data_onRemoval',
} as const;

const INTRODUCTION = `The files of one key and its certificate. At least one of *certificate file* and *full chain file* is required.\n\nNew versions are written to temporary files and then replace the files in one step. The previous versions are kept with the suffix \`.previous\` and restored if the reload fails.`;

/** In octal; only owner and group can ever read a key. */
export const KEY_MODES = ['0600', '0400', '0640', '0440'];
const CERTIFICATE_MODES = ['0644', '0640', '0444', '0440', '0600'];

const path = (facts: { number: number; name: string; label: string; description?: string; required?: boolean }) => {
  const { number, ...rest } = facts;
  return dataAttribute({ uuid: uuid(number), contentType: 'string', ...rest });
};

export interface LocationFacts {
  readonly transport: 'local' | 'ssh';
  /** Names assigned by the operator. */
  readonly reloadCommands: readonly string[];
}

const files = (transport: LocationFacts['transport']) => [
  path({
    number: 2,
    name: LOCATION.keyFile,
    label: 'Key file',
    description:
      transport === 'local' ? 'Below the directory of the entity, e.g. server.key.' : 'E.g. /etc/nginx/tls/server.key.',
    required: true,
  }),
  path({
    number: 3,
    name: LOCATION.certificateFile,
    label: 'Certificate file',
    description: 'The certificate without its chain.',
  }),
  path({
    number: 4,
    name: LOCATION.chainFile,
    label: 'Chain file',
    description: 'The issuer certificates, without the root.',
  }),
  path({
    number: 5,
    name: LOCATION.fullChainFile,
    label: 'Full chain file',
    description: 'The certificate followed by the issuer certificates, as for ssl_certificate in nginx.',
  }),
];

export const locationForm = ({ transport, reloadCommands }: LocationFacts): BaseAttributeDto[] => [
  infoAttribute({ uuid: uuid(1), name: 'info_location', label: 'Files', text: INTRODUCTION }),
  ...files(transport),
  issuersField(),
  ...ownerFields(),
  dataAttribute({
    uuid: uuid(9),
    name: LOCATION.keyMode,
    label: 'Key file mode',
    description: 'Default: 0600.',
    contentType: 'string',
    choices: KEY_MODES,
    group: 'Permissions',
  }),
  dataAttribute({
    uuid: uuid(10),
    name: LOCATION.certificateMode,
    label: 'Mode of the other files',
    description: 'Default: 0644.',
    contentType: 'string',
    choices: CERTIFICATE_MODES,
    group: 'Permissions',
  }),
  ...reloadFields(reloadCommands),
  dataAttribute({
    uuid: uuid(12),
    name: LOCATION.onRemoval,
    label: 'When the certificate is removed',
    description: 'Default: delete the files.',
    contentType: 'string',
    choices: [
      { reference: 'Delete the files, including the previous ones', data: 'delete' },
      { reference: 'Restore the previous files', data: 'restore' },
    ],
  }),
];

export const issuersField = () =>
  dataAttribute({
    uuid: uuid(6),
    name: LOCATION.issuers,
    label: 'Issuer certificates',
    description:
      'In PEM. Used to build chains, in addition to the installed chain. Required for chain files unless the installed chain matches.',
    contentType: 'text',
  });

export const ownerFields = () => [
  dataAttribute({
    uuid: uuid(7),
    name: LOCATION.owner,
    label: 'Owner',
    description: 'User name or ID. Default: the user who writes the files.',
    contentType: 'string',
    group: 'Permissions',
  }),
  dataAttribute({
    uuid: uuid(8),
    name: LOCATION.group,
    label: 'Group',
    contentType: 'string',
    group: 'Permissions',
  }),
];

export const reloadFields = (reloadCommands: readonly string[]) =>
  reloadCommands.length === 0
    ? []
    : [
        dataAttribute({
          uuid: uuid(11),
          name: LOCATION.reloadCommand,
          label: 'Reload command',
          description: 'Makes the server reload the files. The operator configures the available commands.',
          contentType: 'string',
          choices: reloadCommands,
        }),
      ];

export interface LocationSpec {
  readonly keyFile: string;
  readonly certificateFile: string | undefined;
  readonly chainFile: string | undefined;
  readonly fullChainFile: string | undefined;
  readonly issuers: readonly Certificate[];
  /** In `chown` syntax. */
  readonly owner: string | undefined;
  readonly keyMode: number;
  readonly certificateMode: number;
  /** Name of the reload command. */
  readonly reloadCommand: string | undefined;
  readonly onRemoval: 'delete' | 'restore';
}

/** Reads the settings. Rejects invalid values, listing every problem. */
export async function readLocationSpec(
  given: readonly RequestAttributeDto[],
  facts: LocationFacts,
): Promise<LocationSpec> {
  rejectIf(validateAttributes(locationForm(facts), given));
  const text = (name: string): string | undefined => readString(given, name);
  const named = {
    keyFile: text(LOCATION.keyFile) ?? '',
    certificateFile: text(LOCATION.certificateFile),
    chainFile: text(LOCATION.chainFile),
    fullChainFile: text(LOCATION.fullChainFile),
  };
  rejectIf([...pathProblems(named), ...ownerProblems(given)]);
  return {
    ...named,
    issuers: await readIssuers(text(LOCATION.issuers)),
    owner: readOwner(given),
    keyMode: Number.parseInt(text(LOCATION.keyMode) ?? '0600', 8),
    certificateMode: Number.parseInt(text(LOCATION.certificateMode) ?? '0644', 8),
    reloadCommand: text(LOCATION.reloadCommand),
    onRemoval: text(LOCATION.onRemoval) === 'restore' ? 'restore' : 'delete',
  };
}

/** Returns the owner in `chown` syntax. */
export function readOwner(given: readonly RequestAttributeDto[]): string | undefined {
  const [user, group] = [readString(given, LOCATION.owner), readString(given, LOCATION.group)];
  return user === undefined && group === undefined ? undefined : `${user ?? ''}${group ? `:${group}` : ''}`;
}

const MAX_PATH = 1_000;

export const isFilePath = (path: string): boolean =>
  path.length <= MAX_PATH && !/\p{Cc}/u.test(path) && !/(?:^|\/)\.{0,2}$/.test(path);

type Paths = Pick<LocationSpec, 'keyFile' | 'certificateFile' | 'chainFile' | 'fullChainFile'>;

function pathProblems(paths: Paths): string[] {
  const used = Object.values(paths).filter((each) => each !== undefined);
  const problems = used.filter((each) => !isFilePath(each)).map((each) => `"${each.slice(0, 60)}" is not a file path.`);
  if (paths.certificateFile === undefined && paths.fullChainFile === undefined)
    problems.push(
      `A location must have a certificate file (${LOCATION.certificateFile}) or a full chain file (${LOCATION.fullChainFile}).`,
    );
  if (new Set(used).size < used.length) problems.push('The files of a location must be different.');
  return problems;
}

export const ownerProblems = (given: readonly RequestAttributeDto[]): string[] =>
  [LOCATION.owner, LOCATION.group]
    .map((name) => readString(given, name))
    .filter((name) => name !== undefined && !/^(?:[A-Za-z_][A-Za-z0-9_.-]{0,31}|\d{1,10})$/.test(name))
    .map((name) => `"${name?.slice(0, 40)}" is not a name or ID of a user or group.`);

export async function readIssuers(text: string | undefined): Promise<Certificate[]> {
  if (text === undefined) return [];
  const found = await readOrReject(`Attribute "${LOCATION.issuers}"`, () =>
    readPem(text).map(({ der }) => parseCertificate(der)),
  );
  if (found.length === 0) throw rejected(`Attribute "${LOCATION.issuers}" must contain at least one PEM certificate.`);
  return found;
}
