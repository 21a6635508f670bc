// The first http-01 target, redirect targets, and whether validation follows them (RFC 8555 §8.3, §10.4). IP addresses
// are checked when connecting. Pure.
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
  /** Identifier whose validation led to the redirect: the only name that error details can contain. */
  readonly origin: string;
}

/** Returns the target of a redirect. Throws `ValidationFailure`, whose detail never quotes the location. */
export function redirectTarget({ from, location, origin }: Redirect, rules: ValidationRules): HttpTarget {
  const shownAs = `a redirect target of ${origin}`;
  const reject = (reason: string): never => {
    throw new ValidationFailure({
      type: 'connection',
      detail: `Redirect of ${origin} not followed: its location ${reason}.`,
      mayChange: false,
    });
  };
  const base = `${from.isTls ? 'https' : 'http'}://${from.authority}${from.path}`;
  const url = (location === undefined ? null : URL.parse(location, base)) ?? reject('is missing or is not a valid URL');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') reject('uses a scheme other than http or https');
  if (url.username !== '' || url.password !== '') reject('contains credentials');
  const isTls = url.protocol === 'https:';
  const port = Number(url.port) || (isTls ? 443 : 80);
  if (![80, 443, rules.http01Port, rules.tlsAlpn01Port].includes(port)) reject('uses a port other than 80 or 443');
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  const isAddress = isIP(host) !== 0;
  if (!isAddress && !isDnsName(host)) reject('has no valid host');
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
