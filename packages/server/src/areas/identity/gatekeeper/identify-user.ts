// Identifies the user of a certificate or token. Unlike sign-in, this also identifies expired and revoked certificates.
import type { UserDetailDto, UserIdentificationRequestDto } from '@signetry/contract';
import { notFound, rejected } from '../../../kernel/errors.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { ProviderTokens } from '../external/provider-tokens.ts';
import type { AccessTokens } from '../credentials/access-tokens.ts';
import { isOwnToken } from '../credentials/token-codec.ts';
import { blankToNull } from '../users/user-rules.ts';
import { presentUserDetail } from '../users/present.ts';
import * as store from '../users/store.ts';
import { certificateOctets, fingerprintOf } from '../users/user-certificate.ts';

export interface IdentificationParts {
  readonly accessTokens: AccessTokens;
  readonly providerTokens: Pick<ProviderTokens, 'identify'>;
}

export function createIdentification({ database }: Platform, { accessTokens, providerTokens }: IdentificationParts) {
  /** Tokens identify a user only if their signature is valid. */
  const userOfToken = async (token: string): Promise<string | undefined> =>
    isOwnToken(token) ? (await accessTokens.holderOf(token))?.userUuid : providerTokens.identify(token);

  return async function identify(request: UserIdentificationRequestDto): Promise<UserDetailDto> {
    const certificate = blankToNull(request.certificateContent);
    const token = blankToNull(request.authenticationToken);
    if (certificate === null && token === null) throw rejected('Specify certificateContent or authenticationToken.');
    if (certificate !== null) {
      const fingerprint = fingerprintOf(certificateOctets(certificate));
      const row = await store.findByFingerprint(database.executor, fingerprint);
      if (!row) throw notFound('User with the certificate', fingerprint);
      return presentUserDetail(database.executor, row);
    }
    const userUuid = await userOfToken(token ?? '');
    const row = userUuid === undefined ? undefined : await store.findOne(database.executor, userUuid);
    if (!row) throw notFound('User', 'of the token');
    return presentUserDetail(database.executor, row);
  };
}

export type Identify = ReturnType<typeof createIdentification>;
