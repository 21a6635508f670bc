// What every authority provider of the first generation must do that serves end entities: the same cases for each
// transport. Cases use one authority and leave nothing behind except what they issued.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import {
  authorityProviderOperations as authority,
  connectorBaseOperations as base,
  functionGroupSpecifications,
  legacyAuthorityProviderOperations as legacy,
  type RaProfileDto,
  type RequestAttributeDto,
} from '@signetry/contract';
import type { CallConnector } from '../http/http-transport.ts';
import { refusedWith } from './authority-calls.ts';
import type { ConformanceCase } from './conformance-case.ts';

export interface LegacyAuthoritySubject {
  readonly kind: string;
  call: CallConnector;
  readonly authorityAttributes: readonly RequestAttributeDto[];
  /** The RA profile that end entities come with. */
  readonly raProfile: RaProfileDto;
  /** A fresh certification request, Base64 of DER. */
  makeRequest(): Promise<string>;
  /** The issuer of a certificate, as a distinguished name, and its serial number in hexadecimal digits. */
  nameOf(certificate: string): { readonly issuerDN: string; readonly certificateSN: string };
  readonly offers: { readonly idempotency?: boolean };
}

/** The cases for this subject, in the order in which they must run. */
export function legacyAuthorityConformance(subject: LegacyAuthoritySubject): readonly ConformanceCase[] {
  const calls = legacyCalls(subject);
  return [
    ...profileCases(calls),
    ...endEntityCases(calls),
    ...certificateCases(calls),
    ...(subject.offers.idempotency ? idempotencyCases(calls) : []),
  ];
}

type LegacyCalls = ReturnType<typeof legacyCalls>;

/** All cases share one authority and its first end entity profile. */
function legacyCalls(subject: LegacyAuthoritySubject) {
  const { call, kind, raProfile } = subject;
  let created: Promise<{ readonly uuid: string; readonly endEntityProfileName: string }> | undefined;
  const path = () => (created ??= create());

  async function create() {
    const { uuid } = await call(authority.createAuthorityInstance, {
      body: { name: `conformance-${randomUUID()}`, kind, attributes: [...subject.authorityAttributes] },
    });
    const [profile] = await call(legacy.listEntityProfiles, { params: { uuid } });
    assert.ok(profile, 'there is no end entity profile');
    return { uuid, endEntityProfileName: profile.name };
  }

  /** The name of a new end entity with this password. */
  async function register(password: string): Promise<string> {
    const username = `conformance-${randomUUID()}`;
    const body = { username, password, subjectDN: `CN=${username}`, raProfile };
    await call(legacy.createEndEntity, { params: await path(), body });
    return username;
  }

  const named = async (endEntityName: string) => ({ params: { ...(await path()), endEntityName } });
  const show = async (username: string) => call(legacy.getEndEntity, await named(username));

  async function issue(
    username: string,
    password: string,
    { request, idempotencyKey }: { readonly request?: string; readonly idempotencyKey?: string } = {},
  ): Promise<string> {
    const pkcs10 = request ?? (await subject.makeRequest());
    const body = { username, password, pkcs10 };
    const { certificateData } = await call(legacy.issueCertificate, { params: await path(), body, idempotencyKey });
    assert.equal(Buffer.from(certificateData, 'base64')[0], 0x30, 'certificateData is not Base64 of DER');
    return certificateData;
  }

  const revoke = async (certificate: ReturnType<LegacyAuthoritySubject['nameOf']>): Promise<void> => {
    await call(legacy.revokeCertificate, { params: await path(), body: { ...certificate, reason: 'superseded' } });
  };

  return { subject, call, path, named, register, show, issue, revoke };
}

const profileCases = ({ subject, call, path }: LegacyCalls): readonly ConformanceCase[] => [
  {
    name: 'declares every endpoint that the function group demands',
    run: async () => {
      const info = await call(base.listSupportedFunctions, {});
      const declared = info.find((entry) => entry.functionGroupCode === 'legacyAuthorityProvider');
      assert.ok(declared, 'the function group legacyAuthorityProvider is not declared');
      assert.ok(declared.kinds.includes(subject.kind), `the kind ${subject.kind} is not declared`);
      for (const demanded of functionGroupSpecifications.legacyAuthorityProvider.endpoints.filter(
        (each) => each.required,
      ))
        assert.ok(
          declared.endPoints.some(({ context, method }) => context === demanded.context && method === demanded.method),
          `${demanded.method} ${demanded.context} is not declared`,
        );
    },
  },
  {
    name: 'lists certificate profiles and CAs in each end entity profile',
    run: async () => {
      const { uuid } = await path();
      for (const { id } of await call(legacy.listEntityProfiles, { params: { uuid } })) {
        const params = { uuid, endEntityProfileId: id };
        assert.ok((await call(legacy.listCertificateProfiles, { params })).length > 0, 'no certificate profile');
        assert.ok((await call(legacy.listCAsInProfile, { params })).length > 0, 'no CA');
      }
    },
  },
  {
    name: 'answers 404 for an end entity profile that does not exist',
    run: async () => {
      const params = { uuid: (await path()).uuid, endEntityProfileName: `none-${randomUUID()}` };
      await refusedWith(404, () => call(legacy.listEndEntities, { params }));
    },
  },
];

const endEntityCases = ({ call, subject, path, named, register, show }: LegacyCalls): readonly ConformanceCase[] => [
  {
    name: 'shows an end entity that was registered, without its password',
    run: async () => {
      const password = randomUUID();
      const username = await register(password);
      const shown = await show(username);
      assert.equal(shown.username, username);
      assert.equal(shown.status, 'NEW');
      assert.ok(!JSON.stringify(shown).includes(password), 'the password is shown');
      const listed = await call(legacy.listEndEntities, { params: await path() });
      assert.ok(
        listed.some((each) => each.username === username),
        'it is not in the list',
      );
    },
  },
  {
    name: 'replaces what is edited',
    run: async () => {
      const username = await register('before');
      const body = { password: 'after', subjectDN: `CN=${username},O=Edited`, status: 'NEW', raProfile: subject.raProfile } as const; // prettier-ignore
      await call(legacy.updateEndEntity, { ...(await named(username)), body });
      assert.equal((await show(username)).subjectDN, body.subjectDN);
    },
  },
  {
    name: 'answers 404 for an end entity that does not exist, and after it was removed',
    run: async () => {
      await refusedWith(404, () => show(`none-${randomUUID()}`));
      const username = await register('short');
      await call(legacy.removeEndEntity, await named(username));
      await refusedWith(404, () => show(username));
    },
  },
];

const certificateCases = ({
  subject,
  register,
  show,
  issue,
  revoke,
  call,
  named,
}: LegacyCalls): readonly ConformanceCase[] => [
  {
    name: 'issues one certificate for a password',
    run: async () => {
      const username = await register('once');
      await issue(username, 'once');
      assert.equal((await show(username)).status, 'GENERATED');
      await refusedWith(422, () => issue(username, 'once'));
    },
  },
  {
    name: 'refuses a wrong password, and something that is no certification request',
    run: async () => {
      const username = await register('right');
      await refusedWith(422, () => issue(username, 'wrong'));
      await refusedWith(422, () => issue(username, 'right', { request: 'bm90aGluZw==' }));
      await issue(username, 'right');
    },
  },
  {
    name: 'takes no password that was reset',
    run: async () => {
      const username = await register('former');
      await call(legacy.resetPassword, await named(username));
      await refusedWith(422, () => issue(username, 'former'));
    },
  },
  {
    name: 'revokes a certificate by issuer and serial number, twice the same',
    run: async () => {
      const certificate = subject.nameOf(await issue(await register('once'), 'once'));
      await revoke(certificate);
      await revoke(certificate);
    },
  },
  {
    name: 'answers 404 for a certificate of somebody else',
    run: async () => {
      const { certificateSN } = subject.nameOf(await issue(await register('once'), 'once'));
      await refusedWith(404, () => revoke({ certificateSN, issuerDN: `CN=none-${randomUUID()}` }));
    },
  },
];

const idempotencyCases = ({ subject, register, issue }: LegacyCalls): readonly ConformanceCase[] => [
  {
    name: 'replays the identical certificate under the same idempotency key, and nothing else',
    run: async () => {
      const [username, idempotencyKey] = [await register('once'), randomUUID()];
      const request = await subject.makeRequest();
      const first = await issue(username, 'once', { request, idempotencyKey });
      assert.equal(await issue(username, 'once', { request, idempotencyKey }), first);
      await refusedWith(422, () => issue(username, 'once', { idempotencyKey }));
    },
  },
];
