// The flag for values of custom attributes, apart from what reads it so that help need not load the contract.
import type { Flag } from '../command-line/command.ts';

export const customFlag = {
  value: 'NAME=VALUE',
  many: true,
  about: 'Value of a custom attribute; again for each further value',
} as const satisfies Flag;
