// Software CA on a test database, with an adjustable clock and sealed keys.
import { randomBytes } from 'node:crypto';
import {
  inProcess,
  octetsOf,
  startConnector,
  type CallConnector,
  type Connector,
  type ConnectorContext,
  type RunningConnector,
} from '@signetry/connector-sdk';
import {
  authorityProviderOperations as operations,
  type AttributeContentType,
  type CertificateRevocationReason,
  type RequestAttributeDto,
} from '@signetry/contract';
import {
  assembleCertificationRequest,
  buildCertificationRequestInfo,
  buildName,
  defaultSignatureAlgorithm,
  parsePublicKey,
  readCertificate,
  subjectAltNameExtension,
  type ExtensionInput,
  toBase64,
  type Certificate,
  type GeneralName,
  type RdnInput,
  type SignatureAlgorithm,
} from '@signetry/pki';
import { generateKeyPair, nodeCrypto, type KeyPair, type KeySpec } from '@signetry/pki/node';
import { testDatabaseWithConnection } from '@signetry/testkit/database';
import pg from 'pg';
import { afterAll } from 'vitest';
import { softwareAuthority } from '../index.ts';
import { testContext } from './test-context.ts';

export interface TestAuthority {
  readonly context: ConnectorContext;
  readonly running: RunningConnector;
  readonly call: CallConnector;
  readonly pool: pg.Pool;
  /** Restarts the connector on the same tables, as after a crash. */
  restart(changes?: Partial<ConnectorContext>): Promise<TestAuthority>;
  setTime(now: Date | undefined): void;
  /** For a second process on the same tables. */
  readonly sealingKey: Uint8Array;
  readonly database: string;
}

/** Creates a database for the test file and starts the connector on it. */
export async function startTestAuthority(connector: Connector = softwareAuthority): Promise<TestAuthority> {
  const { connection } = await testDatabaseWithConnection();
  const pool = new pg.Pool({ ...connection, max: 4 });
  pool.on('error', () => undefined); // Dropping the database closes its connections.
  afterAll(() => pool.end());
  let time: Date | undefined;
  const setTime = (now: Date | undefined): void => void (time = now);
  const sealingKey = randomBytes(32);
  const context = testContext(pool, { sealingKey, now: () => time ?? new Date(), connector });
  const start = async (changes: Partial<ConnectorContext> = {}): Promise<TestAuthority> => {
    const changed = { ...context, ...changes };
    const running = await startConnector(connector, changed);
    return {
      context: changed,
      running,
      call: inProcess(running, { checkAnswers: true }),
      pool,
      restart: start,
      setTime,
      sealingKey,
      database: connection.database ?? '',
    };
  };
  return start();
}

// ---- attributes ----

export const attribute = (
  name: string,
  contentType: AttributeContentType,
  ...data: unknown[]
): RequestAttributeDto => ({
  uuid: '00000000-0000-4000-8000-000000000000',
  name,
  contentType,
  content: data.map((entry) => ({ data: entry })),
});
export const text = (name: string, ...values: string[]): RequestAttributeDto => attribute(name, 'string', ...values);
export const lines = (name: string, ...values: string[]): RequestAttributeDto =>
  attribute(name, 'text', values.join('\n'));
export const integer = (name: string, value: number): RequestAttributeDto => attribute(name, 'integer', value);
export const flag = (name: string, value: boolean): RequestAttributeDto => attribute(name, 'boolean', value);

// ---- requests ----

export interface CsrFacts {
  readonly spec?: KeySpec;
  readonly keyPair?: KeyPair;
  readonly subject?: readonly RdnInput[];
  readonly altNames?: readonly GeneralName[];
  /** Signature algorithm of the CSR. Default: the usual one for the key. */
  readonly algorithm?: SignatureAlgorithm;
  /** Extensions in addition to the SANs. */
  readonly extensions?: readonly ExtensionInput[];
}

export const dns = (...names: string[]): readonly GeneralName[] => names.map((value) => ({ kind: 'dNSName', value }));

/** Creates a CSR with proof of possession, in Base64 of DER. */
export async function makeCsr(facts: CsrFacts = {}): Promise<string> {
  const { privateKey, spki } = facts.keyPair ?? (await generateKeyPair(facts.spec ?? 'P-256'));
  const algorithm = facts.algorithm ?? defaultSignatureAlgorithm(parsePublicKey(spki));
  const altNames = facts.altNames ?? dns('www.example.com');
  const info = buildCertificationRequestInfo({
    subject: buildName(facts.subject ?? [{ type: 'CN', value: 'www.example.com' }]),
    spki,
    extensions: [...(altNames.length > 0 ? [subjectAltNameExtension(altNames)] : []), ...(facts.extensions ?? [])],
  });
  return toBase64(
    assembleCertificationRequest(info, {
      algorithm,
      signature: nodeCrypto.sign(privateKey, { algorithm, data: info }),
    }),
  );
}

// ---- calls ----

export async function createCa(
  call: CallConnector,
  name: string,
  attributes: readonly RequestAttributeDto[] = [],
  idempotencyKey?: string,
): Promise<string> {
  const created = await call(operations.createAuthorityInstance, {
    body: { name, kind: 'SoftwareCA', attributes: [...attributes] },
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  });
  return created.uuid;
}

export interface IssueFacts {
  readonly authority: string;
  readonly request?: string;
  readonly profile?: readonly RequestAttributeDto[];
  readonly attributes?: readonly RequestAttributeDto[];
  readonly key?: string;
  readonly committed?: Promise<void>;
}

export async function issueDer(call: CallConnector, facts: IssueFacts): Promise<Uint8Array> {
  const answer = await call(operations.issueCertificate, {
    params: { uuid: facts.authority },
    body: {
      request: facts.request ?? (await makeCsr()),
      format: 'pkcs10',
      raProfileAttributes: [...(facts.profile ?? [])],
      attributes: [...(facts.attributes ?? [])],
    },
    idempotencyKey: facts.key,
    committed: facts.committed,
  });
  return Buffer.from(answer.certificateData, 'base64');
}

export const issue = async (call: CallConnector, facts: IssueFacts): Promise<Certificate> =>
  readCertificate(await issueDer(call, facts));

export async function chainOf(call: CallConnector, authority: string): Promise<readonly Uint8Array[]> {
  const { certificates } = await call(operations.getCaCertificates, {
    params: { uuid: authority },
    body: { raProfileAttributes: [] },
  });
  return certificates.map(({ certificateData }) => Buffer.from(certificateData, 'base64'));
}

export async function crlOf(call: CallConnector, authority: string, delta = false): Promise<Uint8Array> {
  const { crlData } = await call(operations.getCrl, {
    params: { uuid: authority },
    body: { delta, raProfileAttributes: [] },
  });
  return octetsOf(crlData);
}

export async function revoke(
  call: CallConnector,
  facts: {
    readonly authority: string;
    readonly certificate: Uint8Array;
    readonly reason?: CertificateRevocationReason;
    readonly attributes?: readonly RequestAttributeDto[];
    readonly key?: string;
  },
): Promise<void> {
  await call(operations.revokeCertificate, {
    params: { uuid: facts.authority },
    body: {
      reason: facts.reason ?? 'superseded',
      raProfileAttributes: [],
      attributes: [...(facts.attributes ?? [])],
      certificate: toBase64(facts.certificate),
    },
    idempotencyKey: facts.key,
  });
}
