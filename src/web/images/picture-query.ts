import { QuerySchema, type ParameterTable } from '../../platform/validation/query-schema.js';
import { choice, integer, one } from '../../platform/validation/parsers.js';

/** How wide a chart as a file may be, in pixels. */
const [LEAST_WIDTH, MAX_WIDTH] = [320, 1200];

const pictureParameters = {
  width: one(
    integer(LEAST_WIDTH, MAX_WIDTH),
    'Width of the drawing in pixels, whose texts keep their size; a PNG has twice as many, 1760 at most.',
  ),
  theme: one(choice(['light', 'dark'] as const), 'The ground that it stands on.'),
};

/** What a chart as a file is asked for beside the state of its page. */
export interface PictureQuery {
  readonly width?: number;
  readonly theme?: 'light' | 'dark';
}

/** The parameters of a page, and those of its chart as a file. */
export const pictureQuery = <T extends ParameterTable>(page: QuerySchema<T>) =>
  new QuerySchema<T & typeof pictureParameters>({ ...page.parameters, ...pictureParameters }, page.rules);
