// Authority providers: certificates are really issued, and judged as platforms judge them.
import { randomUUID } from 'node:crypto';
import {
  authorityProviderOperations as authority,
  CertificateDataResponseDto,
  type MetadataAttribute,
  type RequestAttributeDto,
} from '@signetry/contract';
import { equalBytes, findRevoked, toBase64, type Certificate } from '@signetry/pki';
import { setTimeout as delay } from 'node:timers/promises';
import { foreignAuthority } from '../certificates/foreign-authority.ts';
import { certificateIn, crlIn, isIssuedBy, issuedFor } from '../certificates/judge.ts';
import { makeRequest, type MadeRequest } from '../certificates/requests.ts';
import { checkForm, checkUseRefuses, type FilledForm } from '../forms.ts';
import type { Scope } from '../scope.ts';
import { expect, from, isSuccess, parsed, type Call } from '../session.ts';
import { checkInstances, checkRemoval, type InstanceKind } from './instances.ts';

export const authorities: InstanceKind = {
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
  await scope.check('tells whether an authority can be reached', async () => {
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
      of: 'an RA profile',
      list: authority.listRAProfileAttributes,
      validate: authority.validateRAProfileAttributes,
      params,
    }),
    issue: await checkForm(scope, {
      of: 'a request',
      list: authority.listIssueCertificateAttributes,
      validate: authority.validateIssueCertificateAttributes,
      params,
    }),
    revoke: await checkForm(scope, {
      of: 'a revocation',
      list: authority.listRevokeCertificateAttributes,
      validate: authority.validateRevokeCertificateAttributes,
      params,
    }),
  };
}

/** Calls on one authority, with the values of its forms. */
function callsOn(scope: Scope, params: Call['params'] & object, forms: Forms) {
  const { session } = scope;
  const valuesOf = (form: FilledForm | undefined, what: string): RequestAttributeDto[] => from(form, what).values;
  const profile = () => valuesOf(forms.raProfile, 'the values of an RA profile');
  const issueBody = (request: MadeRequest) => ({
    request: request.text,
    format: 'pkcs10',
    raProfileAttributes: profile(),
    attributes: valuesOf(forms.issue, 'the values of a request'),
  });
  const revokeBody = (certificate: string) => ({
    reason: 'superseded',
    raProfileAttributes: profile(),
    attributes: valuesOf(forms.revoke, 'the values of a revocation'),
    certificate,
  });
  return {
    params,
    profile,
    issueBody,
    revokeBody,
    async issue(request: MadeRequest, idempotencyKey?: string) {
      const call = { params, body: issueBody(request), ...(idempotencyKey ? { idempotencyKey } : {}) };
      const answer = await session.ask(authority.issueCertificate, call);
      return {
        ...answer,
        certificate: issuedFor(answer.certificateData, request, [...profile(), ...call.body.attributes]),
      };
    },
    revoke: (certificate: string) =>
      session.ask(authority.revokeCertificate, { params, body: revokeBody(certificate) }),
  };
}

type Calls = ReturnType<typeof callsOn>;

interface Issued {
  readonly text: string;
  readonly certificate: Certificate;
  readonly meta: readonly MetadataAttribute[];
}

async function checkCertificates(scope: Scope, params: Call['params'] & object, forms: Forms): Promise<void> {
  const calls = callsOn(scope, params, forms);
  const chain = await checkChain(scope, calls);
  const issued = await scope.check('issues the certificate that is requested', async (): Promise<Issued> => {
    const { certificateData, certificate, meta = [] } = await calls.issue(await makeRequest());
    return { text: certificateData, certificate, meta };
  });
  await scope.check('signs certificates with the key of the authority', async () => {
    scope.need(authority.getCaCertificates);
    const [issuer] = from(chain, 'the certificates of the authority');
    const { certificate } = from(issued, 'issues a certificate');
    expect(
      issuer !== undefined && isIssuedBy(certificate, issuer),
      'The signature is of another key.',
      'a signature of the authority',
    );
    expect(
      equalBytes(certificate.issuerDer, issuer.subjectDer),
      'The issuer has another name.',
      'the name of the authority',
    );
  });
  await scope.check('issues a certificate of its own for each call', async () => {
    const request = await makeRequest();
    const [first, second] = [await calls.issue(request), await calls.issue(request)];
    const serials = [first.certificate.serialNumber, second.certificate.serialNumber];
    expect(serials[0] !== serials[1], 'Two certificates have the same serial number.', 'distinct serial numbers');
  });
  await checkRefusals(scope, calls, forms);
  await checkRepetition(scope, calls);
  await checkRenewal(scope, calls, issued);
  await checkIdentification(scope, calls, issued);
  await checkRevocation(scope, calls, { issued, chain });
}

async function checkChain(scope: Scope, { params, profile }: Calls): Promise<readonly Certificate[] | undefined> {
  return scope.check('hands out the certificates of the authority, its own first', async () => {
    scope.need(authority.getCaCertificates);
    const body = { raProfileAttributes: profile() };
    const { certificates } = await scope.session.ask(authority.getCaCertificates, { params, body });
    const chain = certificates.map(({ certificateData }) => certificateIn(certificateData));
    expect(chain.length > 0, 'There are none.', 'at least the certificate of the authority');
    chain.slice(1).forEach((issuer, place) => {
      const subject = chain[place];
      expect(
        subject !== undefined && isIssuedBy(subject, issuer),
        'They are no chain: one did not sign the one before.',
        'a chain',
      );
    });
    return chain;
  });
}

async function checkRefusals(scope: Scope, { params, issueBody }: Calls, forms: Forms): Promise<void> {
  const refuse = (body: object) => scope.session.refused(authority.issueCertificate, { params, body }, [422, 400]);
  await scope.check('refuses what is no certification request', async () =>
    refuse({ ...issueBody(await makeRequest()), request: toBase64(Buffer.from('no request')) }),
  );
  await scope.check('answers 404 for a request to an authority that does not exist', async () =>
    scope.session.refused(
      authority.issueCertificate,
      { params: { uuid: randomUUID() }, body: issueBody(await makeRequest()) },
      [404],
    ),
  );
  await scope.check('issues on a request without alternative names, or refuses it in words', async () => {
    const request = await makeRequest({ altNames: false });
    const reply = await scope.session.exchange(
      scope.requestOf(authority.issueCertificate, { params, body: issueBody(request) }),
    );
    if (isSuccess(reply))
      issuedFor(parsed(reply, CertificateDataResponseDto, 'a certificate').certificateData, request);
    else scope.session.requireRefusal(authority.issueCertificate, reply, [422, 400]);
  });
  await checkUseRefuses(scope, 'issuing under an RA profile', {
    form: forms.raProfile,
    refused: async (raProfileAttributes) => refuse({ ...issueBody(await makeRequest()), raProfileAttributes }),
  });
  await checkUseRefuses(scope, 'issuing', {
    form: forms.issue,
    refused: async (attributes) => refuse({ ...issueBody(await makeRequest()), attributes }),
  });
}

/** Calls at once under one key. */
const AT_ONCE = 4;

async function checkRepetition(scope: Scope, { params, issue, issueBody }: Calls): Promise<void> {
  await scope.check('answers the same certificate under the same Idempotency-Key', async () => {
    scope.requireIdempotency();
    const [key, request] = [randomUUID(), await makeRequest()];
    const [first, second] = [await issue(request, key), await issue(request, key)];
    expect(
      first.certificateData === second.certificateData,
      'The second certificate is another.',
      'the certificate again',
    );
  });
  await scope.check('signs once when calls with the same Idempotency-Key arrive together', async () => {
    scope.requireIdempotency();
    const [key, request] = [randomUUID(), await makeRequest()];
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => issue(request, key)));
    const distinct = new Set(answers.map(({ certificateData }) => certificateData));
    expect(distinct.size === 1, `There are ${distinct.size} certificates.`, 'one certificate');
  });
  await scope.check('refuses another request under a used Idempotency-Key', async () => {
    scope.requireIdempotency();
    const idempotencyKey = randomUUID();
    await issue(await makeRequest(), idempotencyKey);
    const call = { params, body: issueBody(await makeRequest()), idempotencyKey };
    await scope.session.refused(authority.issueCertificate, call, [422, 400]);
  });
}

async function checkRenewal(scope: Scope, { params, profile }: Calls, issued: Issued | undefined): Promise<void> {
  await scope.check('renews a certificate, with a new key', async () => {
    const { text, certificate, meta } = from(issued, 'issues a certificate');
    const request = await makeRequest();
    const body = { request: request.text, format: 'pkcs10', raProfileAttributes: profile(), certificate: text, meta };
    const { certificateData } = await scope.session.ask(authority.renewCertificate, { params, body });
    const renewed = issuedFor(certificateData, request, profile());
    expect(
      renewed.serialNumber !== certificate.serialNumber,
      'It has the serial number of the old one.',
      'a new certificate',
    );
  });
}

/** A certificate that the authority has not issued, though its name may be the same. */
async function foreignCertificate(): Promise<string> {
  const { issue } = await foreignAuthority('CN=Somebody else');
  return toBase64(issue({ subject: 'CN=foreign.example.com', spki: (await makeRequest()).spki }));
}

async function checkIdentification(
  scope: Scope,
  { params, profile }: Calls,
  issued: Issued | undefined,
): Promise<void> {
  await scope.check('recognizes a certificate that it issued, and no other', async () => {
    scope.need(authority.identifyCertificate);
    const body = { certificate: from(issued, 'issues a certificate').text, raProfileAttributes: profile() };
    await scope.session.ask(authority.identifyCertificate, { params, body });
    const foreign = { ...body, certificate: await foreignCertificate() };
    await scope.session.refused(authority.identifyCertificate, { params, body: foreign }, [404]);
  });
}

/** A CRL is made at once or soon after. */
const CRL_MS = 10_000;
const CRL_PAUSE_MS = 200;

async function checkRevocation(
  scope: Scope,
  { params, profile, revoke, revokeBody }: Calls,
  { issued, chain }: { issued: Issued | undefined; chain: readonly Certificate[] | undefined },
): Promise<void> {
  await scope.check('refuses to revoke a certificate of somebody else', async () =>
    scope.session.refused(
      authority.revokeCertificate,
      { params, body: revokeBody(await foreignCertificate()) },
      [404, 422],
    ),
  );
  const revoked = await scope.check('revokes a certificate', async () => {
    const { text, certificate } = from(issued, 'issues a certificate');
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
    expect(!issuer || isIssuedBy(crl, issuer), 'The CRL is signed by another key.', 'a CRL of the authority');
    return crl;
  };
  await scope.check('lists a revoked certificate in its CRL', async () => {
    scope.need(authority.getCrl);
    const { serialBytes } = from(revoked, 'revokes a certificate');
    const end = Date.now() + CRL_MS;
    let found = false;
    while (!found && Date.now() < end) {
      found = findRevoked(await listOf(false), serialBytes) !== undefined;
      if (!found) await delay(CRL_PAUSE_MS);
    }
    expect(found, 'The CRL lacks it.', 'a CRL with the serial number of the certificate');
  });
  await scope.check('hands out a delta CRL', async () => {
    scope.need(authority.getCrl);
    const body = { delta: true, raProfileAttributes: profile() };
    const reply = await scope.session.exchange(scope.requestOf(authority.getCrl, { params, body }));
    if (!isSuccess(reply) && reply.status < 500) throw scope.lacking('Delta CRLs are refused.');
    expect(
      (await listOf(true)).baseCrlNumber !== undefined,
      'It is not a delta CRL.',
      'a CRL with a delta CRL indicator',
    );
  });
}
