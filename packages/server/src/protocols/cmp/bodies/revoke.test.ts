import {
  buildCertTemplate,
  buildName,
  enumeratedPart,
  encodeDer,
  OID,
  parseCertificate,
  parseNameText,
  type PkiBodyInput,
} from '@signetry/pki';
import { beforeAll, describe, expect, it } from 'vitest';
import type { FoundCertificate } from '../../../areas/certificates/index.ts';
import type { ProtocolCertificates } from '../../../areas/issuing/index.ts';
import {
  makeCertificate,
  makeRoot,
  type TestCertificate,
} from '../../../areas/certificates/testing/test-certificates.ts';
import { AppError } from '../../../kernel/errors.ts';
import type { Sender } from '../call.ts';
import { callWith, foundCertificate, macSender, protocolsWith, signer } from '../testing/calls.ts';
import { revoke } from './revoke.ts';

type RevocationCall = Parameters<ProtocolCertificates['revoke']>[0];

let root: TestCertificate;
let device: TestCertificate;
let neighbour: TestCertificate;
let secret: Sender;

beforeAll(async () => {
  root = await makeRoot('Root');
  device = await makeCertificate('device-7', { issuer: root, serialNumber: '00c0ffee' });
  neighbour = await makeCertificate('device-8', { issuer: root });
  secret = await macSender();
});

interface RevocationSpec {
  readonly sender?: Sender;
  readonly known?: readonly FoundCertificate[];
  readonly reason?: number;
  readonly issuer?: string | null;
  readonly hasSerial?: boolean;
  readonly fault?: unknown;
}

/** Sends an rr for the device; returns the statuses in the response and the revocations. */
async function ask(wishes: readonly RevocationSpec[]) {
  const { issuer: issuerName, serialBytes } = parseCertificate(device.der);
  const details = wishes.map(({ reason, issuer, hasSerial = true }) => ({
    template: {
      der: buildCertTemplate({
        serialBytes: hasSerial ? serialBytes : undefined,
        issuer: issuer === null ? undefined : issuer === undefined ? issuerName : buildName(parseNameText(issuer)),
      }),
    },
    crlEntryDetails:
      reason === undefined ? [] : [{ oid: OID.reasonCode, critical: false, value: encodeDer(enumeratedPart(reason)) }],
  }));
  const [first = {}] = wishes;
  const asked: PkiBodyInput = { type: 'rr', details };
  const call = await callWith(asked, { sender: first.sender ?? secret });
  const body = call.body.type === 'rr' ? call.body : expect.fail(call.body.type);
  const [revoked, serials]: [RevocationCall[], string[]] = [[], []];
  const protocols = protocolsWith({
    findBySerialNumber: async (serial) => {
      serials.push(serial);
      return [...(first.known ?? [foundCertificate(device)])];
    },
    revoke: async (input) => {
      const fault = wishes[revoked.length]?.fault;
      revoked.push(input);
      if (fault !== undefined) throw fault;
    },
  });
  const reply = await revoke({ certificates: protocols }, call, body);
  const statuses = reply.body.type === 'rp' ? reply.body.statuses : expect.fail(reply.body.type);
  return { statuses, revoked, serials };
}

const rejection = (failure: string, words: RegExp) => [
  { status: 'rejection', failures: [failure], texts: [expect.stringMatching(words)] },
];

describe('permission to revoke a certificate', () => {
  it.each([
    ['the shared secret of the profile', () => secret],
    ['the certificate itself', () => signer(device)],
    ['a registration authority', () => signer(neighbour, true)],
  ])('is proven by %s', async (_what, sender) => {
    const { statuses, revoked } = await ask([{ sender: sender() }]);
    expect(statuses).toEqual([{ status: 'accepted' }]);
    expect(revoked).toEqual([
      {
        authorityUuid: 'authority-1',
        raProfileUuid: 'ra-1',
        certificateUuid: 'certificate-1',
        reason: 'unspecified',
        attributes: [],
      },
    ]);
  });

  it.each([
    ['a different certificate of the same authority', async () => signer(neighbour)],
    ['a one-time secret', () => macSender({ oneTime: { uuid: 's', names: undefined } })],
  ])('cannot be proven by %s', async (_what, sender) => {
    const { statuses, revoked } = await ask([{ sender: await sender() }]);
    expect(statuses).toEqual(
      rejection(
        'notAuthorized',
        /A revocation request must be signed by the certificate itself or a registration authority, or protected with the shared secret\./,
      ),
    );
    expect(revoked).toEqual([]);
  });
});

describe('the certificate to be revoked', () => {
  it('is searched for by its serial number without leading zeros', async () => {
    expect((await ask([{}])).serials).toEqual(['c0ffee']);
  });

  it('is found even if other certificates have the same serial number', async () => {
    const others = [
      foundCertificate(await makeCertificate('x', { issuer: await makeRoot('Other') }), { uuid: 'other issuer' }),
      foundCertificate(device, { uuid: 'other profile', ra_profile_uuid: 'ra-2' }),
      foundCertificate(device, { uuid: 'meant' }),
    ];
    expect((await ask([{ known: others }])).revoked).toMatchObject([{ certificateUuid: 'meant' }]);
  });

  it.each([
    ['no issuer', { issuer: null }, 'addInfoNotAvailable', /must be identified by issuer and serial number/],
    ['no serial number', { hasSerial: false }, 'addInfoNotAvailable', /must be identified by issuer and serial number/],
    ['a different issuer', { issuer: 'CN=Other' }, 'badCertId', /No certificate with this issuer/],
    ['an unknown serial number', { known: [] }, 'badCertId', /No certificate with this issuer/],
  ] as const)('is not found with %s', async (_what, wish, failure, words) => {
    const { statuses, revoked } = await ask([wish]);
    expect([statuses, revoked]).toEqual([rejection(failure, words), []]);
  });

  it.each([
    ['of a different RA profile', { ra_profile_uuid: 'ra-2' }, 'badCertId', /under the RA profile/],
    ['without an RA profile', { ra_profile_uuid: null }, 'badCertId', /under the RA profile/],
    ['that is revoked', { state: 'revoked' }, 'certRevoked', /The certificate is already revoked\./],
  ] as const)('cannot be one %s', async (_what, facts, failure, words) => {
    const { statuses, revoked } = await ask([{ known: [foundCertificate(device, facts)] }]);
    expect([statuses, revoked]).toEqual([rejection(failure, words), []]);
  });

  it('does not reveal to an unauthorized sender whether it is already revoked', async () => {
    const known = [foundCertificate(device, { state: 'revoked' })];
    const { statuses } = await ask([{ sender: signer(neighbour), known }]);
    expect(statuses).toEqual(
      rejection(
        'notAuthorized',
        /A revocation request must be signed by the certificate itself or a registration authority, or protected with the shared secret\./,
      ),
    );
  });
});

describe('the revocation reason', () => {
  it.each([
    [0, 'unspecified'],
    [1, 'keyCompromise'],
    [3, 'affiliationChanged'],
    [4, 'superseded'],
    [5, 'cessationOfOperation'],
    [9, 'privilegeWithdrawn'],
    [10, 'aACompromise'],
  ])('%i is %s', async (reason, name) => {
    expect((await ask([{ reason }])).revoked.map((each) => each.reason)).toEqual([name]);
  });

  it.each([2, 6, 7, 8])('%i is not accepted', async (reason) => {
    const { statuses, revoked } = await ask([{ reason }]);
    expect([statuses, revoked]).toEqual([
      rejection('badRequest', new RegExp(`^The revocation reason ${reason} is not accepted`)),
      [],
    ]);
  });

  it('11 cannot be parsed', async () => {
    const { statuses, revoked } = await ask([{ reason: 11 }]);
    expect([statuses, revoked]).toEqual([rejection('badDataFormat', /./), []]);
  });
});

describe('multiple revocation requests in one message', () => {
  it('are answered individually, in order', async () => {
    const { statuses, revoked } = await ask([{}, { issuer: null }, { reason: 4 }]);
    expect(statuses.map(({ status }) => status)).toEqual(['accepted', 'rejection', 'accepted']);
    expect(revoked.map(({ reason }) => reason)).toEqual(['unspecified', 'superseded']);
  });

  it('continue after a revocation that the authority cannot currently perform', async () => {
    const { statuses } = await ask([{ fault: new AppError('unavailable', { reason: 'it waits for approval' }) }, {}]);
    const [waits] = rejection('systemUnavail', /waits for approval/);
    expect(statuses).toEqual([waits, { status: 'accepted' }]);
  });

  it('stop at an internal error', async () => {
    await expect(ask([{ fault: new TypeError('broken') }, {}])).rejects.toThrow('broken');
  });
});
