// A TLS key with its certificate, and trusted certificates for the peer. Both are PKCS #12 files, which are opened to
// check that they will work.
import {
  dataAttribute,
  readFile,
  readSecret,
  readString,
  validateAttributes,
  type FileContent,
} from '@signetry/connector-sdk';
import type { DataAttribute, RequestAttributeDto } from '@signetry/contract';
import { isPkiError } from '@signetry/pki';
import { pkcs12Identity, readPkcs12, type Pkcs12Contents } from '@signetry/pki/node';
import type { Evaluation } from './evaluation.ts';

const PKCS12 = 'PKCS12';

export const KEY_STORE = {
  type: 'keyStoreType',
  file: 'keyStore',
  password: 'keyStorePassword',
} as const;
export const TRUST_STORE = {
  type: 'trustStoreType',
  file: 'trustStore',
  password: 'trustStorePassword',
} as const;

export const keyStoreAttributes: readonly DataAttribute[] = [
  dataAttribute({
    uuid: 'e334e055-900e-43f1-aedc-54e837028de0',
    name: KEY_STORE.type,
    label: 'Key store type',
    group: 'Key store',
    contentType: 'string',
    required: true,
    choices: [PKCS12],
  }),
  dataAttribute({
    uuid: '6df7ace9-c501-4d58-953c-f8d53d4fb378',
    name: KEY_STORE.file,
    label: 'Key store',
    description: 'Private key with its certificate and chain, as a PKCS #12 file (.p12, .pfx).',
    group: 'Key store',
    contentType: 'file',
    required: true,
  }),
  dataAttribute({
    uuid: 'd975fe42-9d09-4740-a362-fc26f98e55ea',
    name: KEY_STORE.password,
    label: 'Key store password',
    group: 'Key store',
    contentType: 'secret',
    required: true,
  }),
  dataAttribute({
    uuid: 'c4454807-805a-44e2-81d1-94b56e993786',
    name: TRUST_STORE.type,
    label: 'Trust store type',
    group: 'Trust store',
    contentType: 'string',
    choices: [PKCS12],
  }),
  dataAttribute({
    uuid: '6a245220-eaf4-44cb-9079-2228ad9264f5',
    name: TRUST_STORE.file,
    label: 'Trust store',
    description: 'Certificates that the peer is verified with, as a PKCS #12 file.',
    group: 'Trust store',
    contentType: 'file',
  }),
  dataAttribute({
    uuid: '85a874da-1413-4770-9830-4188a37c95ee',
    name: TRUST_STORE.password,
    label: 'Trust store password',
    group: 'Trust store',
    contentType: 'secret',
  }),
];

type Store = typeof KEY_STORE | typeof TRUST_STORE;

export async function evaluateKeyStores(given: readonly RequestAttributeDto[], now: Date): Promise<Evaluation> {
  const problems = [
    ...[KEY_STORE, TRUST_STORE].flatMap((store) => typeProblem(given, store) ?? []),
    ...validateAttributes(keyStoreAttributes, withoutOtherTypes(given)),
  ];
  if (problems.length > 0) return { problems, warnings: [] };
  const keyStore = await evaluateKeyStore(given, now);
  const trustStore = await evaluateTrustStore(given, now);
  return {
    problems: [...keyStore.problems, ...trustStore.problems],
    warnings: [...keyStore.warnings, ...trustStore.warnings],
  };
}

/** JKS, the other common type, has its own encryption and can be read only by Java. */
function typeProblem(given: readonly RequestAttributeDto[], { type }: Store): string | undefined {
  const wanted = readString(given, type);
  if (wanted === undefined || wanted === PKCS12) return undefined;
  return `${describeAttribute(type)} must be ${PKCS12}. Convert other types of key store first: keytool -importkeystore -srckeystore FILE -destkeystore FILE.p12 -deststoretype ${PKCS12}.`;
}

/** Replaces other types, which are already reported with a better message. */
const withoutOtherTypes = (given: readonly RequestAttributeDto[]): RequestAttributeDto[] =>
  given.map((attribute) =>
    attribute.name === KEY_STORE.type || attribute.name === TRUST_STORE.type
      ? { ...attribute, content: [{ reference: PKCS12, data: PKCS12 }] }
      : attribute,
  );

async function evaluateKeyStore(given: readonly RequestAttributeDto[], now: Date): Promise<Evaluation> {
  const file = readFile(given, KEY_STORE.file);
  if (!file) return withProblem(`${describeAttribute(KEY_STORE.file)} is empty.`);
  const opened = await open(file, { store: KEY_STORE, password: readSecret(given, KEY_STORE.password) ?? '' });
  if (typeof opened === 'string') return withProblem(opened);
  if (opened.keys.length === 0)
    return withProblem(`${describeAttribute(KEY_STORE.file)} does not contain a private key.`);
  try {
    const [certificate] = pkcs12Identity(opened).chain;
    if (!certificate)
      return withProblem(`${describeAttribute(KEY_STORE.file)} does not contain a certificate for its private key.`);
    return withWarnings(validityWarnings('The key store certificate', [certificate], now));
  } catch (error) {
    if (!isPkiError(error)) throw error;
    return withProblem(`${describeAttribute(KEY_STORE.file)} cannot be used: ${error.message}`);
  }
}

async function evaluateTrustStore(given: readonly RequestAttributeDto[], now: Date): Promise<Evaluation> {
  const file = readFile(given, TRUST_STORE.file);
  if (!file) return withWarnings([]);
  const opened = await open(file, { store: TRUST_STORE, password: readSecret(given, TRUST_STORE.password) ?? '' });
  if (typeof opened === 'string') return withProblem(opened);
  if (opened.certificates.length === 0)
    return withProblem(`${describeAttribute(TRUST_STORE.file)} does not contain any certificates.`);
  const certificates = opened.certificates.map(({ certificate }) => certificate);
  return withWarnings(validityWarnings('A certificate in the trust store', certificates, now));
}

/** First bytes of the key store formats that Java used before PKCS #12: JKS and JCEKS. */
const OLD_JAVA: readonly string[] = ['feedfeed', 'cececece'];

/** Returns the contents, or the reason why the file cannot be opened. */
async function open(
  { bytes }: FileContent,
  { store, password }: { readonly store: Store; readonly password: string },
): Promise<Pkcs12Contents | string> {
  if (OLD_JAVA.includes(Buffer.from(bytes.subarray(0, 4)).toString('hex')))
    return `${describeAttribute(store.file)} is a JKS key store, which is not supported. Convert it to ${PKCS12}.`;
  try {
    return await readPkcs12(bytes, { password });
  } catch (error) {
    if (!isPkiError(error)) throw error;
    return error.code === 'wrong-password'
      ? `${describeAttribute(store.password)} is not correct for the file.`
      : `${describeAttribute(store.file)} cannot be read as PKCS #12: ${error.message}`;
  }
}

function validityWarnings(
  what: string,
  certificates: readonly { readonly notBeforeMs: number; readonly notAfterMs: number }[],
  now: Date,
): string[] {
  return certificates.flatMap(({ notBeforeMs, notAfterMs }) => {
    if (notAfterMs < now.getTime()) return [`${what} expired on ${new Date(notAfterMs).toISOString()}.`];
    return notBeforeMs > now.getTime() ? [`${what} is not valid before ${new Date(notBeforeMs).toISOString()}.`] : [];
  });
}

const withProblem = (problem: string): Evaluation => ({ problems: [problem], warnings: [] });
const withWarnings = (warnings: readonly string[]): Evaluation => ({ problems: [], warnings });

function describeAttribute(name: string): string {
  const label = keyStoreAttributes.find((attribute) => attribute.name === name)?.properties.label ?? name;
  return `"${label}" (${name})`;
}
