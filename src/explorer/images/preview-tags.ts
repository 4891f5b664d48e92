import { html, type Html } from '../../web/html.js';
import { texts } from '../texts.js';
import { PREVIEW } from '../../web/images/picture.js';

/** A picture that sites show beside a link to a page: its path, and what it shows. */
export interface LinkPreview {
  readonly address: string;
  readonly alt: string;
}

/** Of pages without a chart. */
export const GENERAL_PREVIEW: LinkPreview = { address: '/images/service.preview.png', alt: texts.name };

/** Elements of the head of a page by which sites find the picture for links to it. */
export const previewTags = ({ address, alt }: LinkPreview, origin: string): Html => html`
  <meta property="og:image" content="${origin}${address}" />
  <meta property="og:image:type" content="image/png" />
  <meta property="og:image:width" content="${PREVIEW.width}" />
  <meta property="og:image:height" content="${PREVIEW.height}" />
  <meta property="og:image:alt" content="${alt}" />
  <meta name="twitter:card" content="summary_large_image" />
`;
