import { Injectable } from '@nestjs/common';
import { PNG_MEDIA_TYPE, SVG_MEDIA_TYPE } from '../../platform/formats/page-formats.js';
import type { RequestInfo } from '../../platform/http/request.js';
import type { ReplyHeaders } from '../../platform/http/headers.js';
import { Reply } from '../../platform/http/reply.js';
import { inlineDisposition } from '../../platform/listing/file-name.js';
import type { PictureQuery } from './picture-query.js';
import { type Illustration, PREVIEW, previewSvg, withNotice } from './picture.js';
import { PngRenderer } from './png-renderer.js';

/** Pixels of a PNG for each pixel of the drawing: sharp on fine screens and in print. */
const SCALE = 2;
/** The widest image, in pixels: it costs processor time by its pixels. */
const MAX_WIDTH = 1760;
/** The end of the address of a preview; other addresses of a PNG end in `.png` alone. */
const PREVIEW_SUFFIX = '.preview.png';

/** What a picture depends on beside what is asked for. */
type PictureRequest = Pick<RequestInfo, 'notice' | 'origin'>;

/** The pictures of pages as files. */
@Injectable()
export class Images {
  constructor(private readonly renderer: PngRenderer) {}

  /** The drawing as it stands alone, with its title, unit, source and date in it. */
  svg({ title, picture, revision }: Illustration, info: PictureRequest, query: PictureQuery = {}): Reply {
    const { svg } = withNotice(picture({ ...query, origin: info.origin }), info.notice);
    return Reply.text(svg, SVG_MEDIA_TYPE, { headers: headers(title, 'svg'), revision });
  }

  /**
   * The same as PNG; at an address with `PREVIEW_SUFFIX` in the size of previews of links.
   * @throws Unavailable when too many images are waited for
   */
  async png(illustration: Illustration, info: RequestInfo, query: PictureQuery = {}): Promise<Reply> {
    const { title, revision } = illustration;
    const isPreview = info.path.endsWith(PREVIEW_SUFFIX);
    const { origin, notice } = info;
    const picture = withNotice(
      isPreview ? illustration.preview() : illustration.picture({ ...query, origin }),
      notice,
    );
    const drawing = isPreview
      ? { svg: previewSvg(picture, origin), width: PREVIEW.width }
      : { svg: picture.svg, width: Math.min(SCALE * picture.width, MAX_WIDTH) };
    const png = await this.renderer.render(drawing, info.signal);
    return Reply.text(png, PNG_MEDIA_TYPE, { headers: headers(title, 'png'), revision });
  }
}

/** Other sites may show the picture. */
const headers = (title: string, extension: string): ReplyHeaders => ({
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Content-Disposition': inlineDisposition(title, extension),
});
