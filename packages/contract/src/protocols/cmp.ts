// Declaration of the CMP server (RFC 9811), once for each URL family: under the name of a CMP profile and under the
// name of an RA profile. Bodies are DER-encoded CMP messages, including the bodies of error responses.
import { z } from 'zod';
import { operation, type ErrorStatus } from '../operation.ts';

export const CMP_MEDIA_TYPE = 'application/pkixcmp';

const errors: readonly ErrorStatus[] = [400, 401, 403, 404, 500];

const operationsOf = <const Base extends string>(family: {
  /** Distinguishes the operation identifiers from those of the other family. */
  readonly suffix: string;
  readonly tag: string;
  readonly base: Base;
  readonly params: z.ZodObject;
}) => {
  const { suffix, tag, base, params } = family;
  const common = { path: base, params, errors, access: 'public', tag } as const;
  const success = { status: 200, media: CMP_MEDIA_TYPE } as const;
  return {
    /** CMP messages must be sent with POST (RFC 9811 §3.2). */
    refuseGet: operation({
      ...common,
      method: 'GET',
      id: `doGet_${suffix}`,
      summary: 'CMP Get Operations',
      query: z.object({ message: z.string().optional() }),
      success,
    }),
    exchange: operation({
      ...common,
      method: 'POST',
      id: `doPost_${suffix}`,
      summary: 'CMP Post Operation',
      octets: CMP_MEDIA_TYPE,
      success,
    }),
  };
};

/** Operations under the name of a CMP profile. */
export const cmpProfileFamily = operationsOf({
  suffix: 'Cmp',
  tag: 'CMP operations',
  base: '/v1/protocols/cmp/{cmpProfileName}',
  params: z.object({ cmpProfileName: z.string() }),
});

/** Operations under the name of an RA profile for which a CMP profile is activated. */
export const cmpRaProfileFamily = operationsOf({
  suffix: 'CmpRaProfile',
  tag: 'CMP RA Profile',
  base: '/v1/protocols/cmp/raProfile/{raProfileName}',
  params: z.object({ raProfileName: z.string() }),
});

export const cmpOperations = [...Object.values(cmpProfileFamily), ...Object.values(cmpRaProfileFamily)];
