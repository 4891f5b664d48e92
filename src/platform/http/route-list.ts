import { Inject, Injectable, type OnModuleInit, Optional } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/internal';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { REVISION_SOURCE, type RevisionSource } from './cache/revision-source.js';
import { type Route, routeOptions } from './routes/route-options.js';

/**
 * The routes of all controllers, for the API document and for checks at the start. Express does the
 * routing; global prefixes and versions of Nest are not described here.
 */
@Injectable()
export class RouteList implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    @Optional() @Inject(REVISION_SOURCE) private readonly revision?: RevisionSource,
  ) {}

  /**
   * @throws Error for a cache area that does not exist: its replies would be served stale for ever
   */
  onModuleInit(): void {
    const known = this.revision?.areas;
    if (known === undefined) return;
    for (const { method, pattern, cacheAreas } of this.all()) {
      const unknown = cacheAreas?.split('+').find((area) => !known.includes(area));
      if (unknown !== undefined) throw new Error(`${method} ${pattern}: there is no cache area ${unknown}.`);
    }
  }

  all(): Route[] {
    return this.discovery.getControllers().flatMap(({ metatype }) => {
      if (typeof metatype !== 'function') return [];
      const prototype = metatype.prototype as Record<string, object>;
      return this.scanner
        .getAllMethodNames(prototype)
        .map((name) => prototype[name]!)
        .filter((handler) => Reflect.hasMetadata(PATH_METADATA, handler))
        .flatMap((handler) => routesOf(metatype, handler));
    });
  }
}

function routesOf(controller: object, handler: object): Route[] {
  const options = routeOptions(controller, handler);
  return segmentsOf(controller).flatMap((prefix) =>
    segmentsOf(handler).map((path) => ({ ...options, pattern: `/${[...prefix, ...path].join('/')}` })),
  );
}

function segmentsOf(target: object): string[][] {
  const paths = Reflect.getMetadata(PATH_METADATA, target) as string | string[] | undefined;
  return [paths ?? ''].flat().map((path) => path.split('/').filter((segment) => segment !== ''));
}
