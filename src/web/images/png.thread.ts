import { Resvg } from '@resvg/resvg-js';
import { createRequire } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort } from 'node:worker_threads';
import type { PngRequest } from './png-renderer.js';
import { withScriptFonts } from './script-fonts.js';

/** Draws SVG as PNG in a thread, one image after the other. */

const { resolve } = createRequire(import.meta.url);

/** What names and units are written in. Weight 600 is that of titles. */
const fontFiles = ['400Regular', '600SemiBold'].flatMap((weight) =>
  [
    ['noto-sans', 'NotoSans'],
    ['noto-sans-arabic', 'NotoSansArabic'],
    ['noto-sans-myanmar', 'NotoSansMyanmar'],
  ].map(([folder, name]) => resolve(`@expo-google-fonts/${folder}/${weight}/${name}_${weight}.ttf`)),
);

const font = {
  loadSystemFonts: false,
  fontFiles,
  defaultFontFamily: 'Noto Sans',
  sansSerifFamily: 'Noto Sans',
};

// V8 does not know how many megabytes of pixels an image holds, and lets them grow to hundreds.
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

parentPort!.on('message', ({ svg, width }: PngRequest) => {
  const options = { font, fitTo: { mode: 'width', value: width }, background: '#fff' } as const;
  const drawn = new Resvg(withScriptFonts(svg), options).render();
  const png = new Uint8Array(drawn.asPng());
  parentPort!.postMessage(png, [png.buffer]);
  collectGarbage();
});
