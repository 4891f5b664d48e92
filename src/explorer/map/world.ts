import world from './world.json' with { type: 'json' };

/** The countries of the world as shapes, of Natural Earth's, which are in the public domain. */
export interface World {
  /** The size of the drawing, in its units. */
  readonly width: number;
  readonly height: number;
  /** Of the projection: its scale, and where its middle lies. */
  readonly placing: { readonly scale: number; readonly x: number; readonly y: number };
  /** Path data by ISO 3166-1 alpha-3 code; at '' what has none. */
  readonly shapes: Readonly<Record<string, string>>;
  /** `x y` of countries that are too small to be seen. */
  readonly points: Readonly<Record<string, string>>;
}

/** Made by `make-world.mjs`. */
export const WORLD: World = world;
