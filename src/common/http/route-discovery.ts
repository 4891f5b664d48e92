import { RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/internal';
import { MetadataScanner, type ModulesContainer } from '@nestjs/core';
import type { Format } from './reply.js';
import { QUERY } from './request-query.js';
import {
  CACHED_BY,
  FORMATS,
  CACHE_POLICY,
  type CachePolicy,
  NO_DEADLINE,
  RAW_BODY,
  type RawBodyRule,
  THROTTLE_GROUP,
  UNTHROTTLED,
} from './route-decorators.js';
import type { Route, RouteTable } from './route-table.js';

/**
 * Puts the routes of all controllers into the table, as Nest itself will route them. Global prefixes, module paths and
 * versions of Nest are not used in this service, and not understood here.
 */
export function discoverRoutes(modules: ModulesContainer, table: RouteTable): void {
  const scanner = new MetadataScanner();
  for (const { controllers } of modules.values()) {
    for (const { metatype } of controllers.values()) {
      if (typeof metatype !== 'function') continue;
      const prototype = (metatype as Type).prototype as Record<string, object>;
      for (const name of scanner.getAllMethodNames(prototype)) {
        const handler = prototype[name] as object;
        if (Reflect.hasMetadata(PATH_METADATA, handler)) {
          for (const route of routesOf(metatype, handler)) table.add(route);
        }
      }
    }
  }
}

function routesOf(controller: object, handler: object): Route[] {
  /** A handler's own word goes before its controller's. */
  const read = <T>(key: string, fallback: T): T =>
    (Reflect.getMetadata(key, handler) ?? Reflect.getMetadata(key, controller) ?? fallback) as T;
  const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as number] as string;
  const facts = {
    method,
    formats: read<readonly Format[]>(FORMATS, ['json']),
    freshness: read<CachePolicy>(CACHE_POLICY, 'none'),
    cachedBy: method === 'GET' ? read<string | null>(CACHED_BY, null) : null,
    rawBody: read<RawBodyRule | null>(RAW_BODY, null),
    alwaysServed: read(UNTHROTTLED, false),
    deadline: !read(NO_DEADLINE, false),
    throttleGroup: read(THROTTLE_GROUP, method === 'GET' ? 'read' : 'write'),
    query: (Reflect.getMetadata(QUERY, handler) ?? null) as Route['query'],
  };
  return paths(controller).flatMap((prefix) =>
    paths(handler).map((path) => ({ ...facts, pattern: `/${[...prefix, ...path].join('/')}` })),
  );
}

function paths(target: object): string[][] {
  const given = Reflect.getMetadata(PATH_METADATA, target) as string | string[] | undefined;
  return [given ?? ''].flat().map((path) => path.split('/').filter((segment) => segment !== ''));
}
