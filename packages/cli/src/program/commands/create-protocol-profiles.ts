// `signetry cmp-profiles create`, `scep-profiles create`, `est-profiles create`: creates and enables a profile with a
// random secret. For SCEP, also creates the SCEP RA certificate with its token and key, unless one exists.
import { randomSharedSecret, type ScepRaCertificate } from '@signetry/contract';
import { command, type Flags, type FlagValues } from '../command-line/command.ts';
import { printJson, type Context } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { connect, type Connection } from '../platform/connect.ts';
import { connectionFlags } from '../platform/find-platform.ts';
import { findRaProfile, raProfileFlag } from '../platform/find-ra-profile.ts';
import { readSecretFile } from './shared-secrets.ts';

const creationFlags = {
  'secret-file': { value: 'FILE', about: 'File that contains the secret; without it, a random secret is generated' },
  ...raProfileFlag,
  ...connectionFlags,
} as const satisfies Flags;

/** Shell assignments, in the order in which they are printed. */
type Assignments = Readonly<Record<string, string>>;

interface Created {
  readonly uuid: string;
  readonly printed: Assignments;
  /** Further values in JSON output. */
  readonly further?: Readonly<Record<string, string | undefined>>;
  /** Remarks on further objects, one sentence each. */
  readonly remarks?: readonly string[];
}

interface Wish<Further extends Flags> {
  readonly name: string;
  readonly raProfileUuid: string;
  readonly secret: string;
  readonly flags: FlagValues<Further>;
}

interface Kind<Further extends Flags> {
  readonly label: 'CMP' | 'SCEP' | 'EST';
  /** Name of the secret in messages, and of its shell variable. */
  readonly secret: { readonly what: string; readonly variable: string };
  readonly flags: Further;
  readonly details: readonly string[];
  /** Client command that obtains the first certificate. */
  readonly client: string;
  readonly create: (connection: Connection, wish: Wish<Further>) => Promise<Created>;
}

function createCommand<const Further extends Flags>(kind: Kind<Further>) {
  const { label, secret: secretFacts, details, client, create } = kind;
  const name = `${label.toLowerCase()}-profiles create`;
  return command({
    name,
    about: `Create and enable ${label === 'CMP' ? 'a' : 'an'} ${label} profile with a random ${secretFacts.what}`,
    arguments: [{ name: 'NAME', about: 'name of the profile, which appears in its URL' }],
    flags: { ...kind.flags, ...creationFlags },
    details: [
      ...details,
      `Prints the values that clients need to standard output as shell assignments. The ${secretFacts.what} is shown only once, and not at all if it was read from a file.`,
    ],
    examples: [`eval "$(signetry ${name} devices)"`, client],
    async run({ args: [given = ''], flags, json }, context) {
      // The parser creates the values from both sets of flags.
      const all = flags as FlagValues<typeof creationFlags> & FlagValues<Further>;
      const file = all['secret-file'];
      const help = 'Without --secret-file, a random one is generated.';
      const secret =
        file === undefined
          ? randomSharedSecret()
          : await readSecretFile({ what: secretFacts.what, file, help }, context);
      const connection = await connect(all, context);
      const raProfile = await findRaProfile(connection, all['ra-profile']);
      const wish = { name: given, raProfileUuid: raProfile.uuid, secret, flags: all };
      const made = await create(connection, wish);
      const shown = file === undefined ? { [secretFacts.variable]: secret } : {};
      const printed = { ...made.printed, ...shown };
      if (json) printJson(context, { uuid: made.uuid, name: given, ...lowerCased(printed), ...made.further });
      else
        report(context, printed, [
          `Created and enabled ${label} profile "${given}" under RA profile "${raProfile.name}".`,
          ...(made.remarks ?? []),
          ...(file === undefined ? [`The ${secretFacts.what} is not shown again.`] : []),
        ]);
      return EXIT.ok;
    },
  });
}

function report(context: Context, printed: Assignments, remarks: readonly string[]): void {
  for (const [variable, value] of Object.entries(printed)) context.out(`${variable}=${quoted(value)}`);
  context.err(remarks.join(' '));
}

/** Quotes a value for POSIX shells. */
const quoted = (value: string): string => (/^[\w.:/@~-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`);

const lowerCased = (printed: Assignments): Assignments =>
  Object.fromEntries(Object.entries(printed).map(([variable, value]) => [variable.toLowerCase(), value]));

export const createCmpProfile = createCommand({
  label: 'CMP',
  secret: { what: 'shared secret', variable: 'SECRET' },
  flags: {},
  details: [],
  client:
    'openssl cmp -cmd ir -server "$URL" -tls_used -tls_trusted data/root-ca.pem \\\n    -ref device -secret "pass:$SECRET" -recipient /CN=CA \\\n    -newkey device.key -subject /CN=device.example -certout device.pem',
  async create({ client, options }, { name, raProfileUuid, secret }) {
    const body = {
      name,
      variant: 'v2',
      raProfileUuid,
      requestProtectionMethod: 'sharedSecret',
      responseProtectionMethod: 'sharedSecret',
      sharedSecret: secret,
    } as const;
    const { uuid, cmpUrl = '' } = await client.cmpProfiles.createCmpProfile({ body }, options);
    await client.cmpProfiles.enableCmpProfile({ params: { cmpProfileUuid: uuid } }, options);
    return { uuid, printed: { URL: cmpUrl } };
  },
});

export const createScepProfile = createCommand({
  label: 'SCEP',
  secret: { what: 'challenge password', variable: 'SECRET' },
  flags: {
    certificate: {
      value: 'UUID',
      about: 'SCEP RA certificate; without it, an existing one is used or a new one is created',
    },
    'allow-old-clients': { about: 'Accept clients that support only DES, triple DES or SHA-1' },
  },
  details: [
    'If the authority has no SCEP RA certificate yet, the command also creates a software token, an RSA key, the RA profile "scep-ra" and the certificate.',
  ],
  client:
    'scepclient -server-url "$URL" -ca-fingerprint "$FINGERPRINT" \\\n    -challenge "$SECRET" -cn router-7 \\\n    -private-key router-7.key -certificate router-7.pem',
  async create(connection, { name, raProfileUuid, secret, flags }) {
    const { client, options } = connection;
    const raCertificate = await raCertificateFor(connection, flags.certificate, raProfileUuid);
    const body = {
      name,
      raProfileUuid,
      caCertificateUuid: raCertificate.certificateUuid,
      challengePassword: secret,
      includeCaCertificate: false,
      includeCaCertificateChain: false,
      allowOldClients: flags['allow-old-clients'],
      issueCertificateAttributes: [],
    };
    const { uuid, scepUrl = '' } = await client.scepProfiles.createScepProfile({ body }, options);
    await client.scepProfiles.enableScepProfile({ params: { uuid } }, options);
    const printed = { URL: scepUrl, FINGERPRINT: raCertificate.fingerprint };
    const { tokenName, activationCode } = raCertificate;
    return { uuid, printed, further: { tokenName, activationCode }, remarks: remarksOn(raCertificate) };
  },
});

async function raCertificateFor(
  { client, options }: Connection,
  given: string | undefined,
  raProfileUuid: string,
): Promise<ScepRaCertificate> {
  if (given === undefined)
    return client.scepRaCertificates.ensureScepRaCertificate({ body: { raProfileUuid } }, options);
  const { uuid, fingerprint = '' } = await client.certificates.getCertificate({ params: { uuid: given } }, options);
  return { certificateUuid: uuid, fingerprint, created: false };
}

const remarksOn = ({ created, tokenName, activationCode }: ScepRaCertificate): readonly string[] => [
  ...(created ? ['Created its SCEP RA certificate.'] : []),
  ...(tokenName === undefined || activationCode === undefined
    ? []
    : [`Token "${tokenName}" stays active across restarts; store its activation code: ${activationCode}.`]),
];

export const createEstProfile = createCommand({
  label: 'EST',
  secret: { what: 'password', variable: 'PASSWORD' },
  flags: { user: { value: 'NAME', initial: 'device', about: 'Username of the clients' } },
  details: [],
  client:
    'openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=switch-1 \\\n    -keyout switch-1.key | curl --cacert data/root-ca.pem -u "$USER_NAME:$PASSWORD" \\\n    -H "Content-Type: application/pkcs10" --data-binary @- \\\n    "$URL/simpleenroll" | openssl base64 -d \\\n    | openssl pkcs7 -inform DER -print_certs -out switch-1.pem',
  async create({ client, options }, { name, raProfileUuid, secret, flags }) {
    const body = { name, raProfileUuid, users: [{ username: flags.user, password: secret }] };
    const { uuid } = await client.estProfiles.createEstProfile({ body }, options);
    const params = { estProfileUuid: uuid };
    await client.estProfiles.enableEstProfile({ params }, options);
    const { url = '' } = await client.estProfiles.getEstProfile({ params }, options);
    return { uuid, printed: { URL: url, USER_NAME: flags.user } };
  },
});
