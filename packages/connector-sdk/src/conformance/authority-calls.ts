// The calls that the cases of an authority provider are made of, with the values of the subject under test.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import {
  authorityProviderOperations as authority,
  type AuthorityProviderInstanceDto,
  type RequestAttributeDto,
} from '@signetry/contract';
import { isConnectorError, type ConnectorErrorStatus } from '../connector-error.ts';
import type { CallConnector } from '../http/http-transport.ts';

export interface AuthoritySubject {
  readonly kind: string;
  call: CallConnector;
  /** Values for a new authority, and values that must be refused. */
  readonly authorityAttributes: readonly RequestAttributeDto[];
  readonly badAuthorityAttributes: readonly RequestAttributeDto[];
  readonly raProfileAttributes: readonly RequestAttributeDto[];
  readonly issueAttributes: readonly RequestAttributeDto[];
  readonly revokeAttributes: readonly RequestAttributeDto[];
  /** A fresh certification request, Base64 of DER, that the authority may grant. */
  makeRequest(): Promise<string>;
  /** A certificate from another CA, Base64 of DER. */
  readonly foreignCertificate: string;
  /** Optional features to be checked as well. */
  readonly offers: { readonly idempotency?: boolean; readonly crl?: boolean; readonly chain?: boolean };
}

export type AuthorityCalls = ReturnType<typeof authorityCalls>;

/** All cases share one authority, which is created by the first that needs it. */
export function authorityCalls(subject: AuthoritySubject) {
  const { call } = subject;
  let authorityUuid: Promise<string> | undefined;

  const theAuthority = (): Promise<string> => (authorityUuid ??= createAuthority().then((created) => created.uuid));

  const createAuthority = (): Promise<AuthorityProviderInstanceDto> =>
    call(authority.createAuthorityInstance, {
      body: { name: `conformance-${randomUUID()}`, kind: subject.kind, attributes: [...subject.authorityAttributes] },
    }) as Promise<AuthorityProviderInstanceDto>; // the answer is of the operation's own type after defaults

  async function issue(idempotencyKey?: string, request?: string): Promise<string> {
    const answer = await call(authority.issueCertificate, {
      params: { uuid: await theAuthority() },
      body: {
        request: request ?? (await subject.makeRequest()),
        format: 'pkcs10',
        raProfileAttributes: [...subject.raProfileAttributes],
        attributes: [...subject.issueAttributes],
      },
      idempotencyKey,
    });
    assert.ok(answer.certificateData.length > 0, 'the answer to issue has no certificate');
    assert.equal(Buffer.from(answer.certificateData, 'base64')[0], 0x30, 'certificateData is not Base64 of DER');
    return answer.certificateData;
  }

  const revoke = async (certificate: string, idempotencyKey?: string): Promise<void> => {
    await call(authority.revokeCertificate, {
      params: { uuid: await theAuthority() },
      body: {
        reason: 'superseded',
        raProfileAttributes: [...subject.raProfileAttributes],
        attributes: [...subject.revokeAttributes],
        certificate,
      },
      idempotencyKey,
    });
  };

  const identify = async (certificate: string) =>
    call(authority.identifyCertificate, {
      params: { uuid: await theAuthority() },
      body: { certificate, raProfileAttributes: [...subject.raProfileAttributes] },
    });

  return { subject, call, theAuthority, createAuthority, issue, revoke, identify };
}

/** The attempt must be refused with this status and say why. */
export async function refusedWith(status: ConnectorErrorStatus, attempt: () => Promise<unknown>): Promise<void> {
  try {
    await attempt();
  } catch (error) {
    if (!isConnectorError(error)) throw error;
    assert.equal(error.status, status, `refused with ${error.status} instead of ${status}: ${error.message}`);
    assert.ok(
      error.problems.every((problem) => problem.length > 0),
      'a problem without words',
    );
    return;
  }
  assert.fail(`not refused with ${status}`);
}
