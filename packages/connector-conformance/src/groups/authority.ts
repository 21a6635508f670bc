// Authority providers: certificates are actually issued, and checked as platforms check them.
import { randomUUID } from 'node:crypto';
import {
  authorityProviderOperations as authority,
  CertificateDataResponseDto,
  type MetadataAttribute,
  type RequestAttributeDto,
} from '@signetry/contract';
import { equalBytes, findRevoked, toBase64, type Certificate } from '@signetry/pki';
import { setTimeout as delay } from 'node:timers/promises';
import { createExternalAuthority } from '../certificates/external-authority.ts';
import { certificateIn, crlIn, isIssuedBy, requireIssuedFor } from '../certificates/checks.ts';
import { makeRequest, type TestRequest } from '../certificates/requests.ts';
import { checkForm, checkUseRejects, type FilledForm } from '../forms.ts';
import type { Scope } from '../scope.ts';
import { expect, requireResult, isSuccess, parseReply, type Call } from '../session.ts';
import { checkInstances, checkRemoval, type InstanceKind } from './instances.ts';

export const authorities: InstanceKind = {
  noun: 'authority',
  one: 'an authority',
  list: authority.listAuthorityInstances,
  create: authority.createAuthorityInstance,
  get: authority.getAuthorityInstance,
  update: authority.updateAuthorityInstance,
  remove: authority.removeAuthorityInstance,
  params: (uuid) => ({ uuid }),
};

export async function checkAuthorityProvider(scope: Scope): Promise<void> {
  const instance = await checkInstances(scope, authorities);
  if (instance) {
    const { params } = instance;
    await checkConnection(scope, params);
    const forms = await checkForms(scope, params);
    await checkCertificates(scope, params, forms);
  }
  await checkRemoval(scope, authorities, instance);
}

export async function checkConnection(scope: Scope, params: Call['params'] & object): Promise<void> {
  await scope.check('checks the connection to an authority', async () => {
    scope.need(authority.getConnection);
    await scope.session.ask(authority.getConnection, { params });
    await scope.session.refused(authority.getConnection, { params: { uuid: randomUUID() } }, [404]);
  });
}

interface Forms {
  readonly raProfile: FilledForm | undefined;
  readonly issue: FilledForm | undefined;
  readonly revoke: FilledForm | undefined;
}

async function checkForms(scope: Scope, params: Call['params']): Promise<Forms> {
  return {
    raProfile: await checkForm(scope, {
      of: 'RA profile',
      list: authority.listRAProfileAttributes,
      validate: authority.validateRAProfileAttributes,
      params,
    }),
    issue: await checkForm(scope, {
      of: 'issuance',
      list: authority.listIssueCertificateAttributes,
      validate: authority.validateIssueCertificateAttributes,
      params,
    }),
    revoke: await checkForm(scope, {
      of: 'revocation',
      list: authority.listRevokeCertificateAttributes,
      validate: authority.validateRevokeCertificateAttributes,
      params,
    }),
  };
}

/** Calls to one authority, with the values of its forms. */
function callsOn(scope: Scope, params: Call['params'] & object, forms: Forms) {
  const { session } = scope;
  const valuesOf = (form: FilledForm | undefined, what: string): RequestAttributeDto[] =>
    requireResult(form, what).values;
  const profile = () => valuesOf(forms.raProfile, 'RA profile attributes');
  const issueBody = (request: TestRequest) => ({
    request: request.text,
    format: 'pkcs10',
    raProfileAttributes: profile(),
    attributes: valuesOf(forms.issue, 'issuance attributes'),
  });
  const revokeBody = (certificate: string) => ({
    reason: 'superseded',
    raProfileAttributes: profile(),
    attributes: valuesOf(forms.revoke, 'revocation attributes'),
    certificate,
  });
  return {
    params,
    profile,
    issueBody,
    revokeBody,
    async issue(request: TestRequest, idempotencyKey?: string) {
      const call = { params, body: issueBody(request), ...(idempotencyKey ? { idempotencyKey } : {}) };
      const answer = await session.ask(authority.issueCertificate, call);
      return {
        ...answer,
        certificate: requireIssuedFor(answer.certificateData, request, [...profile(), ...call.body.attributes]),
      };
    },
    revoke: (certificate: string) =>
      session.ask(authority.revokeCertificate, { params, body: revokeBody(certificate) }),
  };
}

type Calls = ReturnType<typeof callsOn>;

interface IssuedCertificate {
  readonly text: string;
  readonly certificate: Certificate;
  readonly meta: readonly MetadataAttribute[];
}

async function checkCertificates(scope: Scope, params: Call['params'] & object, forms: Forms): Promise<void> {
  const calls = callsOn(scope, params, forms);
  const chain = await checkChain(scope, calls);
  const issued = await scope.check('issues the requested certificate', async (): Promise<IssuedCertificate> => {
    const { certificateData, certificate, meta = [] } = await calls.issue(await makeRequest());
    return { text: certificateData, certificate, meta };
  });
  await scope.check('signs certificates with the CA key', async () => {
    scope.need(authority.getCaCertificates);
    const [issuer] = requireResult(chain, 'returns the CA chain');
    const { certificate } = requireResult(issued, 'issues the requested certificate');
    expect(
      issuer !== undefined && isIssuedBy(certificate, issuer),
      'The certificate is not signed with the CA key.',
      'a signature by the CA key',
    );
    expect(
      equalBytes(certificate.issuerDer, issuer.subjectDer),
      'The issuer is not the subject of the CA certificate.',
      'the subject of the CA certificate as issuer',
    );
  });
  await scope.check('issues a new certificate for each call', async () => {
    const request = await makeRequest();
    const [first, second] = [await calls.issue(request), await calls.issue(request)];
    const serials = [first.certificate.serialNumber, second.certificate.serialNumber];
    expect(serials[0] !== serials[1], 'Two certificates have the same serial number.', 'distinct serial numbers');
  });
  await checkRejections(scope, calls, forms);
  await checkRepetition(scope, calls);
  await checkRenewal(scope, calls, issued);
  await checkIdentification(scope, calls, issued);
  await checkRevocation(scope, calls, { issued, chain });
}

async function checkChain(scope: Scope, { params, profile }: Calls): Promise<readonly Certificate[] | undefined> {
  return scope.check('returns the CA chain, starting with the CA certificate', async () => {
    scope.need(authority.getCaCertificates);
    const body = { raProfileAttributes: profile() };
    const { certificates } = await scope.session.ask(authority.getCaCertificates, { params, body });
    const chain = certificates.map(({ certificateData }) => certificateIn(certificateData));
    expect(chain.length > 0, 'The response contains no certificates.', 'at least the CA certificate');
    chain.slice(1).forEach((issuer, place) => {
      const subject = chain[place];
      expect(
        subject !== undefined && isIssuedBy(subject, issuer),
        'The certificates do not form a chain: each must be issued by the next one.',
        'a certificate chain',
      );
    });
    return chain;
  });
}

async function checkRejections(scope: Scope, { params, issueBody }: Calls, forms: Forms): Promise<void> {
  const expectRejection = (body: object) =>
    scope.session.refused(authority.issueCertificate, { params, body }, [422, 400]);
  await scope.check('rejects a request that is not a CSR', async () =>
    expectRejection({ ...issueBody(await makeRequest()), request: toBase64(Buffer.from('no request')) }),
  );
  await scope.check('returns 404 when issuing from an authority that does not exist', async () =>
    scope.session.refused(
      authority.issueCertificate,
      { params: { uuid: randomUUID() }, body: issueBody(await makeRequest()) },
      [404],
    ),
  );
  await scope.check('issues a certificate for a CSR without SANs, or rejects it with an error message', async () => {
    const request = await makeRequest({ altNames: false });
    const reply = await scope.session.exchange(
      scope.requestOf(authority.issueCertificate, { params, body: issueBody(request) }),
    );
    if (isSuccess(reply))
      requireIssuedFor(parseReply(reply, CertificateDataResponseDto, 'a certificate').certificateData, request);
    else scope.session.requireRefusal(authority.issueCertificate, reply, [422, 400]);
  });
  await checkUseRejects(scope, 'issuing a certificate (RA profile attributes)', {
    form: forms.raProfile,
    refused: async (raProfileAttributes) => expectRejection({ ...issueBody(await makeRequest()), raProfileAttributes }),
  });
  await checkUseRejects(scope, 'issuing a certificate (issuance attributes)', {
    form: forms.issue,
    refused: async (attributes) => expectRejection({ ...issueBody(await makeRequest()), attributes }),
  });
}

/** Number of concurrent calls under one key. */
const AT_ONCE = 4;

async function checkRepetition(scope: Scope, { params, issue, issueBody }: Calls): Promise<void> {
  await scope.check('returns the same certificate for the same Idempotency-Key', async () => {
    scope.requireIdempotency();
    const [key, request] = [randomUUID(), await makeRequest()];
    const [first, second] = [await issue(request, key), await issue(request, key)];
    expect(
      first.certificateData === second.certificateData,
      'The second response contains a different certificate.',
      'the same certificate',
    );
  });
  await scope.check('issues one certificate for concurrent calls with the same Idempotency-Key', async () => {
    scope.requireIdempotency();
    const [key, request] = [randomUUID(), await makeRequest()];
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => issue(request, key)));
    const distinct = new Set(answers.map(({ certificateData }) => certificateData));
    expect(distinct.size === 1, `The responses contain ${distinct.size} different certificates.`, 'one certificate');
  });
  await scope.check('rejects a different CSR with a used Idempotency-Key', async () => {
    scope.requireIdempotency();
    const idempotencyKey = randomUUID();
    await issue(await makeRequest(), idempotencyKey);
    const call = { params, body: issueBody(await makeRequest()), idempotencyKey };
    await scope.session.refused(authority.issueCertificate, call, [422, 400]);
  });
}

async function checkRenewal(
  scope: Scope,
  { params, profile }: Calls,
  issued: IssuedCertificate | undefined,
): Promise<void> {
  await scope.check('renews a certificate with a new key', async () => {
    const { text, certificate, meta } = requireResult(issued, 'issues the requested certificate');
    const request = await makeRequest();
    const body = { request: request.text, format: 'pkcs10', raProfileAttributes: profile(), certificate: text, meta };
    const { certificateData } = await scope.session.ask(authority.renewCertificate, { params, body });
    const renewed = requireIssuedFor(certificateData, request, profile());
    expect(
      renewed.serialNumber !== certificate.serialNumber,
      'The renewed certificate has the serial number of the old certificate.',
      'a new certificate',
    );
  });
}

/** Returns a certificate that the authority did not issue, even if its issuer has the same name. */
async function externalCertificate(): Promise<string> {
  const { issue } = await createExternalAuthority('CN=Somebody else');
  return toBase64(issue({ subject: 'CN=foreign.example.com', spki: (await makeRequest()).spki }));
}

async function checkIdentification(
  scope: Scope,
  { params, profile }: Calls,
  issued: IssuedCertificate | undefined,
): Promise<void> {
  await scope.check('identifies a certificate that it issued, and returns 404 for any other', async () => {
    scope.need(authority.identifyCertificate);
    const body = {
      certificate: requireResult(issued, 'issues the requested certificate').text,
      raProfileAttributes: profile(),
    };
    await scope.session.ask(authority.identifyCertificate, { params, body });
    const foreign = { ...body, certificate: await externalCertificate() };
    await scope.session.refused(authority.identifyCertificate, { params, body: foreign }, [404]);
  });
}

/** Longest wait for a CRL, which may be published shortly after a revocation. */
const CRL_MS = 10_000;
const CRL_PAUSE_MS = 200;

async function checkRevocation(
  scope: Scope,
  { params, profile, revoke, revokeBody }: Calls,
  { issued, chain }: { issued: IssuedCertificate | undefined; chain: readonly Certificate[] | undefined },
): Promise<void> {
  await scope.check('rejects the revocation of a certificate that it did not issue', async () =>
    scope.session.refused(
      authority.revokeCertificate,
      { params, body: revokeBody(await externalCertificate()) },
      [404, 422],
    ),
  );
  const revoked = await scope.check('revokes a certificate', async () => {
    const { text, certificate } = requireResult(issued, 'issues the requested certificate');
    await revoke(text);
    return certificate;
  });
  const listOf = async (delta: boolean) => {
    const { crlData } = await scope.session.ask(authority.getCrl, {
      params,
      body: { delta, raProfileAttributes: profile() },
    });
    const crl = crlIn(crlData);
    const [issuer] = chain ?? [];
    expect(
      !issuer || isIssuedBy(crl, issuer),
      'The CRL is not signed with the CA key.',
      'a CRL signed with the CA key',
    );
    return crl;
  };
  await scope.check('includes a revoked certificate in the CRL', async () => {
    scope.need(authority.getCrl);
    const { serialBytes } = requireResult(revoked, 'revokes a certificate');
    const end = Date.now() + CRL_MS;
    let found = false;
    while (!found && Date.now() < end) {
      found = findRevoked(await listOf(false), serialBytes) !== undefined;
      if (!found) await delay(CRL_PAUSE_MS);
    }
    expect(
      found,
      'The CRL does not contain the revoked certificate.',
      'a CRL with the serial number of the certificate',
    );
  });
  await scope.check('returns a delta CRL', async () => {
    scope.need(authority.getCrl);
    const body = { delta: true, raProfileAttributes: profile() };
    const reply = await scope.session.exchange(scope.requestOf(authority.getCrl, { params, body }));
    if (!isSuccess(reply) && reply.status < 500) throw scope.lacking('The connector does not issue delta CRLs.');
    expect(
      (await listOf(true)).baseCrlNumber !== undefined,
      'The CRL is not a delta CRL.',
      'a CRL with a delta CRL indicator',
    );
  });
}
