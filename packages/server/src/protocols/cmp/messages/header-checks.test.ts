import { buildInfo, encodeDer, infoType, integerPart, requestInfo, type InfoTypeAndValue } from '@signetry/pki';
import { describe, expect, it } from 'vitest';
import type { ServedCmpProfile } from '../../../areas/cmp-profiles/index.ts';
import { profileWith } from '../testing/calls.ts';
import { headerOf, type HeaderSpec } from '../testing/messages.ts';
import { checkHeader, type ReceivedHeader } from './header-checks.ts';

const NOW_MS = Date.parse('2026-11-20T12:00:00Z');
const CONFIRM = buildInfo('implicitConfirm', null);
const STRICT: Partial<ServedCmpProfile> = { strictMessages: true };

interface HeaderCase extends Partial<Pick<ReceivedHeader, 'level'>> {
  readonly header?: HeaderSpec;
  readonly profile?: Partial<ServedCmpProfile>;
  readonly bodyType?: ReceivedHeader['message']['bodyType'];
}

function failureOf({ header = {}, profile = STRICT, bodyType = 'ir', level = 0 }: HeaderCase): string {
  const input = { freeText: [], generalInfo: [], ...headerOf(header) };
  const message = { header: { ...input, protectionAlgorithm: undefined }, bodyType };
  try {
    checkHeader({ message, profile: profileWith(profile), level, nowMs: NOW_MS });
    return 'accepted';
  } catch (error) {
    return (error as { failure?: string; code?: string }).failure ?? (error as { code: string }).code;
  }
}

describe('the messageTime of a message', () => {
  const at = (seconds: number): HeaderSpec => ({ messageTimeMs: NOW_MS + seconds * 1_000 });
  it.each([
    ['absent', {}, 'accepted'],
    ['now', at(0), 'accepted'],
    ['300 s late', at(-300), 'accepted'],
    ['300 s early', at(300), 'accepted'],
    ['301 s late', at(-301), 'badTime'],
    ['301 s early', at(301), 'badTime'],
    ['1970, as on devices without a clock', { messageTimeMs: 0 }, 'badTime'],
  ] as const)('that is %s is %s', (_when, header, outcome) => {
    expect(failureOf({ header })).toBe(outcome === 'accepted' ? 'accepted' : 'badTime');
    expect(failureOf({ header, profile: { strictMessages: false } })).toBe('accepted');
    expect(failureOf({ header, profile: { ...STRICT, messageTimeTolerance: 0 } })).toBe('accepted');
  });

  it('may differ by the tolerance of the profile', () => {
    const profile = { ...STRICT, messageTimeTolerance: 10 };
    expect([failureOf({ header: at(-10), profile }), failureOf({ header: at(-11), profile })]).toEqual([
      'accepted',
      'badTime',
    ]);
  });

  it('is not checked in a forwarded message', () => {
    expect(failureOf({ header: at(-9_000), level: 1 })).toBe('accepted');
  });
});

describe('the recipNonce of a message', () => {
  const header = { recipientNonce: new Uint8Array(16) };
  it.each(['ir', 'cr', 'kur', 'p10cr', 'rr', 'genm'] as const)('is rejected in the first message (%s)', (bodyType) => {
    expect(failureOf({ header, bodyType })).toBe('badRecipientNonce');
    expect(failureOf({ header, bodyType, profile: {} })).toBe('accepted');
  });

  it.each(['certConf', 'pollReq', 'error', 'nested'] as const)('is accepted in a %s', (bodyType) => {
    expect(failureOf({ header, bodyType })).toBe('accepted');
  });
});

describe('implicitConfirm in a header', () => {
  const number: InfoTypeAndValue = { type: infoType('implicitConfirm'), value: encodeDer(integerPart(1)) };
  const waitTime = buildInfo('confirmWaitTime', NOW_MS);
  it.each([
    ['with NULL', [CONFIRM], 'accepted', 'accepted'],
    ['without a value', [requestInfo('implicitConfirm')], 'badRequest', 'accepted'],
    ['with a number', [number], 'badRequest', 'badRequest'],
    ['twice', [CONFIRM, CONFIRM], 'badRequest', 'badRequest'],
    ['with confirmWaitTime', [CONFIRM, waitTime], 'badRequest', 'accepted'],
  ] as const)('%s is %s if RFC 9483 is enforced, and %s otherwise', (_what, generalInfo, strict, lenient) => {
    expect(failureOf({ header: { generalInfo } })).toBe(strict);
    expect(failureOf({ header: { generalInfo }, profile: {} })).toBe(lenient);
  });

  it('is not confused with other infos, whose values must have their type', () => {
    expect(failureOf({ header: { generalInfo: [waitTime, requestInfo('caCerts')] } })).toBe('accepted');
    const wrong = { type: infoType('confirmWaitTime'), value: encodeDer(integerPart(1)) };
    expect(failureOf({ header: { generalInfo: [wrong] } })).toBe('unexpected-tag');
  });
});
