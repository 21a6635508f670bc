// Approval as returned by the platform.
import type { ApprovalDetailDto } from '@signetry/contract';

export interface Approval extends ApprovalDetailDto {
  readonly uuid: string;
}
