// The package has no types; these are the ones that the tests use.
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http';

  export class Provider {
    constructor(issuer: string, configuration: object);
    callback(): RequestListener;
    interactionFinished(request: unknown, response: unknown, result: object): Promise<void>;
  }
}
