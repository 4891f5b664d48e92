import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA } from '@nestjs/common/internal';
import type { QuerySchema } from '../../validation/query-schema.js';
import { ACCESS, type Access, requiresToken, type Role, ROLES } from './access-rules.js';
import { type ApiDocs, apiDocs } from './api-docs.js';
import {
  CACHE_AREAS,
  CACHE_POLICY,
  type CachePolicy,
  FORM_BODY,
  FORMATS,
  NO_DEADLINE,
  QUERY,
  NO_BODY,
  RAW_BODY,
  type RawBodyRule,
  THROTTLE_GROUP,
  UNTHROTTLED,
} from './route-decorators.js';
import type { ThrottleGroup } from './throttle.js';

/** What the decorators of a handler and its controller say of a route. */
export interface RouteOptions {
  /** Empty when the route sets its own media type. */
  formats: readonly string[];
  cachePolicy: CachePolicy;
  /** The areas of the data that a reply is made of, joined by `+`; null where it is not cached. */
  cacheAreas: string | null;
  rawBody: RawBodyRule | null;
  /** Its bodies are forms of HTML. */
  formBody: boolean;
  noBody: boolean;
  alwaysServed: boolean;
  deadline: boolean;
  /** The limit of the client's address that counts its requests. */
  throttle: ThrottleGroup | null;
  /** The parameters it accepts; null for none. */
  query: QuerySchema | null;
  requiresToken: boolean;
  /** The roles that it is for; undefined for accounts with any. */
  roles: readonly Role[] | undefined;
  docs: ApiDocs;
}

/** A route with its options. */
export interface Route extends RouteOptions {
  method: string;
  /** Path pattern, `/api/v1/Book/:id`, without a trailing slash. */
  pattern: string;
}

/** What decorators say of a handler; its own decorators win over its controller's. */
export function routeOptions(controller: object, handler: object): RouteOptions & { method: string } {
  const read = <T>(key: string, fallback?: T): T =>
    (Reflect.getMetadata(key, handler) ?? Reflect.getMetadata(key, controller) ?? fallback) as T;
  const roles = read<readonly Role[] | undefined>(ROLES);
  const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as number]!;
  return {
    method,
    formats: read<readonly string[]>(FORMATS, ['json']),
    cachePolicy: read<CachePolicy>(CACHE_POLICY, 'none'),
    cacheAreas: method === 'GET' ? read<string | null>(CACHE_AREAS, null) : null,
    rawBody: read<RawBodyRule | null>(RAW_BODY, null),
    formBody: read(FORM_BODY, false),
    noBody: read(NO_BODY, false),
    alwaysServed: read(UNTHROTTLED, false),
    deadline: !read(NO_DEADLINE, false),
    throttle: read<ThrottleGroup | null>(THROTTLE_GROUP, method === 'GET' ? 'read' : null),
    query: (Reflect.getMetadata(QUERY, handler) ?? null) as Route['query'],
    requiresToken: requiresToken(method, roles, read<Access | undefined>(ACCESS)),
    roles,
    docs: apiDocs(controller, handler),
  };
}
