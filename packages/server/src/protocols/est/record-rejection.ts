// Records rejected EST requests for administrators, including those that could not be read.
import { formatName, parseCertificate, parseCertificationRequest, unlessMalformed } from '@signetry/pki';
import type { FastifyRequest } from 'fastify';
import type { Enrollments } from '../../areas/enrollments/index.ts';
import type { ServedEstProfiles } from '../../areas/est-profiles/index.ts';
import type { ServedEndpoint } from '../../areas/protocol-profiles/index.ts';
import { requestOctets } from './bodies.ts';
import { RecordedRejection, EstRejection } from './rejection.ts';

export interface RejectedRequest {
  readonly request: FastifyRequest;
  readonly operation: string;
  readonly place: (request: FastifyRequest) => Promise<ServedEndpoint>;
  /** Client certificate in DER, if there is one; throws if the header that contains it is malformed. */
  readonly certificate: () => Uint8Array | undefined;
}

/**
 * Records nothing for the expected request without credentials, nor beyond rate limits, nor for internal errors. The
 * requester is as claimed: some requests are rejected before their credentials are checked.
 */
export async function recordRejection(
  {
    profiles,
    enrollments,
  }: { readonly profiles: Pick<ServedEstProfiles, 'find'>; readonly enrollments: Pick<Enrollments, 'recordRejection'> },
  refused: EstRejection,
  { request, operation, place, certificate }: RejectedRequest,
): Promise<void> {
  const { status, message } = refused;
  if (refused instanceof RecordedRejection || status >= 500 || status === 429) return;
  const { authorization } = request.headers;
  const client = clientOf(certificate);
  if (status === 401 && authorization === undefined && client === undefined) return;
  const { family, name } = await place(request);
  const profile = await profiles.find(family, name);
  if (!profile) return;
  await enrollments.recordRejection({
    protocol: 'est',
    profile,
    transactionId: '',
    kind: operation,
    requester: status === 401 ? 'not authenticated' : (usernameOf(authorization) ?? client ?? 'not authenticated'),
    subject: subjectOf(request.body),
    problem: message,
    address: request.ip,
  });
}

function clientOf(certificate: () => Uint8Array | undefined): string | undefined {
  try {
    const der = certificate();
    return der && unlessMalformed(() => formatName(parseCertificate(der).subject));
  } catch (error) {
    if (error instanceof EstRejection) return undefined;
    throw error;
  }
}

function usernameOf(authorization: string | undefined): string | undefined {
  const [, value = ''] = authorization?.split(' ') ?? [];
  return Buffer.from(value, 'base64').toString('utf8').split(':')[0] || undefined;
}

function subjectOf(body: unknown): string {
  if (!(body instanceof Uint8Array)) return '';
  try {
    return unlessMalformed(() => formatName(parseCertificationRequest(requestOctets(body)).subject)) ?? '';
  } catch (error) {
    if (error instanceof EstRejection) return '';
    throw error;
  }
}
