// `signetry keys import`, `certificates export`: private keys in files. Passphrases are prompted for or read from a
// file, never passed as an argument or environment variable.
import { KeyFileFormat, MIN_EXPORT_PASSPHRASE } from '@signetry/contract';
import { readFile } from 'node:fs/promises';
import { basename, extname, join, resolve } from 'node:path';
import { findCertificate } from '../certificates/find-certificate.ts';
import { shownPath, writeKeyFile } from '../certificates/files.ts';
import { command, type Flags } from '../command-line/command.ts';
import { printJson, type Context } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { CliFailure, messageOf, usageError } from '../failures.ts';
import { findNamed } from '../output/find-named.ts';
import { printable } from '../output/printable.ts';
import { connect } from '../platform/connect.ts';
import { connectionFlags } from '../platform/find-platform.ts';
import { readNamedFile } from '../platform/read-named-file.ts';

const passphraseFlag = {
  value: 'FILE',
  about:
    'File that contains the passphrase, without which the command prompts for it; a line break at its end is ignored',
} as const;

const importFlags = {
  profile: { value: 'PROFILE', required: true, about: 'Token profile, by name or UUID' },
  name: { value: 'NAME', about: 'Name of the key. Default: the file name without its suffix' },
  'passphrase-file': passphraseFlag,
  exportable: { about: 'Allow permitted users to export the key; cannot be changed later' },
  disabled: { about: 'Create the key disabled; it cannot be used until it is enabled' },
  ...connectionFlags,
} as const satisfies Flags;

export const importKeyFile = command({
  name: 'keys import',
  about: 'Import a PKCS #12 file with its private key into a token',
  arguments: [{ name: 'FILE', about: 'PKCS #12 file with one private key and its certificate' }],
  flags: importFlags,
  details: [
    'The certificates are added to the inventory, and the key is created in the token. The token must allow key import. The platform stores neither the file nor its passphrase.',
  ],
  examples: [
    'signetry keys import web.p12 --profile servers',
    'signetry keys import web.p12 --profile servers --passphrase-file /run/secrets/web --exportable',
  ],
  async run({ args: [file = ''], flags, json }, context) {
    const content = await readBase64(file, context);
    const passphrase = await readPassphrase(`Passphrase of ${printable(basename(file))}`, flags, context);
    const { client, options } = await connect(flags, context);
    const profiles = await client.tokenProfiles.listTokenProfiles({}, options);
    const profile = findNamed(profiles, flags.profile, { what: 'token profile', list: 'signetry keys list' });
    const params = { tokenInstanceUuid: profile.tokenInstanceUuid, tokenProfileUuid: profile.uuid };
    const name = flags.name ?? basename(file, extname(file));
    const body = { name, content, passphrase, exportable: flags.exportable, enabled: !flags.disabled };
    const imported = await client.keyFiles.importKeyFile({ params, body }, options);
    if (json) printJson(context, imported);
    else {
      for (const problem of imported.problems) context.err(`Certificate not imported: ${printable(problem)}`);
      context.out(`Key "${name}" (${imported.keyUuid}) imported with certificate ${imported.certificateUuid}.`);
    }
    return EXIT.ok;
  },
});

const exportFlags = {
  format: { value: 'FORMAT', initial: 'pkcs12', choices: KeyFileFormat.options, about: 'Format of the file' },
  alias: { value: 'NAME', about: 'Name of the entry in the file. Default: the common name' },
  out: { value: 'FOLDER', about: 'Folder for the file. Default: the current directory' },
  'passphrase-file': passphraseFlag,
  ...connectionFlags,
} as const satisfies Flags;

export const exportCertificate = command({
  name: 'certificates export',
  about: 'Export a certificate with its private key and issuers',
  arguments: [
    {
      name: 'CERTIFICATE',
      about: 'common name, first SAN, UUID, serial number or SHA-256 fingerprint of a certificate',
    },
  ],
  flags: exportFlags,
  details: [
    `Only for keys that were created as exportable. The passphrase must have at least ${MIN_EXPORT_PASSPHRASE} characters. The file is readable only by you, and existing files are never overwritten.`,
    'JKS files are only weakly protected: use them only for software that cannot read PKCS #12, with a long random passphrase.',
  ],
  examples: [
    'signetry certificates export web.example',
    'signetry certificates export web.example --format jks --passphrase-file /run/secrets/web --out /etc/web',
  ],
  async run({ args: [given = ''], flags, json }, context) {
    const passphrase = await readNewPassphrase(flags, context);
    const connection = await connect(flags, context);
    const { client, options } = connection;
    const { uuid } = await findCertificate(connection, given);
    const body = {
      format: KeyFileFormat.parse(flags.format),
      passphrase,
      ...(flags.alias === undefined ? {} : { alias: flags.alias }),
    };
    const exported = await client.keyFiles.exportCertificateWithKey({ params: { uuid }, body }, options);
    // The name comes from the platform; only its last part is used.
    const path = join(resolve(context.cwd, flags.out ?? '.'), basename(exported.fileName));
    await writeKeyFile(path, Buffer.from(exported.content, 'base64'));
    const file = shownPath(path, context.cwd);
    if (json) printJson(context, { uuid, format: exported.format, alias: exported.alias, file });
    else context.out(`Certificate ${uuid} exported with its private key to ${printable(file)}.`);
    return EXIT.ok;
  },
});

async function readBase64(file: string, { cwd }: Context): Promise<string> {
  try {
    return (await readFile(resolve(cwd, file))).toString('base64');
  } catch (error) {
    throw new CliFailure(`Cannot read ${printable(file)}: ${messageOf(error)}`, { exitCode: EXIT.usage, cause: error });
  }
}

interface PassphraseFlags {
  readonly 'passphrase-file'?: string | undefined;
}

async function readPassphrase(
  question: string,
  { 'passphrase-file': file }: PassphraseFlags,
  { askHidden, cwd }: Context,
): Promise<string> {
  if (file !== undefined) return (await readNamedFile('--passphrase-file', { file, cwd })).replace(/\r?\n$/, '');
  if (!askHidden)
    throw usageError('Cannot prompt for the passphrase: no terminal.', 'Specify a file with --passphrase-file.');
  return askHidden(`${question}: `);
}

/** Prompts twice, because the file cannot be opened if the passphrase contains a typing error. */
async function readNewPassphrase(flags: PassphraseFlags, context: Context): Promise<string> {
  const passphrase = await readPassphrase('New passphrase', flags, context);
  if (passphrase.length < MIN_EXPORT_PASSPHRASE)
    throw usageError(`The passphrase must have at least ${MIN_EXPORT_PASSPHRASE} characters.`);
  if (flags['passphrase-file'] === undefined && (await context.askHidden?.('Repeat passphrase: ')) !== passphrase)
    throw usageError('The passphrases do not match.');
  return passphrase;
}
