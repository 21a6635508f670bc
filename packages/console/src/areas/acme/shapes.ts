// ACME objects as returned by the platform.
import type {
  AcmeAccountListResponseDto,
  AcmeAccountResponseDto,
  AcmeEabKey,
  AcmeProfileDto,
  AcmeProfileListDto,
  IssuedAcmeEabKey,
  ListedAcmeOrder,
} from '@signetry/contract';

export type ListedProfile = AcmeProfileListDto;
export type Profile = AcmeProfileDto;
export type ListedAccount = AcmeAccountListResponseDto;
export type Account = AcmeAccountResponseDto;
export type EabKey = AcmeEabKey;
export type IssuedEabKey = IssuedAcmeEabKey;
export type Order = ListedAcmeOrder;
