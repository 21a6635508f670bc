// The certificate that an order replaces (RFC 9773 §5): it must belong to the same account, must not have been replaced
// yet, and must share at least one name with the order.
import { parseCertificate } from '@signetry/pki';
import type { Executor } from '../../../platform/database/database.ts';
import type { CertificateFinder } from '../certificates/renewal-info.ts';
import { certificateNames } from '../certificates/certificate-names.ts';
import { isReplaced } from '../certificates/store.ts';
import { rejection } from '../model/problems.ts';
import type { AccountCall } from '../requests/call.ts';
import { withdrawOrder } from './store.ts';

/** Parses the "replaces" member of a new order; null if absent. */
export function readReplaces(value: unknown): string | null {
  if (value === undefined) return null;
  if (typeof value !== 'string')
    throw rejection('malformed', '"replaces" must be the identifier of a certificate (RFC 9773 §4.1).');
  return value;
}

export type Replacements = ReturnType<typeof createReplacements>;

export function createReplacements({
  executor,
  findCertificate,
}: {
  readonly executor: Executor;
  readonly findCertificate: CertificateFinder;
}) {
  return {
    /** Returns the certificate that an order can replace. The open order with the same reuse key is not a conflict. */
    async find(
      identifier: string,
      facts: {
        readonly call: AccountCall;
        readonly names: readonly string[];
        readonly now: Date;
        readonly reuseKey: string;
      },
    ): Promise<string> {
      const { call, names, now, reuseKey } = facts;
      const found = await findCertificate(identifier);
      if (!found || found.protocol_account_uuid !== call.account.uuid)
        throw rejection('malformed', 'The certificate to be replaced was not issued to this account.');
      if (!certificateNames(parseCertificate(found.der)).some((name) => names.includes(name)))
        throw rejection(
          'malformed',
          'The order must have at least one identifier in common with the certificate that it replaces.',
        );
      if (await isReplaced(executor, { certificateUuid: found.uuid, now, beside: reuseKey })) throw alreadyReplaced();
      return found.uuid;
    },
    /** If orders were placed concurrently, keeps the first one and withdraws the others. */
    async assertFirst(
      orderUuid: string,
      { certificateUuid }: { readonly certificateUuid: string },
      now: Date,
    ): Promise<void> {
      if (!(await isReplaced(executor, { certificateUuid, now, than: orderUuid }))) return;
      const refused = alreadyReplaced();
      await withdrawOrder(executor, { uuid: orderUuid, error: { type: refused.type, detail: refused.message } });
      throw refused;
    },
  };
}

const alreadyReplaced = () =>
  rejection('alreadyReplaced', 'Another order already replaces this certificate. Place the order without "replaces".');
