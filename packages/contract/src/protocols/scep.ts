// Declaration of the SCEP server (RFC 8894), once for each URL family: under the name of a SCEP profile and under the
// name of an RA profile. Messages are CMS in DER.
import { z } from 'zod';
import { operation, type ErrorStatus } from '../operation.ts';

/** Operations defined in RFC 8894 §4. The published interface has only three of them. */
export const ScepOperation = z.enum(['GetCACert', 'GetCACaps', 'GetNextCACert', 'PKIOperation']);
export type ScepOperation = z.output<typeof ScepOperation>;

export const SCEP_MESSAGE = 'application/x-pki-message';

const common = {
  tag: 'SCEP operations',
  access: 'public',
  errors: [400, 401, 403, 404, 500] as const satisfies readonly ErrorStatus[],
  success: {
    status: 200,
    media: SCEP_MESSAGE,
    otherMedia: ['application/x-x509-ca-cert', 'application/x-x509-ca-ra-cert', 'text/plain'],
  },
} as const;

interface Family<Base extends string> {
  readonly suffix: string;
  readonly base: Base;
  readonly params: z.ZodObject;
}

const operationsOf = <const Base extends string>({ suffix, base, params }: Family<Base>) => ({
  get: operation({
    ...common,
    id: `doGet_${suffix}`,
    summary: 'SCEP Get Operations',
    method: 'GET',
    path: `${base}/pkiclient.exe`,
    params,
    /** For PKIOperation, `message` is the Base64-encoded message. */
    query: z.object({ operation: ScepOperation, message: z.string().optional() }),
  }),
  post: operation({
    ...common,
    id: `doPost_${suffix}`,
    summary: 'SCEP Post Operations',
    method: 'POST',
    path: `${base}/pkiclient.exe`,
    params,
    query: z.object({ operation: ScepOperation }),
    /** Clients send arbitrary media types. */
    octets: '*/*',
  }),
});

/** Operations under the name of a SCEP profile. */
export const scepProfileFamily = operationsOf({
  suffix: 'Scep',
  base: '/v1/protocols/scep/{scepProfileName}',
  params: z.object({ scepProfileName: z.string() }),
});

/** Operations under the name of an RA profile for which a SCEP profile is activated. */
export const scepRaProfileFamily = operationsOf({
  suffix: 'ScepRaProfile',
  base: '/v1/protocols/scep/raProfile/{raProfileName}',
  params: z.object({ raProfileName: z.string() }),
});

/** SCEP operations, for the OpenAPI document. */
export const scepOperations = [...Object.values(scepProfileFamily), ...Object.values(scepRaProfileFamily)];
