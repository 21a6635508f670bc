// Common parts of location kinds: forms, and the operations on one location.
import type { BaseAttributeDto, MetadataAttribute, RequestAttributeDto } from '@signetry/contract';
import type { LocationDetailResponseDto, PushCertificateResponseDto } from '@signetry/contract';
import type { MachineAccess } from '../machines/open-machine.ts';
import type { Reload } from './change-files.ts';
import type { LocationFacts } from './location-form.ts';

/** Place where an operation is performed. */
export interface Site {
  readonly access: MachineAccess;
  readonly reload: Reload | undefined;
  readonly now: Date;
}

/** A certificate to push, as Base64-encoded DER, with the push attributes. */
export interface CertificatePush {
  readonly certificate: string;
  readonly pushAttributes: readonly RequestAttributeDto[];
}

export interface CsrSpec {
  readonly csrAttributes: readonly RequestAttributeDto[];
  readonly renewal: boolean;
}

export interface CreatedCsr {
  readonly der: Uint8Array;
  readonly metadata: readonly MetadataAttribute[];
  readonly pushAttributes: readonly RequestAttributeDto[];
}

/** A location whose attributes have been read. */
export interface OpenLocation {
  /** Name of the reload command. */
  readonly reloadCommand: string | undefined;
  readonly show: (site: Site) => Promise<LocationDetailResponseDto>;
  readonly push: (site: Site, pushed: CertificatePush) => Promise<PushCertificateResponseDto>;
  readonly remove: (site: Site, metadata: readonly MetadataAttribute[]) => Promise<void>;
  readonly request: (site: Site, wish: CsrSpec) => Promise<CreatedCsr>;
}

export interface LocationKind {
  readonly form: (facts: LocationFacts) => BaseAttributeDto[];
  readonly pushForm: () => BaseAttributeDto[];
  readonly requestForm: () => BaseAttributeDto[];
  /** `checkRequest` and `open` reject invalid values, listing every problem. */
  readonly checkRequest: (given: readonly RequestAttributeDto[]) => Promise<void>;
  readonly open: (given: readonly RequestAttributeDto[], facts: LocationFacts) => Promise<OpenLocation>;
}
