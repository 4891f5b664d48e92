import { Controller } from '@nestjs/common';
import type { RequestInfo } from '../../platform/http/request.js';
import { NoDeadline } from '../../platform/http/routes.js';
import type { Illustration } from '../../web/images/picture.js';
import { type PathParameters, PictureController } from '../images/picture.controller.js';
import { ExplorerPages } from '../layout/explorer-page.js';
import { mapIllustration } from '../map/world-map.js';
import { type WarningsQuery, warningsQuery, WarningViews } from './warning-views.js';
import { warningsMap } from './warnings-map.js';

/** The map of warnings as files. */
@Controller()
@ExplorerPages()
@NoDeadline()
export class WarningsMapController extends PictureController<WarningsQuery>('warnings', warningsQuery) {
  constructor(private readonly views: WarningViews) {
    super();
  }

  async illustration(_: PathParameters, query: WarningsQuery, info: RequestInfo): Promise<Illustration> {
    return mapIllustration(warningsMap(await this.views.read(query, info)));
  }
}
