// What every authority provider must do, whatever it signs with: the same cases for each transport. Cases use the
// authority that the subject describes and leave nothing behind except what they issued.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import {
  authorityProviderOperations as authority,
  connectorBaseOperations as base,
  functionGroupSpecifications,
  type HealthDto,
} from '@signetry/contract';
import { octetsOf } from '../octets.ts';
import { authorityCalls, refusedWith, type AuthorityCalls, type AuthoritySubject } from './authority-calls.ts';
import type { ConformanceCase } from './conformance-case.ts';

export type { AuthoritySubject } from './authority-calls.ts';

const group = 'authorityProvider';

/** The cases for this subject, in the order in which they must run. */
export function authorityConformance(subject: AuthoritySubject): readonly ConformanceCase[] {
  const calls = authorityCalls(subject);
  return [
    ...declarationCases(calls),
    ...refusalCases(calls),
    ...instanceCases(calls),
    ...certificateCases(calls),
    ...(subject.offers.idempotency ? idempotencyCases(calls) : []),
    ...(subject.offers.chain ? chainCases(calls) : []),
    ...(subject.offers.crl ? crlCases(calls) : []),
    ...removalCases(calls),
  ];
}

const declarationCases = ({ subject, call, theAuthority }: AuthorityCalls): readonly ConformanceCase[] => [
  {
    name: 'declares every endpoint that the function group demands',
    run: async () => {
      const info = await call(base.listSupportedFunctions, {});
      const declared = info.find((entry) => entry.functionGroupCode === group);
      assert.ok(declared, `the function group ${group} is not declared`);
      assert.ok(declared.kinds.includes(subject.kind), `the kind ${subject.kind} is not declared`);
      for (const demanded of functionGroupSpecifications[group].endpoints.filter((endpoint) => endpoint.required)) {
        const found = declared.endPoints.some(
          ({ name, context, method }) =>
            name === demanded.name && context === demanded.context && method === demanded.method,
        );
        assert.ok(found, `${demanded.method} ${demanded.context} is not declared`);
      }
    },
  },
  {
    name: 'reports its health',
    run: async () => {
      const health = (await call(base.checkHealth, {})) as HealthDto; // its schema is recursive and hides the type
      assert.equal(health.status, 'ok');
    },
  },
  {
    name: 'lists well-formed attribute definitions with unique names and identifiers',
    run: async () => {
      const params = { uuid: await theAuthority() };
      const lists = [
        await call(base.listAttributeDefinitions, { params: { functionalGroup: group, kind: subject.kind } }),
        await call(authority.listRAProfileAttributes, { params }),
        await call(authority.listIssueCertificateAttributes, { params }),
        await call(authority.listRevokeCertificateAttributes, { params }),
      ];
      for (const definitions of lists) {
        assert.equal(new Set(definitions.map(({ name }) => name)).size, definitions.length, 'a name is used twice');
        assert.equal(new Set(definitions.map(({ uuid }) => uuid)).size, definitions.length, 'a uuid is used twice');
      }
    },
  },
  {
    name: 'accepts good attributes',
    run: async () => {
      const params = { uuid: await theAuthority() };
      await call(base.validateAttributes, {
        params: { functionalGroup: group, kind: subject.kind },
        body: [...subject.authorityAttributes],
      });
      await call(authority.validateRAProfileAttributes, { params, body: [...subject.raProfileAttributes] });
      await call(authority.validateIssueCertificateAttributes, { params, body: [...subject.issueAttributes] });
      await call(authority.validateRevokeCertificateAttributes, { params, body: [...subject.revokeAttributes] });
    },
  },
];

const refusalCases = ({ subject, call }: AuthorityCalls): readonly ConformanceCase[] => [
  {
    name: 'refuses bad attributes of an authority with a list of problems',
    run: () =>
      refusedWith(422, () =>
        call(base.validateAttributes, {
          params: { functionalGroup: group, kind: subject.kind },
          body: [...subject.badAuthorityAttributes],
        }),
      ),
  },
  {
    name: 'answers 404 for a kind that it does not offer',
    run: () =>
      refusedWith(404, () =>
        call(base.listAttributeDefinitions, { params: { functionalGroup: group, kind: 'NoSuchKind' } }),
      ),
  },
  {
    name: 'answers 404 for an authority that does not exist',
    run: () => refusedWith(404, () => call(authority.getAuthorityInstance, { params: { uuid: randomUUID() } })),
  },
  {
    name: 'answers 400 for a body of another shape',
    run: () => refusedWith(400, () => call(authority.createAuthorityInstance, { body: { name: 1 } as never })),
  },
];

const instanceCases = ({ call, createAuthority }: AuthorityCalls): readonly ConformanceCase[] => [
  {
    name: 'shows an authority under the identifier and name it was created with',
    run: async () => {
      const created = await createAuthority();
      const found = await call(authority.getAuthorityInstance, { params: { uuid: created.uuid } });
      assert.equal(found.uuid, created.uuid);
      assert.equal(found.name, created.name);
      const all = await call(authority.listAuthorityInstances, {});
      assert.ok(all.some(({ uuid }) => uuid === created.uuid));
    },
  },
];

const certificateCases = ({
  subject,
  call,
  theAuthority,
  issue,
  revoke,
  identify,
}: AuthorityCalls): readonly ConformanceCase[] => [
  { name: 'issues a certificate', run: () => issue().then(() => undefined) },
  {
    name: 'gives each certificate of the same request a serial number of its own',
    run: async () => {
      const request = await subject.makeRequest();
      assert.notEqual(await issue(undefined, request), await issue(undefined, request));
    },
  },
  {
    name: 'refuses something that is no certification request',
    run: () => refusedWith(422, () => issue(undefined, Buffer.from('no request').toString('base64'))),
  },
  {
    name: 'renews a certificate',
    run: async () => {
      const old = await issue();
      const answer = await call(authority.renewCertificate, {
        params: { uuid: await theAuthority() },
        body: {
          request: await subject.makeRequest(),
          format: 'pkcs10',
          raProfileAttributes: [...subject.raProfileAttributes],
          certificate: old,
          meta: [],
        },
      });
      assert.notEqual(answer.certificateData, old);
    },
  },
  { name: 'recognizes a certificate that it issued', run: async () => void (await identify(await issue())) },
  {
    name: 'answers 404 when asked about a certificate of somebody else',
    run: () => refusedWith(404, () => identify(subject.foreignCertificate)),
  },
  { name: 'revokes a certificate', run: async () => revoke(await issue()) },
  {
    name: 'refuses to revoke a certificate of somebody else',
    run: () => refusedWith(404, () => revoke(subject.foreignCertificate)),
  },
];

const idempotencyCases = ({ subject, issue, revoke }: AuthorityCalls): readonly ConformanceCase[] => [
  {
    name: 'replays the identical certificate under the same idempotency key',
    run: async () => {
      const [key, request] = [randomUUID(), await subject.makeRequest()];
      const first = await issue(key, request);
      assert.equal(await issue(key, request), first);
    },
  },
  {
    name: 'signs once when the same call arrives several times at once',
    run: async () => {
      const [key, request] = [randomUUID(), await subject.makeRequest()];
      const answers = await Promise.all(Array.from({ length: 8 }, () => issue(key, request)));
      assert.equal(new Set(answers).size, 1);
    },
  },
  {
    name: 'refuses another request under a used idempotency key',
    run: async () => {
      const key = randomUUID();
      await issue(key);
      await refusedWith(422, () => issue(key));
    },
  },
  {
    name: 'accepts the same revocation again under its idempotency key',
    run: async () => {
      const [key, certificate] = [randomUUID(), await issue()];
      await revoke(certificate, key);
      await revoke(certificate, key);
    },
  },
];

const chainCases = ({ subject, call, theAuthority }: AuthorityCalls): readonly ConformanceCase[] => [
  {
    name: 'hands out its certificate chain',
    run: async () => {
      const { certificates } = await call(authority.getCaCertificates, {
        params: { uuid: await theAuthority() },
        body: { raProfileAttributes: [...subject.raProfileAttributes] },
      });
      assert.ok(certificates.length > 0);
    },
  },
];

const crlCases = ({ subject, call, theAuthority }: AuthorityCalls): readonly ConformanceCase[] => [
  {
    name: 'hands out a CRL, whole and as a delta',
    run: async () => {
      for (const delta of [false, true]) {
        const { crlData } = await call(authority.getCrl, {
          params: { uuid: await theAuthority() },
          body: { delta, raProfileAttributes: [...subject.raProfileAttributes] },
        });
        assert.equal(octetsOf(crlData)[0], 0x30);
      }
    },
  },
];

const removalCases = ({ call, createAuthority }: AuthorityCalls): readonly ConformanceCase[] => [
  {
    name: 'forgets an authority that is removed',
    run: async () => {
      const { uuid } = await createAuthority();
      await call(authority.removeAuthorityInstance, { params: { uuid } });
      await refusedWith(404, () => call(authority.getAuthorityInstance, { params: { uuid } }));
    },
  },
];
