import { HTML_MEDIA_TYPE } from '../../platform/formats/page-formats.js';
import type { ReplyHeaders } from '../../platform/http/headers.js';
import { Reply } from '../../platform/http/reply.js';
import { type Chart, type ChartLayout, chartSvg } from '../../web/chart/chart.js';
import { Html, html } from '../../web/html.js';
import { PAGE_HEADERS, STYLE_FILE } from '../../web/frame.js';
import type { PageContext } from '../layout/page.js';
import { texts } from '../texts.js';

/** As of pages, but every site may show it in a frame. */
const EMBED_HEADERS: ReplyHeaders = {
  'Content-Security-Policy': PAGE_HEADERS['Content-Security-Policy']!.replace(
    "frame-ancestors 'none'",
    'frame-ancestors *',
  ),
};

/** Height of the frame, in pixels, in which a chart of full width has room. */
const FRAME_HEIGHT = 480;

/**
 * Drawings for frames of different widths, of which the stylesheet shows one (`embed-style.ts`):
 * each fills the widths that it is for with letters of 10 to 16 pixels, and is not higher than
 * the frame.
 */
const LAYOUTS: readonly ChartLayout[] = [
  { name: 'embed-narrow', width: 340, height: 310, isFixed: true },
  { name: 'embed-medium', width: 580, height: 295, isFixed: true },
  { name: 'embed-wide', width: 1000, height: 355, isFixed: true },
];

/** A chart for the frames of other sites: without scripts, with a link to its page. */
interface EmbedView {
  readonly chart: Chart;
  /** Of its page: path and parameters. */
  readonly address: string;
  readonly revision: number;
}

/** The chart as a document of its own. */
export function embedReply({ chart, address, revision }: EmbedView, info: PageContext): Reply {
  const { origin, notice } = info;
  const document = html`<!doctype html>
    <html lang="en" dir="ltr">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${chart.title} – ${texts.name}</title>
        <link rel="canonical" href="${origin}${address}" />
        <link rel="stylesheet" href="/explorer/${STYLE_FILE}" />
      </head>
      <body class="embed">
        <main>${new Html(LAYOUTS.map((layout) => chartSvg(chart, layout)).join(''))}</main>
        <footer>
          ${notice}
          <a href="${origin}${address}" target="_blank" rel="noopener">${texts.embed.open}</a>
        </footer>
      </body>
    </html> `;
  return Reply.text(document.text, HTML_MEDIA_TYPE, { headers: EMBED_HEADERS, revision });
}

/** The code by which other sites show a chart. @param address of its page, in its state */
export function embedCode(address: string, title: string, origin: string): Html {
  const frame = html`<iframe
    src="${origin}/embed${address}"
    title="${title}"
    width="100%"
    height="${FRAME_HEIGHT}"
    loading="lazy"
  ></iframe>`;
  return html`<details class="embed-code">
    <summary>${texts.embed.summary}</summary>
    <label
      >${texts.embed.code}<textarea readonly rows="4">${frame.text.replaceAll('\n', ' ')}</textarea>
    </label>
  </details>`;
}
