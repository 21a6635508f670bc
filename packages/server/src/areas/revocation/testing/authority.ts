// For tests: an authority with real keys, an in-memory inventory and a connector that signs CRLs, behind the ports of
// this area. Tests set its faults.
import { authorityProviderOperations, type BaseAttributeDto, type DataAttribute } from '@signetry/contract';
import {
  buildName,
  extKeyUsageExtension,
  keyUsageExtension,
  ocspNoCheckExtension,
  OID,
  parseCertificationRequest,
  verifyCertificationRequest,
  type Certificate,
  type ExtensionInput,
  type Name,
  type RevocationReason,
} from '@signetry/pki';
import { generateKeyPair, nodeCrypto, type KeyPair, type KeySpec } from '@signetry/pki/node';
import { notFound } from '../../../kernel/errors.ts';
import { newUuid } from '../../../kernel/ids.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { CaCertificate, InventoryStatus, RevocationPorts } from '../ports.ts';
import { certify, createCa, signList, type TestCa } from './ca.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export interface TestCertificate {
  readonly uuid: string;
  readonly certificate: Certificate;
  readonly issuerUuid: string;
  readonly keys: KeyPair | undefined;
  state: string;
  revokedAt: Date | null;
  revocationReason: RevocationReason | null;
}

/** Behavior of the connector, which tests change. */
export interface Behavior {
  crlValidityMs: number;
  /** CRL number of the next CRL. */
  crlNumber: bigint;
  offersCrl: boolean;
  offersDelta: boolean;
  /** Additional CRL extensions. */
  crlExtensions: readonly ExtensionInput[];
  /** Thrown by CRL calls. */
  crlError: Error | undefined;
  /** Modifies the returned CRL. */
  tamper: (der: Uint8Array) => Uint8Array;
  /** Revocations omitted from CRLs. */
  readonly hidden: Set<string>;
  /** Offset between the CA's revocation dates and those of the platform. */
  revocationOffsetMs: number;
  /** Extensions of responder certificates. */
  responderExtensions: readonly ExtensionInput[];
  /** Makes `issue` return without the certificate, which `find` returns later. */
  issuesLate: boolean;
  issueError: Error | undefined;
  /** CAs that the inventory assigns to the authority. Default: the newest. */
  knownCas: readonly TestCa[] | undefined;
  /** Awaited in every CRL call. */
  crlGate: Promise<void>;
  features: string[];
  /** Maps the requested partition to the one that is returned. */
  answeredShard: (asked: number | undefined) => number | undefined;
  /** Attribute definitions for RA profiles. */
  definitions: readonly BaseAttributeDto[];
}

interface CrlRequest {
  readonly delta: boolean;
  readonly shard?: number;
}

/** CRL URL of a partition, in certificates and in CRLs. */
export const shardUrl = (shard: number): string => `http://pki.example/crl/ca-shard-${shard}.crl`;

export type TestAuthority = Awaited<ReturnType<typeof createTestAuthority>>;

const EVERYTHING: readonly BaseAttributeDto[] = [
  definition('data_extendedKeyUsages', { properties: { list: true, multiSelect: true }, content: [{ reference: 'OCSP Signing', data: OID.ocspSigning }] }),
  definition('data_ocspNoCheck', { contentType: 'boolean' }),
  definition('data_validityDays', { contentType: 'integer' }),
]; // prettier-ignore

function definition(
  name: string,
  facts: Partial<Pick<DataAttribute, 'content' | 'contentType'>> & {
    properties?: Partial<DataAttribute['properties']>;
  },
): DataAttribute {
  const properties = {
    label: name,
    visible: true,
    required: false,
    readOnly: false,
    list: false,
    multiSelect: false,
    ...facts.properties,
  };
  return { version: 2, uuid: newUuid(), name, type: 'data', contentType: 'string', ...facts, properties };
}

const goodResponder = (): ExtensionInput[] => [
  keyUsageExtension(['digitalSignature']),
  extKeyUsageExtension([OID.ocspSigning]),
  ocspNoCheckExtension(),
];

interface IssueInput {
  readonly subject?: Name;
  readonly spki?: Uint8Array;
  readonly validityMs?: number;
  readonly extensions?: readonly ExtensionInput[];
  readonly signer?: TestCa;
}

interface CrlOptions {
  readonly delta?: boolean;
  readonly signer?: TestCa;
  readonly thisUpdateMs?: number;
  readonly shard?: number | undefined;
}

interface AuthorityState {
  readonly uuid: string;
  readonly name: string;
  readonly connectorUuid: string;
  readonly clock: Platform['clock'];
  readonly key: KeySpec | undefined;
  /** Newest first. */
  readonly cas: TestCa[];
  readonly inventory: TestCertificate[];
  readonly profiles: { uuid: string; name: string; authorityUuid: string; attributes: unknown; internal: boolean }[];
  readonly calls: { crl: number; issue: number; findStatuses: number };
  /** Bodies of the CRL requests. */
  readonly crlRequests: CrlRequest[];
  readonly behaviour: Behavior;
}

export async function createTestAuthority(
  platform: Pick<Platform, 'clock' | 'database'>,
  facts: { readonly name?: string; readonly key?: KeySpec } = {},
) {
  const { clock, database } = platform;
  const uuid = newUuid();
  const connectorUuid = newUuid();
  const name = facts.name ?? `Test CA ${uuid.slice(-6)}`;
  const state: AuthorityState = {
    uuid, name, connectorUuid, clock, key: facts.key, cas: [], inventory: [], profiles: [], calls: { crl: 0, issue: 0, findStatuses: 0 },
    crlRequests: [], behaviour: defaultBehavior(),
  }; // prettier-ignore
  await database.query(
    `INSERT INTO authority (uuid, name, connector_name, connector_authority_uuid, kind, status, created_at, updated_at)
     VALUES ($1, $2, 'test', 'ca-1', 'test', 'connected', now(), now())`,
    [uuid, name],
  );

  function revoke(item: TestCertificate, reason: RevocationReason = 'keyCompromise'): void {
    item.state = 'revoked';
    item.revokedAt = clock.now();
    item.revocationReason = reason;
  }

  await renewCa(state);
  return {
    ...state,
    ports: portsOf(state),
    ca: () => ca(state),
    renewCa: (keys?: KeyPair) => renewCa(state, keys),
    issue: (input?: IssueInput) => issue(state, input),
    revoke,
    signCrl: (options?: CrlOptions) => signCrl(state, options),
  };
}

const defaultBehavior = (): Behavior => ({
  crlValidityMs: DAY_MS,
  crlNumber: 1n,
  offersCrl: true,
  offersDelta: false,
  crlExtensions: [],
  crlError: undefined,
  tamper: (der) => der,
  hidden: new Set(),
  revocationOffsetMs: 0,
  responderExtensions: goodResponder(),
  issuesLate: false,
  issueError: undefined,
  knownCas: undefined,
  crlGate: Promise.resolve(),
  features: ['ocspDelegation'],
  answeredShard: (asked) => asked,
  definitions: EVERYTHING,
});

function portsOf(state: AuthorityState): RevocationPorts {
  const { uuid, name, connectorUuid, profiles, behaviour } = state;
  return {
    connectors: {
      client: async (connectorUuid) => ({
        uuid: connectorUuid,
        name: 'test',
        call: async (operation: unknown, request: unknown) => {
          if (operation !== authorityProviderOperations.getCrl) throw new Error('The test connector gives CRLs only.');
          // Only the operation above is called.
          return respondWithCrl(state, (request as { body: CrlRequest }).body) as never;
        },
      }),
    },
    authorities: {
      find: async (authorityUuid) => {
        if (authorityUuid !== uuid) throw notFound('Authority', authorityUuid);
        return { uuid, name, connectorUuid, connectorAuthorityUuid: 'ca-1', features: behaviour.features };
      },
      raProfileDefinitions: async () => behaviour.definitions,
    },
    raProfiles: {
      attributesForAuthority: async () => (behaviour.offersCrl ? [] : undefined),
      authorityOf: async () => uuid,
      findAnyByName: async (wanted) => profiles.find((profile) => profile.name === wanted),
      markInternal: async (uuid) => {
        const profile = profiles.find((each) => each.uuid === uuid);
        if (profile) profile.internal = true;
      },
      createInternal: async (authorityUuid, request) => {
        const { name, attributes } = request;
        const profile = { uuid: newUuid(), name, authorityUuid, attributes, internal: true };
        profiles.push(profile);
        return profile.uuid;
      },
    },
    certificates: certificatesPort(state),
  };
}

function certificatesPort(state: AuthorityState): RevocationPorts['certificates'] {
  const { cas, inventory, calls, behaviour } = state;
  return {
    findStatuses: async ({ certificateUuids }, serialNumbers) => {
      calls.findStatuses += 1;
      return inventory
        .filter(
          (item) => certificateUuids.includes(item.issuerUuid) && serialNumbers.includes(item.certificate.serialNumber),
        )
        .map(statusOf);
    },
    caCertificatesOf: async (): Promise<CaCertificate[]> =>
      (behaviour.knownCas ?? cas.slice(0, 1)).map((item) => ({ uuid: item.uuid, der: item.certificate.der })),
    find: async (certificateUuid) => {
      const item = inventory.find((candidate) => candidate.uuid === certificateUuid);
      if (!item) return undefined;
      const der = item.state === 'pending_issue' ? undefined : item.certificate.der;
      return { state: item.state, der, revocationReason: item.revocationReason };
    },
    issue: async ({ request }) => {
      calls.issue += 1;
      if (behaviour.issueError) throw behaviour.issueError;
      const csr = parseCertificationRequest(request);
      if (!verifyCertificationRequest(csr, nodeCrypto.verify)) throw new Error('The request is not signed by its key.');
      const item = await issue(state, {
        subject: csr.subject,
        spki: csr.publicKey.spki,
        validityMs: 30 * DAY_MS,
        extensions: behaviour.responderExtensions,
      });
      if (behaviour.issuesLate) item.state = 'pending_issue';
      return { uuid: item.uuid, der: behaviour.issuesLate ? undefined : item.certificate.der };
    },
  };
}

/** Issues a CA certificate: a renewal if `keys` are those of a former one, otherwise a rekey. */
async function renewCa(state: AuthorityState, keys?: KeyPair): Promise<TestCa> {
  const { clock, name, cas } = state;
  const ca = await createCa(name, { keys: keys ?? (await generateKeyPair(state.key ?? 'P-256')), now: clock.now() });
  cas.unshift(ca);
  return ca;
}

function ca(state: AuthorityState): TestCa {
  const { cas } = state;
  const [current] = cas;
  if (!current) throw new Error('The test authority has no CA.');
  return current;
}

/** Issues a certificate under the current CA and adds it to the inventory. */
async function issue(state: AuthorityState, input: IssueInput = {}): Promise<TestCertificate> {
  const { clock, inventory } = state;
  const signer = input.signer ?? ca(state);
  const keys = input.spki ? undefined : await generateKeyPair('P-256');
  const nowMs = clock.now().getTime();
  const certificate = await certify(signer.keys, {
    subject: input.subject ?? buildName([{ type: 'CN', value: 'leaf.example.com' }]),
    issuer: signer.certificate.subject,
    spki: input.spki ?? keys?.spki ?? new Uint8Array(),
    notBeforeMs: nowMs - 60_000,
    notAfterMs: nowMs + (input.validityMs ?? 90 * DAY_MS),
    extensions: input.extensions ?? [],
  });
  const item: TestCertificate = {
    uuid: newUuid(),
    certificate,
    issuerUuid: signer.uuid,
    keys,
    state: 'issued',
    revokedAt: null,
    revocationReason: null,
  };
  inventory.push(item);
  return item;
}

async function signCrl(state: AuthorityState, options: CrlOptions = {}): Promise<Uint8Array> {
  const { clock, inventory, behaviour } = state;
  const signer = options.signer ?? ca(state);
  const thisUpdateMs = options.thisUpdateMs ?? clock.now().getTime();
  const number = behaviour.crlNumber;
  return signList(signer, {
    thisUpdateMs,
    nextUpdateMs: thisUpdateMs + behaviour.crlValidityMs,
    crlNumber: number,
    ...(options.delta ? { baseCrlNumber: number > 1n ? number - 1n : number } : {}),
    ...(options.shard === undefined ? {} : { issuingDistributionPoint: { urls: [shardUrl(options.shard)] } }),
    extensions: behaviour.crlExtensions,
    entries: inventory
      .filter((item) => item.revokedAt && item.issuerUuid === signer.uuid && !behaviour.hidden.has(item.uuid))
      .filter((item) => options.shard === undefined || item.certificate.crlUrls.includes(shardUrl(options.shard)))
      .map((item) => ({
        serialNumber: item.certificate.serialBytes,
        revocationMs: (item.revokedAt?.getTime() ?? 0) + behaviour.revocationOffsetMs,
        reason: item.revocationReason ?? 'unspecified',
      })),
  });
}

async function respondWithCrl(state: AuthorityState, request: CrlRequest): Promise<{ crlData: string }> {
  const { calls, crlRequests, behaviour } = state;
  calls.crl += 1;
  crlRequests.push(request);
  await behaviour.crlGate;
  if (behaviour.crlError) throw behaviour.crlError;
  const der = behaviour.tamper(
    await signCrl(state, {
      delta: request.delta && behaviour.offersDelta,
      shard: behaviour.answeredShard(request.shard),
    }),
  );
  behaviour.crlNumber += 1n;
  return { crlData: Buffer.from(der).toString('base64') };
}

const statusOf = (item: TestCertificate): InventoryStatus => ({
  serialNumber: item.certificate.serialNumber,
  revokedAt: item.revokedAt,
  revocationReason: item.revocationReason,
});
