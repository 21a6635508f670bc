// Flag for custom attribute values. It is separate from the parser so that help does not load the contract.
import type { Flag } from '../command-line/command.ts';

export const customFlag = {
  value: 'NAME=VALUE',
  many: true,
  about: 'Value of a custom attribute; repeat to set multiple values',
} as const satisfies Flag;
