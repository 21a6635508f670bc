// Where http-01 asks first, where a redirect leads and whether validation goes there (RFC 8555 §8.3, §10.4). Addresses
// are checked when the connection is made. Pure.
import { isIP, isIPv6 } from 'node:net';
import { ValidationFailure, type ChallengeToValidate, type ValidationRules } from './challenge.ts';
import { isDnsName } from './identifier-form.ts';
import type { HttpRequest } from './http-exchange.ts';
import type { Target } from './reachable-addresses.ts';

export interface HttpTarget extends Target, HttpRequest {
  readonly isTls: boolean;
  readonly serverName?: string;
}

export function firstTarget({ identifier, token }: ChallengeToValidate, { http01Port }: ValidationRules): HttpTarget {
  const host = identifier.value;
  const literal = isIPv6(host) ? `[${host}]` : host;
  return {
    isTls: false,
    host,
    port: http01Port,
    shownAs: host,
    authority: http01Port === 80 ? literal : `${literal}:${http01Port}`,
    path: `/.well-known/acme-challenge/${token}`,
  };
}

export interface Redirect {
  readonly from: HttpTarget;
  readonly location: string | undefined;
  /** The identifier whose validation led there: the only name that details may tell. */
  readonly origin: string;
}

/** Throws `ValidationFailure`. Nothing of the location is repeated in its detail. */
export function redirectTarget({ from, location, origin }: Redirect, rules: ValidationRules): HttpTarget {
  const shownAs = `a redirect of ${origin}`;
  const refuse = (reason: string): never => {
    throw new ValidationFailure({
      type: 'connection',
      detail: `Not followed: ${shownAs} ${reason}.`,
      mayChange: false,
    });
  };
  const base = `${from.isTls ? 'https' : 'http'}://${from.authority}${from.path}`;
  const url = (location === undefined ? null : URL.parse(location, base)) ?? refuse('names no usable target');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') refuse('leads to a scheme other than http and https');
  if (url.username !== '' || url.password !== '') refuse('carries credentials');
  const isTls = url.protocol === 'https:';
  const port = Number(url.port) || (isTls ? 443 : 80);
  if (![80, 443, rules.http01Port, rules.tlsAlpn01Port].includes(port)) refuse('leads to a port other than 80 and 443');
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  const isAddress = isIP(host) !== 0;
  if (!isAddress && !isDnsName(host)) refuse('names no usable host');
  return {
    isTls,
    ...(isTls && !isAddress && { serverName: host }),
    host,
    port,
    shownAs,
    authority: url.host,
    path: url.pathname + url.search,
  };
}
