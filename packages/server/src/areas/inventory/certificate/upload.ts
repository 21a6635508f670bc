// Uploads a certificate file. The response identifies the principal certificate; the other certificates in its chain
// are imported along with it. If an undecided operation is waiting for the certificate, the upload resolves that
// operation.
import type { UploadCertificateRequestDto } from '@signetry/contract';
import type { RequestContext } from '../../../kernel/actor.ts';
import { AppError } from '../../../kernel/errors.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AttributeEngine } from '../../attributes/index.ts';
import type { CertificateWork, Validator } from '../../validation/index.ts';
import { mainCertificateOf, type ReadCertificate } from '../../certificates/index.ts';
import type { AppearanceSettler } from '../../issuing/index.ts';
import type { Importer } from './import.ts';
import { findByFingerprint } from './store.ts';

export interface UploaderOptions {
  readonly platform: Platform;
  readonly attributes: AttributeEngine;
  readonly importer: Importer;
  readonly work: Pick<CertificateWork, 'readUpload'>;
  readonly validator: Validator;
  readonly settleByAppearance: AppearanceSettler;
}

export function createUploader(options: UploaderOptions) {
  const { platform, attributes, importer, work, validator, settleByAppearance } = options;
  const { database } = platform;
  const custom = attributes.customValuesOf('certificates');

  return async function upload(request: UploadCertificateRequestDto, context: RequestContext): Promise<string> {
    const values = await custom.accept(request.customAttributes, context);
    const certificates = await work.readUpload(request.certificate);
    const [first, ...others] = certificates;
    if (!first)
      throw new AppError('invalid_fields', { problems: ['certificate: the file does not contain a certificate'] });
    const principal = mainCertificateOf([first, ...others]);
    await rejectKnown(principal);
    // The issuers in the file are imported first, because a certificate that resolves an operation is validated against
    // them.
    const rest = certificates.filter((each) => each !== principal);
    const waiting = await settleByAppearance.waitingFor(principal);
    if (waiting.length > 0) {
      await importUploaded(rest, context);
      const settled = await settleByAppearance.settle(principal, waiting, context);
      if (settled !== undefined) {
        await database.transaction((tx) => custom.write(tx, settled, values));
        await validator.validate(settled, context);
        return settled;
      }
    }
    const imported = await importUploaded([...rest, principal], context, async (tx, taken) => {
      const target = taken.find(({ read }) => read === principal);
      if (target?.isNew) await custom.write(tx, target.uuid, values);
    });
    const target = imported.find(({ read }) => read === principal);
    if (!target?.isNew) throw alreadyKnown(principal); // The same file is being uploaded concurrently.
    return target.uuid;
  };

  async function importUploaded(
    certificates: readonly ReadCertificate[],
    context: RequestContext,
    complete: (tx: Executor, imported: Awaited<ReturnType<Importer['importAll']>>) => Promise<void> = async () => {},
  ) {
    const imported = await database.transaction(async (tx) => {
      const taken = await importer.importAll(tx, certificates, { context });
      await complete(tx, taken);
      return taken;
    });
    if (imported.some(({ isNew }) => isNew)) validator.afterChange();
    return imported;
  }

  async function rejectKnown(certificate: ReadCertificate): Promise<void> {
    if (await findByFingerprint(database.executor, certificate.facts.fingerprint)) throw alreadyKnown(certificate);
  }
}

const alreadyKnown = ({ facts }: ReadCertificate) =>
  new AppError('already_exists', { what: 'Certificate with fingerprint', name: facts.fingerprint });
