import { describe, expect, it } from 'vitest';
import { describeSignInMethods } from './texts.ts';

const none = {
  uuid: 'u',
  roles: [],
  certificate: false,
  passkeys: 0,
  accessTokens: 0,
  externalIdentities: 0,
  invited: false,
};

describe('the sign-in methods of a user', () => {
  it('are undefined if none is set up', () => expect(describeSignInMethods(none)).toBeUndefined());

  it.each([
    [{ certificate: true }, 'Certificate'],
    [{ certificate: true, passkeys: 1, accessTokens: 3 }, 'Certificate, passkey, 3 access tokens'],
    [{ externalIdentities: 1 }, 'Linked identity'],
    [{ externalIdentities: 2, passkeys: 2, invited: true }, '2 passkeys, 2 linked identities, pending invitation'],
  ])('with %o are “%s”', (access, words) => expect(describeSignInMethods({ ...none, ...access })).toBe(words));
});
