import type { BaseAttributeDto, RequestAttributeDto } from '@signetry/contract';
import { describe, expect, it } from 'vitest';
import type { ServedAcmeProfile } from '../../../areas/acme-profiles/index.ts';
import type { RequestFacts } from '../../../areas/certificates/index.ts';
import { createRequestedSubject } from './requested-subject.ts';

const UUID = '5b1cf10a-7c4e-4b6e-8d8a-1c1a9f0b5a11';
const LONG = `${'a'.repeat(60)}.example`;

const takesSubject = { type: 'data', uuid: UUID, name: 'data_subject', contentType: 'string' } as BaseAttributeDto;
const ownSubject: RequestAttributeDto = {
  uuid: UUID,
  name: 'data_subject',
  contentType: 'string',
  content: [{ data: 'O=Acme' }],
};

/** Returns the subject requested from the authority, or undefined if it is left to the CSR. */
async function subjectFor(
  [subject_dn, common_name, names]: readonly [dn: string, commonName: string, names: readonly string[]],
  { definitions = [takesSubject], issueAttributes = [] as RequestAttributeDto[] } = {},
): Promise<unknown> {
  const raProfiles = { certificateDefinitions: async () => definitions };
  const profile = { issueAttributes, raProfile: { uuid: UUID, authorityUuid: UUID } } as unknown as ServedAcmeProfile;
  const request = { subject_dn, common_name, subject_alternative_names: { dNSName: names } } as unknown as RequestFacts;
  const order = { names: names.map((name) => `dns:${name}`), request };
  const [attribute] = await createRequestedSubject({ raProfiles }).attributes(profile, order);
  return attribute && (attribute.content[0] as { data: unknown }).data;
}

describe('the subject of an ordered certificate', () => {
  it.each([
    ['', '', ['a.example']],
    ['CN=a.example', 'a.example', []],
    ['CN=A.example', 'A.example', ['b.example', 'a.example']],
    ['CN=a.example', 'a.example', ['b.example']],
  ] as const)('is the subject from the CSR if the names in it are proven: %s', async (...request) => {
    expect(await subjectFor(request)).toBeUndefined();
  });

  it.each([
    ['CN=a.example, O=Acme', 'a.example', ['b.example', 'a.example'], 'CN=a.example'],
    ['CN=Firewall 7, O=Acme', 'Firewall 7', ['b.example', 'a.example'], 'CN=b.example'],
    ['CN=Firewall 7', 'Firewall 7', ['a.example'], 'CN=a.example'],
    ['CN=a.example, O=Acme', 'a.example', ['b.example'], 'CN=a.example'],
    ['O=Acme', '', [LONG, 'a.example'], 'CN=a.example'],
    ['O=Acme', '', [LONG], 'none'],
  ] as const)('contains only a proven name: %s', async (dn, commonName, names, subject) => {
    expect(await subjectFor([dn, commonName, names])).toBe(subject);
  });

  it('is not sent to an authority that does not accept a subject, or if the ACME profile specifies its own', async () => {
    const request = ['O=Acme', '', ['a.example']] as const;
    expect(await subjectFor(request, { definitions: [] })).toBeUndefined();
    expect(await subjectFor(request, { issueAttributes: [ownSubject] })).toBeUndefined();
  });
});

describe('the alternative names of an ordered certificate', () => {
  const takesNames = { type: 'data', uuid: UUID, name: 'data_altNames', contentType: 'text' } as BaseAttributeDto;
  const request = {
    subject_dn: 'CN=a.example',
    common_name: 'a.example',
    subject_alternative_names: { dNSName: ['b.example'] },
  } as unknown as RequestFacts;
  const profile = {
    issueAttributes: [],
    raProfile: { uuid: UUID, authorityUuid: UUID },
  } as unknown as ServedAcmeProfile;
  const namesFor = (names: readonly string[], definitions = [takesNames]) =>
    createRequestedSubject({ raProfiles: { certificateDefinitions: async () => definitions } }).attributes(profile, {
      names,
      request,
    });

  it('are sent to the authority if one of them is only a common name', async () => {
    expect(await namesFor(['dns:a.example', 'dns:b.example'])).toEqual([
      { uuid: UUID, name: 'data_altNames', contentType: 'text', content: [{ data: 'dns:a.example\ndns:b.example' }] },
    ]);
  });

  it('are left to the CSR if it contains all of them, or if the authority does not accept them', async () => {
    expect(await namesFor(['dns:b.example'])).toEqual([]);
    expect(await namesFor(['dns:a.example', 'dns:b.example'], [])).toEqual([]);
  });
});
