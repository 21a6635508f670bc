import type { RequestAttributeDto } from '@signetry/contract';
import { describe, expect, it } from 'vitest';
import { digestOf } from './attributes-digest.ts';

const value = (name: string, ...data: unknown[]): RequestAttributeDto =>
  ({ name, contentType: 'string', content: data.map((each) => ({ data: each })) }) as RequestAttributeDto; // as sent
const secret = (name: string, text: string): RequestAttributeDto => ({
  uuid: name,
  name,
  contentType: 'secret',
  content: [{ data: { secret: text } }],
});

const place = [value('data_host', 'a.test'), value('data_path', '/etc/tls')];

describe('two locations are considered identical', () => {
  it.each([
    ['whatever the order of their attributes', place.toReversed()],
    ['whatever secrets they have', [...place, secret('data_password', 'one')]],
    ['whatever identifiers the definitions have', place.map((each) => ({ ...each, uuid: 'other' }))],
    [
      'whatever their values are called',
      place.map((each) => ({ ...each, content: each.content.map((one) => ({ ...one, reference: 'shown' })) })),
    ],
  ])('%s', (_why, attributes) => {
    expect(digestOf(attributes as RequestAttributeDto[])).toBe(digestOf(place)); // the shape is unchanged
  });

  it('even if the passwords differ', () => {
    const [one, other] = ['one', 'other'].map((text) => digestOf([...place, secret('data_password', text)]));
    expect(one).toBe(other);
  });

  it('using a digest that must never change, because it is stored', () => {
    expect(digestOf([])).toBe('4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945');
    expect(digestOf(place)).toBe('7bd3151ab4acb138449a514e5aadad4ce324bddcfa582be459272bce35e36fd4');
  });
});

describe('two locations are considered different', () => {
  it.each([
    ['where a value differs', [value('data_host', 'b.test'), value('data_path', '/etc/tls')]],
    ['where a value differs in case', [value('data_host', 'A.test'), value('data_path', '/etc/tls')]],
    ['where values are exchanged', [value('data_host', '/etc/tls'), value('data_path', 'a.test')]],
    ['where one has an attribute more', [...place, value('data_port', '443')]],
    ['where one has an attribute without values more', [...place, value('data_port')]],
    ['where one has a value more', [value('data_host', 'a.test', 'b.test'), value('data_path', '/etc/tls')]],
    ['where a value is written over two attributes', [value('data_host', 'a.test"],["data_path",["/etc/tls')]],
  ])('%s', (_why, attributes) => {
    expect(digestOf(attributes)).not.toBe(digestOf(place));
  });

  it('if one value is a number and the other is the same digits as text, or if the values are in a different order', () => {
    expect(digestOf([value('data_port', 443)])).not.toBe(digestOf([value('data_port', '443')]));
    expect(digestOf([value('data_names', 'a', 'b')])).not.toBe(digestOf([value('data_names', 'b', 'a')]));
  });
});
