// Tells whose a certificate or token is. Unlike signing in with it, an expired or revoked certificate is identified
// too.
import type { UserDetailDto, UserIdentificationRequestDto } from '@signetry/contract';
import { notFound, rejected } from '../../../kernel/errors.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AccessTokens } from './access-tokens.ts';
import { filled } from '../users/domain.ts';
import { presentUserDetail } from '../users/present.ts';
import * as store from '../users/store.ts';
import { certificateOctets, fingerprintOf } from '../users/user-certificate.ts';

export function createIdentification({ database }: Platform, parts: { readonly accessTokens: AccessTokens }) {
  return async function identify(request: UserIdentificationRequestDto): Promise<UserDetailDto> {
    const certificate = filled(request.certificateContent);
    const token = filled(request.authenticationToken);
    if (certificate === null && token === null) throw rejected('Give certificateContent or authenticationToken.');
    if (certificate !== null) {
      const fingerprint = fingerprintOf(certificateOctets(certificate));
      const row = await store.findByFingerprint(database.executor, fingerprint);
      if (!row) throw notFound('User with the certificate', fingerprint);
      return presentUserDetail(database.executor, row);
    }
    const holder = await parts.accessTokens.holderOf(token ?? '');
    const row = holder && (await store.findOne(database.executor, holder.userUuid));
    if (!row) throw notFound('User', 'of the token');
    return presentUserDetail(database.executor, row);
  };
}

export type Identify = ReturnType<typeof createIdentification>;
