// Rules for a second certificate in a location that holds only one.
import { describe, expect, it } from 'vitest';
import { isFree, certificateToReplace } from './push.ts';
import type { HeldState } from './tables.ts';
import { heldCertificate, heldRow, locationRow } from './testing/entity-rows.ts';

const narrow = locationRow({ name: 'narrow' });
const wide = locationRow({ name: 'wide', multiple_entries: true });
const certificate = heldCertificate();
const held = (state: HeldState, uuid?: string) => heldRow({ state, ...(uuid ? { certificate_uuid: uuid } : {}) });

const OCCUPIED =
  'Location narrow already holds a certificate and cannot hold more than one. Replace it, or remove it first.';
const ON_ITS_WAY =
  'A certificate is already being deployed to location narrow, which holds only one. Wait until it is installed, or remove it first.';
const PRESENT = ['installed', 'served'] as const;
const COMING = ['waiting', 'pushing'] as const;
const ABSENT = ['failed', 'not_served', 'replaced'] as const;

const rejectionOf = (act: () => unknown): unknown => {
  try {
    return act();
  } catch (error) {
    return error;
  }
};

describe('a single-certificate location', () => {
  it('accepts the first certificate, with or without replacement', () => {
    for (const replace of [false, true]) expect(certificateToReplace(narrow, [], { certificate, replace })).toBeNull();
  });

  it.each(ABSENT)('accepts a certificate while a different one is %s', (state) => {
    for (const replace of [false, true])
      expect(certificateToReplace(narrow, [held(state)], { certificate, replace })).toBeNull();
  });

  it.each([...PRESENT, ...COMING])('rejects a certificate while a different one is %s', (state) => {
    expect(
      rejectionOf(() => certificateToReplace(narrow, [held(state)], { certificate, replace: false })),
    ).toMatchObject({
      code: 'rejected_by_rules',
      parameters: { problems: [OCCUPIED] },
    });
  });

  it.each(PRESENT)('replaces a certificate that is %s on request', (state) => {
    const there = held(state);
    expect(certificateToReplace(narrow, [there], { certificate, replace: true })).toBe(there.certificate_uuid);
  });

  it.each(COMING)('does not replace a certificate that is %s', (state) => {
    expect(
      rejectionOf(() => certificateToReplace(narrow, [held(state)], { certificate, replace: true })),
    ).toMatchObject({
      code: 'rejected_by_rules',
      parameters: { problems: [ON_ITS_WAY] },
    });
  });

  it('replaces no certificate while a different one is being deployed', () => {
    const both = [held('served'), held('waiting')];
    const act = () => certificateToReplace(narrow, both, { certificate, replace: true });
    expect(rejectionOf(act)).toMatchObject({ parameters: { problems: [ON_ITS_WAY] } });
  });

  it.each([...PRESENT, ...COMING])('accepts the same certificate again while it is %s', (state) => {
    const same = held(state, certificate.uuid);
    expect(certificateToReplace(narrow, [same], { certificate, replace: false })).toBeNull();
  });

  it('rejects a certificate that is not yet issued while the location is occupied', () => {
    expect(rejectionOf(() => certificateToReplace(narrow, [held('installed')], { replace: false }))).toMatchObject({
      parameters: { problems: [OCCUPIED] },
    });
  });
});

describe('a location for multiple certificates', () => {
  it.each([...PRESENT, ...COMING, ...ABSENT])(
    'accepts a certificate while a different one is %s, and replaces none',
    (state) => {
      for (const replace of [false, true])
        expect(certificateToReplace(wide, [held(state)], { certificate, replace })).toBeNull();
      expect(isFree(wide, [held(state)], certificate.uuid)).toBe(true);
    },
  );
});

describe('a push to a single-certificate location', () => {
  it.each([
    ['begins', 'nothing is there', [], true],
    ['waits', 'another one is being pushed', [held('pushing')], false],
    ['waits', 'another one is being pushed and one is there', [held('installed'), held('pushing')], false],
    ['begins', 'that certificate itself is being pushed', [held('pushing', certificate.uuid)], true],
    ['begins', 'another one waits as well', [held('waiting')], true],
    ['begins', 'another one is there', [held('served')], true],
  ])('%s while %s', (_outcome, _situation, rows, free) => {
    expect(isFree(narrow, rows, certificate.uuid)).toBe(free);
  });
});
