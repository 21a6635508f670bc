// SCEP rejections: a failInfo code (RFC 8894 §3.2.1.4) and an error message.
import type { ScepFailInfo } from '@signetry/pki';

export class ScepRejection extends Error {
  readonly failInfo: ScepFailInfo;

  constructor(failInfo: ScepFailInfo, words: string) {
    super(words);
    this.name = 'ScepRejection';
    this.failInfo = failInfo;
  }
}

export const reject = (failInfo: ScepFailInfo, words: string): never => {
  throw new ScepRejection(failInfo, words);
};
