// Objects that are checked, and the dependencies of a check.
import type { Platform } from '../../platform/platform.ts';
import type { AttributeEngine } from '../attributes/index.ts';
import type { CheckedCertificate, CheckedCertificates } from '../inventory/index.ts';
import type { CheckedKeys } from '../keys/index.ts';
import type { Providers } from './providers.ts';

export interface CheckedItem {
  readonly subject: 'keys';
  readonly uuid: string;
  readonly tokenProfileUuid: string | null;
  readonly type: string;
  readonly format: string;
  readonly data: Buffer | undefined;
}

export type CheckedObject = CheckedCertificate | CheckedItem;

export interface CheckParts {
  readonly platform: Platform;
  readonly attributes: AttributeEngine;
  readonly certificates: Pick<CheckedCertificates, 'fulfilling'>;
  readonly keys: Pick<CheckedKeys, 'fulfilling'>;
  readonly providers: Providers;
}
