// What the kinds of locations have in common: forms, and the operations on one location.
import type { BaseAttributeDto, MetadataAttribute, RequestAttributeDto } from '@signetry/contract';
import type { LocationDetailResponseDto, PushCertificateResponseDto } from '@signetry/contract';
import type { MachineAccess } from '../machines/open-machine.ts';
import type { Reload } from './change-files.ts';
import type { LocationFacts } from './location-form.ts';

/** Where an operation is carried out. */
export interface Site {
  readonly access: MachineAccess;
  readonly reload: Reload | undefined;
  readonly now: Date;
}

/** Base64 of DER, with the values of the push. */
export interface Pushed {
  readonly certificate: string;
  readonly pushAttributes: readonly RequestAttributeDto[];
}

export interface CsrWish {
  readonly csrAttributes: readonly RequestAttributeDto[];
  readonly renewal: boolean;
}

export interface MadeCsr {
  readonly der: Uint8Array;
  readonly metadata: readonly MetadataAttribute[];
  readonly pushAttributes: readonly RequestAttributeDto[];
}

/** A location whose values were read. */
export interface OpenLocation {
  /** Name of the command. */
  readonly reloadCommand: string | undefined;
  readonly show: (site: Site) => Promise<LocationDetailResponseDto>;
  readonly push: (site: Site, pushed: Pushed) => Promise<PushCertificateResponseDto>;
  readonly remove: (site: Site, metadata: readonly MetadataAttribute[]) => Promise<void>;
  readonly request: (site: Site, wish: CsrWish) => Promise<MadeCsr>;
}

export interface LocationKind {
  readonly form: (facts: LocationFacts) => BaseAttributeDto[];
  readonly pushForm: () => BaseAttributeDto[];
  readonly requestForm: () => BaseAttributeDto[];
  /** These refuse with everything that is wrong. */
  readonly checkRequest: (given: readonly RequestAttributeDto[]) => Promise<void>;
  readonly open: (given: readonly RequestAttributeDto[], facts: LocationFacts) => Promise<OpenLocation>;
}
