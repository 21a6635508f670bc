// Deployment state of a location's certificates, and the endpoint that is probed for them. A renewal is complete when
// the new certificate is served. Not part of the published interface.
import { z } from 'zod';
import { connectorErrors, operations, plainErrors, ruleErrors } from '../operations.ts';
import { DeploymentState, LocationState, locationPermission } from '../platform/locations.ts';
import { dateTime, int32, line, uuid } from '../primitives.ts';

/** Maximum number of seconds for which an endpoint is probed after a push: one hour. */
export const MAX_PROBE_SECONDS = 3_600;

/** Protocol used to start TLS if the endpoint does not expect TLS immediately. */
export const StartTlsProtocol = z
  .enum(['smtp', 'imap', 'pop3', 'ldap', 'postgresql', 'mysql', 'ftp', 'xmpp'])
  .meta({ id: 'StartTlsProtocol' });
export type StartTlsProtocol = z.output<typeof StartTlsProtocol>;

export const LocationProbe = z
  .object({
    /**
     * Host name or IP address of the endpoint that serves the location's certificates; all addresses of a host name are
     * probed.
     */
    host: line().regex(/^[^\s/@]+$/, 'must be a host name or IP address'),
    port: int32().min(1).max(65_535),
    /** Server name sent in the handshake (SNI). Default: the host, if it is not an IP address. */
    serverName: line().optional(),
    startTls: StartTlsProtocol.optional(),
    /** Number of seconds for which the endpoint is probed after a push. */
    timeoutSeconds: int32().min(1).max(MAX_PROBE_SECONDS).default(60),
    /** Whether to restore the previous certificate if the new one is not served in time. */
    restorePrevious: z.boolean().default(true),
  })
  .meta({ id: 'LocationProbe' });
export type LocationProbe = z.output<typeof LocationProbe>;

export const DeployedCertificate = z
  .object({
    certificateUuid: uuid(),
    commonName: z.string(),
    serialNumber: z.string(),
    state: DeploymentState,
    /** Why the deployment failed, or why the certificate was not served or is not served yet. */
    problem: z.string().optional(),
    changedAt: dateTime(),
    /** Time at which the endpoint first served the certificate. */
    servedAt: dateTime().optional(),
    /** Time until which the endpoint is probed; absent if it is not being probed. */
    askedUntil: dateTime().optional(),
    /** Whether the private key is in the location. */
    withKey: z.boolean(),
    /** The certificate that this one replaces. */
    replacedCertificateUuid: uuid().optional(),
  })
  .meta({ id: 'DeployedCertificate' });
export type DeployedCertificate = z.output<typeof DeployedCertificate>;

/** `recover` determines the outcome of an operation whose node has stopped. */
export const LocationOperationKind = z
  .enum(['push', 'issue', 'renew', 'remove', 'recover'])
  .meta({ id: 'LocationOperationKind' });
export type LocationOperationKind = z.output<typeof LocationOperationKind>;

export const LocationOperation = z
  .object({
    kind: LocationOperationKind,
    /** The certificate being pushed, renewed or removed. */
    certificateUuid: uuid().optional(),
    requestedBy: z.string(),
    startedAt: dateTime(),
    /** True if the node running the operation has stopped; the next operation takes over. */
    interrupted: z.boolean(),
  })
  .meta({ id: 'LocationOperation' });
export type LocationOperation = z.output<typeof LocationOperation>;

export const LocationDeployment = z
  .object({
    /** Time at which the contents were last read successfully from the provider. */
    readAt: dateTime().optional(),
    /** Why the contents, or part of them, could not be read since then. */
    readingProblem: z.string().optional(),
    probe: LocationProbe.optional(),
    /** The operation in progress at the location; all other operations wait for it. */
    operation: LocationOperation.optional(),
    certificates: z.array(DeployedCertificate),
  })
  .meta({ id: 'LocationDeployment' });
export type LocationDeployment = z.output<typeof LocationDeployment>;

/** States without locations are omitted. */
export const LocationStateCount = z
  .object({ state: LocationState, locations: int32() })
  .meta({ id: 'LocationStateCount' });
export type LocationStateCount = z.output<typeof LocationStateCount>;

export const ServedCertificate = z
  .object({
    /** SHA-256 fingerprint in hexadecimal. */
    fingerprint: z.string(),
    subject: z.string(),
    notAfter: dateTime(),
    /** Present if the certificate is in the inventory. */
    certificateUuid: uuid().optional(),
  })
  .meta({ id: 'ServedCertificate' });
export type ServedCertificate = z.output<typeof ServedCertificate>;

export const ServedAtAddress = z
  .object({
    address: z.string(),
    /** E.g. `TLSv1.3`. */
    protocol: z.string(),
    /** In the order sent: the server certificate first. */
    chain: z.array(ServedCertificate),
    /** Whether the served certificate is in the location. */
    asExpected: z.boolean(),
  })
  .meta({ id: 'ServedAtAddress' });
export type ServedAtAddress = z.output<typeof ServedAtAddress>;

export const ServedNow = z
  .object({
    /**
     * True if at least one address serves a certificate that is in the location, and no address serves a different one.
     */
    asExpected: z.boolean(),
    addresses: z.array(ServedAtAddress),
    /** Why the remaining addresses, or the endpoint as a whole, did not serve a certificate. */
    problems: z.array(z.string()),
  })
  .meta({ id: 'ServedNow' });
export type ServedNow = z.output<typeof ServedNow>;

export const locationDeploymentOperations = operations(
  { tag: 'Location Management', resource: 'locations', module: 'entities', errors: connectorErrors },
  {
    /** Counts locations that the caller can list. The most urgent state comes first. */
    countLocationStates: {
      route: 'GET /x/v1/locations/states',
      summary: 'Count locations by their state',
      answer: z.array(LocationStateCount),
      errors: plainErrors,
      access: { action: 'list', filtered: true, parent: { resource: 'entities', action: 'list', filtered: true } },
    },
    getLocationDeployment: {
      route: 'GET /x/v1/entities/{entityUuid}/locations/{locationUuid}/deployment',
      summary: 'Get the deployment state of the certificates in a location',
      answer: LocationDeployment,
      access: locationPermission('detail'),
    },
    /** Applies to certificates pushed after this call. */
    setLocationProbe: {
      route: 'PUT /x/v1/entities/{entityUuid}/locations/{locationUuid}/probe',
      summary: 'Set the endpoint that serves the certificates of a location',
      body: LocationProbe,
      answer: LocationDeployment,
      errors: ruleErrors,
      access: locationPermission('update'),
      audit: 'update',
    },
    removeLocationProbe: {
      route: 'DELETE /x/v1/entities/{entityUuid}/locations/{locationUuid}/probe',
      summary: 'Remove the endpoint of a location',
      access: locationPermission('update'),
      audit: 'update',
    },
    /** Certificates found at the endpoint are marked as served; nothing else is changed. */
    probeLocation: {
      route: 'POST /x/v1/entities/{entityUuid}/locations/{locationUuid}/probe/look',
      summary: 'Probe the endpoint of a location for the certificates that it serves',
      answer: ServedNow,
      errors: ruleErrors,
      access: locationPermission('update'),
    },
  },
);
