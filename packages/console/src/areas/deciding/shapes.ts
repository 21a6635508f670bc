// An approval as its page reads it.
import type { ApprovalDetailDto } from '@signetry/contract';

export interface Approval extends ApprovalDetailDto {
  readonly uuid: string;
}
