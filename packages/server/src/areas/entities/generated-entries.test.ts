import { metadataAttribute } from '@signetry/connector-sdk';
import type { MetadataAttribute } from '@signetry/contract';
import { describe, expect, it } from 'vitest';
import { isNewEntry, mayBeSame } from './generated-entries.ts';

const text = (name: string, ...content: string[]): MetadataAttribute =>
  metadataAttribute({
    uuid: '0193f0a2-7171-7000-8000-000000000001',
    name,
    label: name,
    contentType: 'string',
    content,
  });
const flag = (name: string, value: boolean): MetadataAttribute =>
  metadataAttribute({
    uuid: '0193f0a2-7171-7000-8000-000000000002',
    name,
    label: name,
    contentType: 'boolean',
    content: [value],
  });

const keyStore = (alias: string, withKey = true) => [text('alias', alias), flag('containsKey', withKey)];

describe('the metadata of two entries', () => {
  it.each([
    ['the same alias', keyStore('shop'), keyStore('shop'), true],
    ['an alias that differs in case', keyStore('Shop'), keyStore('shop'), true],
    ['the same alias, of which one has a key', keyStore('shop', false), keyStore('shop'), true],
    ['one file, and different aliases', [text('file', 'ks'), ...keyStore('a')], [text('file', 'ks'), ...keyStore('b')], true], // prettier-ignore
    ['different aliases', keyStore('shop'), keyStore('mail'), false],
    ['nothing that names an entry', [flag('containsKey', true)], keyStore('shop'), true],
    ['nothing at all', [], keyStore('shop'), true],
  ])('with %s', (_what, one, other, same) => {
    expect(mayBeSame(one, other)).toBe(same);
    expect(mayBeSame(other, one)).toBe(same);
  });
});

describe('an entry created by a provider', () => {
  const made = keyStore('shop');
  const listed = (...entries: MetadataAttribute[][]) => entries.map((metadata) => ({ certificateData: '', metadata }));

  it.each([
    ['is new in an empty location', listed(), made, true],
    ['is new beside others', listed(keyStore('mail')), made, true],
    ['was there before', listed(keyStore('mail'), keyStore('shop')), made, false],
    ['may have been there where an entry has no metadata', [{ certificateData: '' }], made, false],
    ['may have been there where the location was not listed', undefined, made, false],
    ['is none without metadata', listed(), [], false],
  ])('%s', (_what, before, metadata, isNew) => {
    expect(isNewEntry(before, metadata)).toBe(isNew);
  });
});
