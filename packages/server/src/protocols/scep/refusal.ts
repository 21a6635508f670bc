// Refusals of the SCEP server: a reason for programs (RFC 8894 §3.2.1.4) and one in words for people.
import type { ScepFailInfo } from '@signetry/pki';

export class ScepRefusal extends Error {
  readonly failInfo: ScepFailInfo;

  constructor(failInfo: ScepFailInfo, words: string) {
    super(words);
    this.name = 'ScepRefusal';
    this.failInfo = failInfo;
  }
}

export const refuse = (failInfo: ScepFailInfo, words: string): never => {
  throw new ScepRefusal(failInfo, words);
};
