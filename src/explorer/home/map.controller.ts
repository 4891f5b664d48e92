import { Controller } from '@nestjs/common';
import type { RequestInfo } from '../../platform/http/request.js';
import { noParameters } from '../../platform/validation/query-schema.js';
import type { Illustration } from '../../web/images/picture.js';
import { type PathParameters, PictureController } from '../images/picture.controller.js';
import { ExplorerPages } from '../layout/explorer-page.js';
import { mapIllustration } from '../map/world-map.js';
import { HomePage } from './home-page.js';

/** The map of the start page as files. */
@Controller()
@ExplorerPages()
export class MapController extends PictureController('map', noParameters) {
  constructor(private readonly home: HomePage) {
    super();
  }

  async illustration(_: PathParameters, _query: object, info: RequestInfo): Promise<Illustration> {
    return mapIllustration(await this.home.map(info));
  }
}
