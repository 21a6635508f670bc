// The connector on a test database and a local directory, and shared calls for tests.
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createPostgresStorage,
  createSealing,
  inProcess,
  isConnectorError,
  schemaNameOf,
  startConnector,
  type CallConnector,
  type ConnectorContext,
} from '@signetry/connector-sdk';
import { createExternalAuthority, type ExternalAuthority } from '@signetry/connector-conformance';
import {
  entityProviderOperations as operations,
  type MetadataAttribute,
  type RequestAttributeDto,
} from '@signetry/contract';
import { parseCertificate, readCertificationRequest, toBase64, writePem } from '@signetry/pki';
import { testDatabaseWithConnection } from '@signetry/testkit/database';
import pg from 'pg';
import { afterAll } from 'vitest';
import type { Kind } from '../declaration.ts';
import { ENTITY, fileEntities, LOCATION, REQUEST } from '../index.ts';

export interface TestFiles {
  readonly call: CallConnector;
  readonly pool: pg.Pool;
  /** Directory that is configured as `web`. */
  readonly folder: string;
  readonly authority: ExternalAuthority;
  /** Returns the connector with different settings, on the same tables. */
  withContext(changes: Partial<ConnectorContext>): Promise<CallConnector>;
}

export async function startTestFiles(changes: Partial<ConnectorContext> = {}): Promise<TestFiles> {
  const folder = await mkdtemp(join(tmpdir(), 'signetry-files-'));
  const { connection } = await testDatabaseWithConnection();
  const pool = new pg.Pool({ ...connection, max: 4 });
  pool.on('error', () => undefined); // Dropping the database closes its connections.
  const silent = (): void => undefined;
  const context: ConnectorContext = {
    storage: createPostgresStorage(pool, { schema: schemaNameOf(fileEntities) }),
    ...createSealing(randomBytes(32)),
    clock: { now: () => new Date() },
    randomBytes: (length) => new Uint8Array(randomBytes(length)),
    log: { debug: silent, info: silent, warn: silent, error: silent },
    directories: { web: folder },
    ...changes,
  };
  afterAll(async () => {
    await pool.end();
    await rm(folder, { recursive: true, force: true });
  });
  const withContext: TestFiles['withContext'] = async (more) =>
    inProcess(await startConnector(fileEntities, { ...context, ...more }), { checkAnswers: true });
  return {
    call: await withContext({}),
    pool,
    folder,
    authority: await createExternalAuthority('CN=Test CA'),
    withContext,
  };
}

const attribute = (
  name: string,
  contentType: RequestAttributeDto['contentType'],
  data: unknown,
): RequestAttributeDto => ({
  uuid: '00000000-0000-4000-8000-000000000000',
  name,
  contentType,
  content: [{ data }] as RequestAttributeDto['content'],
});
export const text = (name: string, value: string) => attribute(name, 'string', value);
export const flag = (name: string, value: boolean) => attribute(name, 'boolean', value);
export const secret = (name: string, value: string) => attribute(name, 'secret', { secret: value });

export const localValues = [text(ENTITY.transport, 'local'), text(ENTITY.directory, 'web')];

export interface SshValues {
  readonly port: number;
  readonly username: string;
  readonly privateKey: string;
}

export const sshValues = ({ port, username, privateKey }: SshValues) => [
  text(ENTITY.transport, 'ssh'),
  text(ENTITY.host, '127.0.0.1'),
  attribute(ENTITY.port, 'integer', port),
  text(ENTITY.username, username),
  secret(ENTITY.privateKey, privateKey),
];

export async function addEntity(
  call: CallConnector,
  attributes: RequestAttributeDto[],
  kind: Kind = 'PEM',
): Promise<string> {
  const { uuid } = await call(operations.createEntityInstance, { body: { name: 'web', kind, attributes } });
  return uuid;
}

export interface Files {
  readonly key?: string;
  readonly certificate?: string;
  readonly fullChain?: string;
  readonly chain?: string;
}

export const locationValues = (files: Files, ...more: RequestAttributeDto[]): RequestAttributeDto[] => [
  text(LOCATION.keyFile, files.key ?? 'server.key'),
  ...(files.certificate ? [text(LOCATION.certificateFile, files.certificate)] : []),
  ...(files.fullChain ? [text(LOCATION.fullChainFile, files.fullChain)] : []),
  ...(files.chain ? [text(LOCATION.chainFile, files.chain)] : []),
  ...more,
];

export const issuersValue = (...ders: Uint8Array[]): RequestAttributeDto =>
  attribute(LOCATION.issuers, 'text', ders.map((der) => writePem('CERTIFICATE', der)).join(''));

export const requestValues = (...more: RequestAttributeDto[]): RequestAttributeDto[] => [
  text(REQUEST.subject, 'CN=www.example.com'),
  ...(more.some(({ name }) => name === REQUEST.keyAlgorithm) ? [] : [text(REQUEST.keyAlgorithm, 'P-256')]),
  ...more,
];

export interface TestLocation {
  readonly call: CallConnector;
  readonly entity: string;
  readonly location: RequestAttributeDto[];
}

export const makeRequest = (
  { call, entity, location }: TestLocation,
  {
    values = requestValues(),
    renewal = false,
  }: { readonly values?: RequestAttributeDto[]; readonly renewal?: boolean } = {},
) =>
  call(operations.generateCsrLocation, {
    params: { entityUuid: entity },
    body: { locationAttributes: location, csrAttributes: values, renewal },
  });

export function issueFor(authority: ExternalAuthority, csr: string): Uint8Array {
  const request = readCertificationRequest(csr);
  return authority.issue({ subject: request.subject, spki: request.publicKey.spki });
}

export const push = ({ call, entity, location }: TestLocation, certificate: Uint8Array) =>
  call(operations.pushCertificateToLocation, {
    params: { entityUuid: entity },
    body: {
      certificate: toBase64(certificate),
      certificateType: 'X.509',
      locationAttributes: location,
      pushAttributes: [],
    },
  });

/** Generates a key in the location and pushes its certificate. */
export async function issueInto(place: TestLocation, authority: ExternalAuthority): Promise<Uint8Array> {
  const certificate = issueFor(authority, (await makeRequest(place)).csr);
  await push(place, certificate);
  return certificate;
}

export const detail = ({ call, entity, location }: TestLocation) =>
  call(operations.getLocationDetail, { params: { entityUuid: entity }, body: { locationAttributes: location } });

/** Removes a certificate. The metadata is passed as returned; it was validated then. */
export const removeFrom = ({ call, entity, location }: TestLocation, metadata: readonly { readonly name: string }[]) =>
  call(operations.removeCertificateFromLocation, {
    params: { entityUuid: entity },
    body: { certificateMetadata: metadata as MetadataAttribute[], locationAttributes: location },
  });

/** Returns the status and message of a rejection. */
export async function rejectionOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (isConnectorError(error)) return `${error.status} ${error.message}`;
    throw error;
  }
  throw new Error('It was not refused.');
}

/** Returns the contents of a directory: file mode and content by name. */
export async function contentsOf(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder)).toSorted();
  const entries = await Promise.all(
    names.map(async (name) => {
      const { mode } = await stat(join(folder, name));
      return [name, `${(mode & 0o777).toString(8)} ${await readFile(join(folder, name), 'utf8')}`] as const;
    }),
  );
  return Object.fromEntries(entries);
}

export const serialOf = (der: Uint8Array): string => parseCertificate(der).serialNumber;
