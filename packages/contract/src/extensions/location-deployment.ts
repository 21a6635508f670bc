// What became of the certificates of a location, and the endpoint that is asked whether it serves them. A renewal is
// finished when the new certificate is served. Not part of the published interface.
import { z } from 'zod';
import { connectorErrors, operations, plainErrors, ruleErrors } from '../operations.ts';
import { DeploymentState, LocationState, ofLocation } from '../platform/locations.ts';
import { dateTime, int32, line, uuid } from '../primitives.ts';

/** Longest time for which an endpoint is asked after a push: an hour. */
export const MAX_PROBE_SECONDS = 3_600;

/** How a peer is asked to begin TLS, where it does not begin at once. */
export const StartTlsProtocol = z
  .enum(['smtp', 'imap', 'pop3', 'ldap', 'postgresql', 'mysql', 'ftp', 'xmpp'])
  .meta({ id: 'StartTlsProtocol' });
export type StartTlsProtocol = z.output<typeof StartTlsProtocol>;

export const LocationProbe = z
  .object({
    /** Name or address of the endpoint that serves what the location holds; all addresses of a name are asked. */
    host: line().regex(/^[^\s/@]+$/, 'must be a name or an address'),
    port: int32().min(1).max(65_535),
    /** Name that is asked for in the handshake (SNI); the host where it is absent and no address. */
    serverName: line().optional(),
    startTls: StartTlsProtocol.optional(),
    /** For how long the endpoint is asked after a push, in seconds. */
    timeoutSeconds: int32().min(1).max(MAX_PROBE_SECONDS).default(60),
    /** The certificate from before is put back when the new one is not served in time. */
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
    /** Why it failed, was not served, or is not served yet. */
    problem: z.string().optional(),
    changedAt: dateTime(),
    /** When the endpoint showed it first. */
    servedAt: dateTime().optional(),
    /** Until when the endpoint is asked; absent when it is not being asked. */
    askedUntil: dateTime().optional(),
    /** The private key is in the location. */
    withKey: z.boolean(),
    /** The certificate whose place it takes. */
    replacedCertificateUuid: uuid().optional(),
  })
  .meta({ id: 'DeployedCertificate' });
export type DeployedCertificate = z.output<typeof DeployedCertificate>;

/** `recover` finds out what an operation left behind whose node ended. */
export const LocationOperationKind = z
  .enum(['push', 'issue', 'renew', 'remove', 'recover'])
  .meta({ id: 'LocationOperationKind' });
export type LocationOperationKind = z.output<typeof LocationOperationKind>;

export const LocationOperation = z
  .object({
    kind: LocationOperationKind,
    /** The certificate that is pushed, renewed or removed. */
    certificateUuid: uuid().optional(),
    requestedBy: z.string(),
    startedAt: dateTime(),
    /** Its node has ended: the next operation takes over. */
    interrupted: z.boolean(),
  })
  .meta({ id: 'LocationOperation' });
export type LocationOperation = z.output<typeof LocationOperation>;

export const LocationDeployment = z
  .object({
    /** When the provider was asked last what is there, and answered. */
    readAt: dateTime().optional(),
    /** Why it could not be read since, or what of it could not be read. */
    readingProblem: z.string().optional(),
    probe: LocationProbe.optional(),
    /** What is being carried out at the location; anything else waits for it. */
    operation: LocationOperation.optional(),
    certificates: z.array(DeployedCertificate),
  })
  .meta({ id: 'LocationDeployment' });
export type LocationDeployment = z.output<typeof LocationDeployment>;

/** A state that no location is in is left out. */
export const LocationStateCount = z
  .object({ state: LocationState, locations: int32() })
  .meta({ id: 'LocationStateCount' });
export type LocationStateCount = z.output<typeof LocationStateCount>;

export const ServedCertificate = z
  .object({
    /** Fingerprint (SHA-256) in hexadecimal digits. */
    fingerprint: z.string(),
    subject: z.string(),
    notAfter: dateTime(),
    /** Where the inventory has it. */
    certificateUuid: uuid().optional(),
  })
  .meta({ id: 'ServedCertificate' });
export type ServedCertificate = z.output<typeof ServedCertificate>;

export const ServedAtAddress = z
  .object({
    address: z.string(),
    /** E.g. `TLSv1.3`. */
    protocol: z.string(),
    /** As it was sent: the certificate of the server comes first. */
    chain: z.array(ServedCertificate),
    /** The certificate is in the location. */
    asExpected: z.boolean(),
  })
  .meta({ id: 'ServedAtAddress' });
export type ServedAtAddress = z.output<typeof ServedAtAddress>;

export const ServedNow = z
  .object({
    /** An address serves a certificate that is in the location, and no address serves another one. */
    asExpected: z.boolean(),
    addresses: z.array(ServedAtAddress),
    /** Why other addresses, or the endpoint as a whole, served nothing. */
    problems: z.array(z.string()),
  })
  .meta({ id: 'ServedNow' });
export type ServedNow = z.output<typeof ServedNow>;

export const locationDeploymentOperations = operations(
  { tag: 'Location Management', resource: 'locations', module: 'entities', errors: connectorErrors },
  {
    /** Of those that the caller may list. The most urgent state comes first. */
    countLocationStates: {
      route: 'GET /x/v1/locations/states',
      summary: 'Count locations by their state',
      answer: z.array(LocationStateCount),
      errors: plainErrors,
      access: { action: 'list', filtered: true, parent: { resource: 'entities', action: 'list', filtered: true } },
    },
    getLocationDeployment: {
      route: 'GET /x/v1/entities/{entityUuid}/locations/{locationUuid}/deployment',
      summary: 'Get what became of the certificates of a location',
      answer: LocationDeployment,
      access: ofLocation('detail'),
    },
    /** Certificates that are pushed from now on are asked for. */
    setLocationProbe: {
      route: 'PUT /x/v1/entities/{entityUuid}/locations/{locationUuid}/probe',
      summary: 'Name the endpoint that serves what a location holds',
      body: LocationProbe,
      answer: LocationDeployment,
      errors: ruleErrors,
      access: ofLocation('update'),
      audit: 'update',
    },
    removeLocationProbe: {
      route: 'DELETE /x/v1/entities/{entityUuid}/locations/{locationUuid}/probe',
      summary: 'Ask no endpoint for what a location holds',
      access: ofLocation('update'),
      audit: 'update',
    },
    /** Nothing is changed, but that a certificate that is seen is known to be served. */
    lookAtLocation: {
      route: 'POST /x/v1/entities/{entityUuid}/locations/{locationUuid}/probe/look',
      summary: 'Ask the endpoint of a location what it serves now',
      answer: ServedNow,
      errors: ruleErrors,
      access: ofLocation('update'),
    },
  },
);
