// Renews certificates with their existing key, without a CSR from a caller.
import type { RequestContext } from '../../../kernel/actor.ts';
import { rejected } from '../../../kernel/errors.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { Keys } from '../../keys/index.ts';
import {
  certificateName,
  findContent,
  type CertificateRow,
  type NameSource,
  type RequestFacts,
} from '../../certificates/index.ts';
import type { Issuing } from '../issuing.ts';
import type { IssueResponse } from '../issuance/issue.ts';
import type { ProfilePath } from '../operations/preconditions.ts';
import { createRequestBuilder } from './request-with-key.ts';

export interface KeyedRenewals {
  /** Renews with the same key: with the original request, or with a CSR that the key signs in its token. */
  renewWithItsKey(uuid: string, context: RequestContext): Promise<IssueResponse>;
}

export interface KeyedRenewalParts {
  readonly platform: Platform;
  readonly issuing: Pick<Issuing, 'renewer'>;
  readonly keys: Pick<Keys, 'signing' | 'findByPublicKey'>;
  readonly names: NameSource;
  /** Throws 404 if the certificate does not exist. */
  readonly require: (uuid: string) => Promise<CertificateRow>;
  readonly pathOf: (raProfileUuid: string) => Promise<ProfilePath>;
}

export function createKeyedRenewals(parts: KeyedRenewalParts): KeyedRenewals {
  const { platform, issuing, keys, names, require, pathOf } = parts;
  const { executor } = platform.database;
  const requests = createRequestBuilder({ keys, names });

  async function requestByKey(row: CertificateRow, context: RequestContext): Promise<RequestFacts> {
    const key = await keys.findByPublicKey(row.public_key_fingerprint);
    if (!key) throw rejected(`The key of certificate ${certificateName(row)} is not in a known token.`);
    return requests.again({ format: 'pkcs10', keyUuid: key.uuid }, await findContent(executor, row), context);
  }

  return {
    async renewWithItsKey(uuid, context) {
      const row = await require(uuid);
      const path = await pathOf(profileOf(row));
      const request = row.request_uuid === null ? await requestByKey(row, context) : undefined;
      return issuing.renewer.renew({ ...path, certificateUuid: uuid, request }, context);
    },
  };
}

/** Returns the RA profile under which the certificate is renewed. */
export function profileOf(row: CertificateRow): string {
  if (row.ra_profile_uuid !== null) return row.ra_profile_uuid;
  throw rejected(`Certificate ${certificateName(row)} has no RA profile to be renewed under; assign one first.`);
}
