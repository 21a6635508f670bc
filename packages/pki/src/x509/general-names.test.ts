import { describe, expect, it } from 'vitest';
import { buildName, parseNameText } from '../index.ts';
import {
  generalNameKey,
  distinctGeneralNames,
  formatGeneralName,
  ipAddressName,
  textOtherName,
  type GeneralName,
} from './general-names.ts';

const dns = (value: string): GeneralName => ({ kind: 'dNSName', value });
const email = (value: string): GeneralName => ({ kind: 'rfc822Name', value });
const uri = (value: string): GeneralName => ({ kind: 'uniformResourceIdentifier', value });
const directory = (text: string): GeneralName => ({ kind: 'directoryName', name: buildName(parseNameText(text)) });
const textsOf = (names: readonly GeneralName[]): string[] => names.map((name) => formatGeneralName(name));

describe('deduplicated general names', () => {
  it.each([
    ['DNS names, without case', [dns('Www.example'), dns('www.EXAMPLE'), dns('b.example')], ['Www.example', 'b.example']],
    ['hosts of mailboxes, without case', [email('a@Example.org'), email('a@example.org')], ['a@Example.org']],
    ['addresses', [ipAddressName('2001:db8::1'), ipAddressName('2001:DB8:0:0::1')], ['2001:db8::1']],
    ['URIs', [uri('spiffe://a/b'), uri('spiffe://a/b')], ['spiffe://a/b']],
    ['directory names', [directory('CN=a'), directory('CN=a')], ['CN=a']],
    ['other names', [textOtherName('1.2.3', 'a'), textOtherName('1.2.3', 'a')], ['1.2.3=a']],
  ])('contain each of %s once, as it was first spelled', (_what, names, texts) => {
    expect(textsOf(distinctGeneralNames(names))).toEqual(texts);
  }); // prettier-ignore

  it.each([
    ['users of mailboxes', [email('A@example.org'), email('a@example.org')]],
    ['paths of URIs', [uri('spiffe://a/B'), uri('spiffe://a/b')]],
    ['kinds', [dns('a.example'), uri('a.example')]],
    ['types of other names', [textOtherName('1.2.3', 'a'), textOtherName('1.2.4', 'a')]],
    ['values with the same text', [textOtherName('1.2.3', 'a'), { kind: 'otherName', type: '1.2.3', value: Uint8Array.of(0x16, 1, 0x61) }]], // prettier-ignore
  ] as [string, GeneralName[]][])('keep different %s', (_what, names) => {
    expect(distinctGeneralNames(names)).toEqual(names);
  });
});

it('mailboxes without a host and empty names can be compared', () => {
  expect(generalNameKey('rfc822Name', 'Anna')).toBe('rfc822Name:anna');
  expect(generalNameKey('dNSName', '')).toBe('dNSName:');
});
