// The package brings no types; what the tests use of it.
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http';

  export class Provider {
    constructor(issuer: string, configuration: object);
    callback(): RequestListener;
    interactionFinished(request: unknown, response: unknown, result: object): Promise<void>;
  }
}
