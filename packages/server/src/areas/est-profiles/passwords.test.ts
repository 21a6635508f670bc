import { createSealer, newSealingKey, SealError } from '../../platform/crypto/sealing.ts';
import { describe, expect, it } from 'vitest';
import { openPasswords, passwordColumn, passwordsOf, problemsOfUsers, sealPasswords } from './passwords.ts';

const [ONE, OTHER] = ['00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000002'];
const known = new Map([['door', 'the password of the door']]);
const LONG = 'x'.repeat(12);

describe('the users of a profile', () => {
  it.each([
    ['nobody', []],
    ['a new one with a password of 12 characters', [{ username: 'new', password: LONG }]],
    ['one who keeps the password', [{ username: 'door' }]],
    ['one who gets another password', [{ username: 'door', password: LONG }]],
    ['two whose names differ in case only', [{ username: 'door' }, { username: 'Door', password: LONG }]],
    ['one with a name and a password outside ASCII', [{ username: 'tür', password: 'Straße 12 ß ö ü' }]],
  ])('can be %s', (_who, users) => {
    expect(problemsOfUsers(users, known)).toEqual([]);
  });

  it.each([
    ['a new one without password', [{ username: 'new' }], 'users: "new" is new and requires a password'],
    [
      'one with a password of 11 characters',
      [{ username: 'new', password: LONG.slice(1) }],
      'users: the password of "new" must have at least 12 characters',
    ],
    [
      'a known one with an empty password',
      [{ username: 'door', password: '' }],
      'users: the password of "door" must have at least 12 characters',
    ],
    ['one twice', [{ username: 'door' }, { username: 'door' }], 'users: "door" is listed more than once'],
    [
      'one with a colon in the name',
      [{ username: 'a:b', password: LONG }],
      'users: the username "a:b" must not contain a colon',
    ],
    [
      'one with the name of another in another case',
      [{ username: 'DOOR' }],
      'users: "DOOR" is new and requires a password',
    ],
    [
      'one with a name that every object has',
      [{ username: 'constructor' }],
      'users: "constructor" is new and requires a password',
    ],
    ['one with quotes in the name', [{ username: '"x"' }], 'users: "\\"x\\"" is new and requires a password'],
  ])('cannot be %s', (_who, users, problem) => {
    expect(problemsOfUsers(users, known)).toEqual([problem]);
  });

  it('are rejected with all problems in one response, without revealing any passwords', () => {
    const problems = problemsOfUsers([{ username: 'a:b', password: 'canary' }, { username: 'new' }], known);
    expect(problems).toHaveLength(3);
    expect(problems.join()).not.toContain('canary');
  });

  it('keep their passwords unless new ones are specified; omitted users lose their passwords', () => {
    const before = new Map([...known, ['gone', LONG]]);
    expect(passwordsOf([{ username: 'door' }, { username: 'new', password: LONG }], before)).toEqual(
      new Map([
        ['door', 'the password of the door'],
        ['new', LONG],
      ]),
    );
  });
});

describe('encrypted passwords', () => {
  const sealer = createSealer([newSealingKey()]);
  const sealed = sealPasswords(sealer, ONE, known);

  it('can be decrypted for their profile', () => {
    expect(openPasswords(sealer, { uuid: ONE, sealed_passwords: sealed })).toEqual(known);
  });

  it.each([
    ['at another profile', sealer, OTHER],
    ['under another key', createSealer([newSealingKey()]), ONE],
  ])('cannot be decrypted %s', (_where, by, uuid) => {
    expect(() => openPasswords(by, { uuid, sealed_passwords: sealed })).toThrow(SealError);
  });

  it('do not reveal any names or passwords', () => {
    const octets = Buffer.from(sealed ?? '', 'base64').toString('latin1');
    expect(octets).not.toMatch(/door|password/);
  });

  it('are null if there are no users', () => {
    expect(sealPasswords(sealer, ONE, new Map())).toBeNull();
    expect(openPasswords(sealer, { uuid: ONE, sealed_passwords: null })).toEqual(new Map());
  });

  it('can be decrypted by their sealing purpose, as a key rotation does', () => {
    const octets = Buffer.from(sealed ?? '', 'base64');
    const opened = sealer.open(octets, passwordColumn.purpose({ uuid: ONE }));
    expect(JSON.parse(Buffer.from(opened).toString())).toEqual([...known]);
  });
});
