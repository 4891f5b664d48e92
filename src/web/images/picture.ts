import { escapeText } from '../../lib/text/markup.js';
import { type Chart, type ChartLayout, chartSvg, type FileOptions, NARROW, WIDE } from '../chart/chart.js';
import { webTexts } from '../texts.js';
import type { PictureQuery } from './picture-query.js';

/** A drawing that stands alone, with its size in pixels. */
export interface Picture {
  readonly svg: string;
  readonly width: number;
  readonly height: number;
}

/** What a picture that is a file is drawn for. */
interface PictureFile extends PictureQuery {
  /** Scheme and host of the service. */
  readonly origin: string;
}

/** What a page shows as a picture. */
export interface Illustration {
  /** What it shows, for those who do not see it, and the name of its file. */
  readonly title: string;
  /** Of the data; undefined where none are shown. */
  readonly revision: number | undefined;
  /** As a file; what is no chart has one width and one ground. */
  picture(this: void, file: PictureFile): Picture;
  /** The same for previews of links, somewhat larger in its frame. */
  preview(this: void): Picture;
}

/** Whose a chart is, which its file says. */
interface Imprint {
  /** Of its page in its state: path and parameters. */
  readonly address: string;
  /** Licences of its sources; empty where they are not known. */
  readonly licences: string;
}

/** The size that sites show previews of links in. */
export const PREVIEW = { width: 1200, height: 630 } as const;
/** Height of the line under a preview that names the service. */
const FOOTER = 60;
/** Drawn at this size and enlarged, a chart can be read in a small preview. */
const PREVIEW_LAYOUT: ChartLayout = { width: 720, height: 340, name: 'preview' };

/** A chart as a picture: its legend makes it higher than its layout. */
function chartPicture(chart: Chart, layout: ChartLayout, options: FileOptions = {}): Picture {
  const svg = chartSvg(chart, layout, layout.name, options);
  const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg)!;
  return { svg, width: Number(width), height: Number(height) };
}

/** The chart of a page, with whose it is and where from in its files. */
export const chartIllustration = (chart: Chart, revision: number, imprint: Imprint): Illustration => ({
  title: chart.title,
  revision,
  picture: ({ width = WIDE.width, theme = 'light', origin }) =>
    chartPicture(chart, layoutOf(width), { theme, imprint: imprintOf(imprint, origin) }),
  preview: () => chartPicture(chart, PREVIEW_LAYOUT),
});

/** A layout of a width between and beyond those of pages, and as high in proportion. */
function layoutOf(width: number): ChartLayout {
  const share = (width - NARROW.width) / (WIDE.width - NARROW.width);
  return { ...WIDE, width, height: Math.round(NARROW.height + share * (WIDE.height - NARROW.height)) };
}

function imprintOf({ address, licences }: Imprint, origin: string): string[] {
  const { licence, unknownLicence, name } = webTexts;
  // Commas need no escapes, and addresses with many would be longer.
  return [`${licence(licences || unknownLicence)} ${name}:`, `${origin}${address.replaceAll('%2C', ',')}`];
}

/** Height of a line of text under a picture, for each pixel of its width, and of its letters. */
const [NOTICE_LINE, NOTICE_LETTERS] = [0.045, 0.021];

/** A picture with a line under it; as it is without a notice. */
export function withNotice({ svg, width, height }: Picture, notice: string | null): Picture {
  if (notice === null) return { svg, width, height };
  const line = Math.round(width * NOTICE_LINE);
  const size = width * NOTICE_LETTERS;
  const text = escapeText(notice);
  return {
    svg:
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height + line}" width="${width}" height="${height + line}">` +
      `${svg}<rect y="${height}" width="${width}" height="${line}" fill="#fff3cd"/>` +
      `<text x="${size.toFixed(1)}" y="${(height + line / 2 + size * 0.35).toFixed(1)}" font-family="sans-serif" font-size="${size.toFixed(1)}" fill="#1b1f24">${text}</text></svg>`,
    width,
    height: height + line,
  };
}

/** A picture as large as fits above the name of the service, in the size of previews. */
export function previewSvg({ svg, width, height }: Picture, origin: string): string {
  const [room, bottom] = [PREVIEW.height - FOOTER, PREVIEW.height - FOOTER / 2 + 8];
  const scale = Math.min(PREVIEW.width / width, room / height);
  const [x, y] = [(PREVIEW.width - width * scale) / 2, (room - height * scale) / 2];
  const name = escapeText(webTexts.name);
  const host = escapeText(new URL(origin).host);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${PREVIEW.width}" height="${PREVIEW.height}" font-family="sans-serif" font-size="22">` +
    `<rect width="${PREVIEW.width}" height="${PREVIEW.height}" fill="#ffffff"/>` +
    `<g transform="translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${scale.toFixed(4)})">${svg}</g>` +
    `<rect y="${room}" width="${PREVIEW.width}" height="${FOOTER}" fill="#f4f6f8"/>` +
    `<text x="24" y="${bottom}" font-weight="600" fill="#1b1f24">${name}</text>` +
    `<text x="${PREVIEW.width - 24}" y="${bottom}" text-anchor="end" fill="#57606a">${host}</text></svg>`
  );
}
