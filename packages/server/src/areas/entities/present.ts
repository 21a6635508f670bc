// Presents entities and locations in the API format.
import type {
  CertificateInLocationDto,
  DeployedCertificate,
  DeploymentState,
  EntityInstanceDto,
  LocationDeployment,
  LocationDto,
  LocationOperation,
  LocationProbe,
  LocationState,
  MetadataResponseDto,
  ResponseAttributeDto,
} from '@signetry/contract';
import type { InstanceStatus } from '../connectors/index.ts';
import type { HeldCertificate } from '../inventory/index.ts';
import type { EntityRow, HeldRow, LocationOperationRow, LocationRow, ProbeRow } from './tables.ts';

export const presentEntity = (
  row: EntityRow,
  shown: { readonly attributes: readonly ResponseAttributeDto[]; readonly status?: InstanceStatus } = {
    attributes: [],
  },
): EntityInstanceDto => ({
  uuid: row.uuid,
  name: row.name,
  kind: row.kind,
  attributes: [...shown.attributes],
  ...(shown.status === undefined ? {} : { status: shown.status }),
  ...(row.connector_uuid === null ? {} : { connectorUuid: row.connector_uuid }),
  connectorName: row.connector_uuid === null ? `${row.connector_name} (Deleted)` : row.connector_name,
});

export interface ShownLocation {
  readonly entityName: string;
  readonly state: LocationState;
  readonly attributes: readonly ResponseAttributeDto[];
  readonly metadata: readonly MetadataResponseDto[];
  readonly certificates: readonly CertificateInLocationDto[];
}

export const presentLocation = (row: LocationRow, shown: ShownLocation): LocationDto => ({
  uuid: row.uuid,
  name: row.name,
  ...(row.description === null ? {} : { description: row.description }),
  entityInstanceUuid: row.entity_uuid,
  entityInstanceName: shown.entityName,
  attributes: [...shown.attributes],
  enabled: row.enabled,
  state: shown.state,
  supportMultipleEntries: row.multiple_entries,
  supportKeyManagement: row.key_management,
  certificates: [...shown.certificates],
  metadata: [...shown.metadata],
});

export interface ShownHeld {
  readonly pushAttributes: readonly ResponseAttributeDto[];
  readonly csrAttributes: readonly ResponseAttributeDto[];
  readonly source: { readonly uuid: string; readonly name: string };
  readonly connector: { readonly uuid: string; readonly name: string } | undefined;
}

export const presentHeld = (
  row: HeldRow,
  certificate: HeldCertificate,
  { pushAttributes, csrAttributes, source, connector }: ShownHeld,
): CertificateInLocationDto => ({
  certificateUuid: certificate.uuid,
  commonName: certificate.commonName,
  serialNumber: certificate.serialNumber,
  state: certificate.state,
  validationStatus: certificate.validationStatus,
  withKey: row.with_key,
  deployment: deploymentOf(row),
  pushAttributes: [...pushAttributes],
  csrAttributes: [...csrAttributes],
  metadata: row.metadata.length === 0 ? [] : [presentMetadata(row, source, connector)],
});

const deploymentOf = ({ state }: HeldRow): DeploymentState => (state === 'not_served' ? 'notServed' : state);

const presentMetadata = (
  { metadata }: HeldRow,
  source: ShownHeld['source'],
  connector: ShownHeld['connector'],
): MetadataResponseDto => ({
  ...(connector ? { connectorUuid: connector.uuid, connectorName: connector.name } : {}),
  sourceObjectType: 'locations',
  items: metadata.map(({ uuid, name, properties, type, contentType, content = [] }) => ({
    uuid,
    name,
    label: properties.label,
    type,
    contentType,
    content,
    sourceObjects: [source],
  })),
});

export interface Deployment {
  readonly probe: ProbeRow | undefined;
  readonly held: readonly HeldRow[];
  readonly known: readonly HeldCertificate[];
  readonly operation: LocationOperationRow | undefined;
  readonly now: Date;
}

export const presentDeployment = (
  { read_at: readAt, problem }: LocationRow,
  { probe, held, known, operation, now }: Deployment,
): LocationDeployment => {
  const byUuid = new Map(known.map((certificate) => [certificate.uuid, certificate]));
  return {
    ...(readAt === null ? {} : { readAt: readAt.toISOString() }),
    ...(problem === null ? {} : { readingProblem: problem }),
    ...(probe ? { probe: presentProbe(probe) } : {}),
    ...(operation ? { operation: presentOperation(operation, now) } : {}),
    certificates: held.flatMap((row) => {
      const certificate = byUuid.get(row.certificate_uuid);
      return certificate ? [presentDeployed(row, certificate)] : [];
    }),
  };
};

const presentOperation = (row: LocationOperationRow, now: Date): LocationOperation => ({
  kind: row.kind,
  ...(row.certificate_uuid === null ? {} : { certificateUuid: row.certificate_uuid }),
  requestedBy: row.requested_by,
  startedAt: row.started_at.toISOString(),
  interrupted: row.leased_until <= now,
});

const presentProbe = (row: ProbeRow): LocationProbe => ({
  host: row.host,
  port: row.port,
  ...(row.server_name === null ? {} : { serverName: row.server_name }),
  ...(row.start_tls === null ? {} : { startTls: row.start_tls }),
  timeoutSeconds: row.timeout_s,
  restorePrevious: row.restore_previous,
});

const presentDeployed = (row: HeldRow, { uuid, commonName, serialNumber }: HeldCertificate): DeployedCertificate => ({
  certificateUuid: uuid,
  commonName,
  serialNumber,
  state: deploymentOf(row),
  ...(row.problem === null ? {} : { problem: row.problem }),
  changedAt: row.changed_at.toISOString(),
  ...(row.served_at === null ? {} : { servedAt: row.served_at.toISOString() }),
  ...(row.asked_until === null ? {} : { askedUntil: row.asked_until.toISOString() }),
  withKey: row.with_key,
  ...(row.replaces_uuid === null ? {} : { replacedCertificateUuid: row.replaces_uuid }),
});
